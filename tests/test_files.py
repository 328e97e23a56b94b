"""Files that are whole or as before, whatever goes wrong."""

import multiprocessing
import os
import signal
import tempfile

import pytest

from mlfs.files import UNFINISHED, replacing, write_file

PROCESSES = multiprocessing.get_context("spawn")


def test_a_file_takes_the_place_of_the_one_before(tmp_path):
    path = tmp_path / "a.txt"
    for content in ("größer\n", b"\xff\r\n"):
        write_file(path, content)
        assert path.read_bytes() == (content if isinstance(content, bytes) else content.encode())
    assert os.listdir(tmp_path) == ["a.txt"]


def test_what_goes_wrong_names_the_file_and_leaves_it(tmp_path, monkeypatch):
    path = tmp_path / "a.txt"
    write_file(path, "before")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space left on device") as caught:
        write_file(path, "after")
    assert caught.value.filename == str(path)
    assert path.read_text() == "before"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_no_folder_is_made_for_it(tmp_path):
    with pytest.raises(FileNotFoundError):
        write_file(tmp_path / "mistyped" / "a.txt", "x")
    assert os.listdir(tmp_path) == []


def test_several_come_together_or_not_at_all(tmp_path):
    (tmp_path / "a").write_text("before")

    def write(fail):
        with replacing(tmp_path) as place:
            (place / "a").write_text("after")
            if fail:
                raise OSError("full")
            (place / "b").write_text("after")

    with pytest.raises(OSError, match="full"):
        write(fail=True)
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == {"a": "before"}
    write(fail=False)
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == {"a": "after", "b": "after"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such files")
def test_links_and_pipes_stay_what_they_are(tmp_path):
    (tmp_path / "link").symlink_to("file")
    write_file(tmp_path / "link", "x")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text() == "x"
    write_file(tmp_path / "link", "y")
    assert (tmp_path / "file").read_text() == "y"
    os.mkfifo(tmp_path / "pipe")
    reading = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    write_file(tmp_path / "pipe", "through")
    assert os.read(reading, 100) == b"through"
    os.close(reading)
    assert (tmp_path / "pipe").is_fifo()


def test_what_may_not_be_written_to_is_not_replaced_and_none_of_the_others(tmp_path, monkeypatch):
    def write():
        with replacing(tmp_path) as place:
            for name in "ab":
                (place / name).write_text("after")

    for name in "ab":
        (tmp_path / name).write_text("before")
    may_be_written = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: path.name != "b" and may_be_written(path, mode))
    with pytest.raises(PermissionError):
        write()
    assert (tmp_path / "a").read_text() == "before"
    (tmp_path / "b").unlink()
    (tmp_path / "b").mkdir()
    with pytest.raises(IsADirectoryError):
        write()
    assert (tmp_path / "a").read_text() == "before"
    assert sorted(os.listdir(tmp_path)) == ["a", "b"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
def test_what_was_private_stays_private(tmp_path):
    path = tmp_path / "a.txt"
    write_file(path, "before")
    path.chmod(0o600)
    write_file(path, "after")
    assert path.read_text() == "after"
    assert path.stat().st_mode & 0o777 == 0o600


def write_and_wait(folder, begun):
    with replacing(folder) as place:
        (place / "a").write_text("half of it")
        begun.set()
        signal.pause()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no locks that end with their process")
def test_the_next_write_clears_what_a_killed_process_has_left_and_nothing_of_one_that_lives(tmp_path):
    processes = []
    for _ in range(2):
        begun = PROCESSES.Event()
        processes.append(PROCESSES.Process(target=write_and_wait, args=(tmp_path, begun), daemon=True))
        processes[-1].start()
        assert begun.wait(60)
    one, other = processes
    try:
        assert len(list(tmp_path.glob(f"{UNFINISHED}*/a"))) == 2
        one.kill()
        one.join()
        write_file(tmp_path / "b", "x")
        assert len(list(tmp_path.glob(f"{UNFINISHED}*/a"))) == 1
    finally:
        other.kill()
        other.join()
    write_file(tmp_path / "b", "y")
    assert os.listdir(tmp_path) == ["b"]


def test_who_loses_a_place_at_once_takes_another(tmp_path, monkeypatch):
    """As when another process clears the folder between its making and its lock: before it is opened, and after."""
    fcntl = pytest.importorskip("fcntl")
    made, locked = [], []
    mkdtemp, flock = tempfile.mkdtemp, fcntl.flock

    def lost_at_first(**how):
        made.append(mkdtemp(**how))
        if len(made) == 1:
            os.rmdir(made[-1])
        return made[-1]

    def lost_then(*place):
        locked.append(place)
        if len(locked) == 1:
            os.rmdir(made[-1])
        flock(*place)

    monkeypatch.setattr(tempfile, "mkdtemp", lost_at_first)
    monkeypatch.setattr(fcntl, "flock", lost_then)
    write_file(tmp_path / "a", "x")
    assert (len(made), len(locked)) == (3, 2)
    assert os.listdir(tmp_path) == ["a"]
