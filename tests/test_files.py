"""Files that are whole or as before, whatever goes wrong."""

import os

import pytest

from mlfs.files import replacing, write_file


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
