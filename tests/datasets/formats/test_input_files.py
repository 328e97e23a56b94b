"""Opening files: compression, encodings, limits, and what is refused unopened."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import pickle
import re
import tracemalloc

import numpy as np
import pytest

from mlfs.datasets.formats import Limits, read_dataset
from mlfs.datasets.formats.input_files import InputFile, lines
from mlfs.errors import DatasetError
from tests.datasets.formats.support import complaint, read

CSV = "x,y,a\n1,2,0\n3,4,1\n"
PACK = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}


@pytest.mark.parametrize("suffix", PACK)
def test_compressed(suffix):
    plain = read(CSV, "toy.csv", labels=-1)
    content = PACK[suffix](CSV.encode())
    for name in (f"toy.csv{suffix}", "toy.csv", f"toy.CSV{suffix.upper()}"):
        assert read(content, name, labels=-1).fingerprint == plain.fingerprint
    # Browsers unpack some downloads and keep the name.
    assert read(CSV, f"toy.csv{suffix}", labels=-1).fingerprint == plain.fingerprint
    # Two compressed pieces one after the other are one file.
    halves = PACK[suffix](CSV[:9].encode()) + PACK[suffix](CSV[9:].encode())
    assert read(halves, "toy.csv", labels=-1).fingerprint == plain.fingerprint


@pytest.mark.parametrize("suffix", PACK)
def test_damaged_compression(suffix):
    rows = "".join(f"{i},{i * 7 % 13},{i % 2}\n" for i in range(5000))
    content = PACK[suffix](("x,y,a\n" + rows).encode())
    name = f"toy.csv{suffix}"
    for cut in (12, len(content) // 2, len(content) - 3):
        message = complaint(content[:cut], name, labels=-1)
        assert re.match(rf"toy\.csv\{suffix}: damaged or cut off \(.*\); download or zip it again", message)
    broken = bytearray(content)
    broken[len(content) // 2] ^= 0xFF
    assert complaint(bytes(broken), name, labels=-1)


@pytest.mark.parametrize("suffix", PACK)
def test_no_row_is_lost_behind_the_first_of_several_streams(suffix):
    """As parallel packers write them: whole, or refused; never the first stream alone."""
    rows = [f"{i},{i * 7 % 13},{i % 2}\n" for i in range(4000)]
    streams = [PACK[suffix]("".join(["x,y,a\n", *rows[:1500]]).encode()), PACK[suffix]("".join(rows[1500:]).encode())]
    name = f"toy.csv{suffix}"
    assert len(read(b"".join(streams), name, labels=-1).Y) == 4000
    assert len(read(b"".join([*streams, PACK[suffix](b"")]), name, labels=-1).Y) == 4000
    second = streams[1]
    for place in (0, 12, len(second) // 2, len(second) - 2):
        broken = bytearray(second)
        broken[place] ^= 0xFF
        for damaged in (bytes(broken), second[: place + 1]):
            message = complaint(streams[0] + damaged, name, labels=-1)
            assert re.match(rf"toy\.csv\{suffix}: damaged or cut off \(.*\); download or zip it again", message)
    for rubbish in (b"!", b"rubbish after the end", streams[0][:5]):
        assert "damaged or cut off" in complaint(b"".join([*streams, rubbish]), name, labels=-1)


@pytest.mark.parametrize("suffix", PACK)
def test_what_a_file_is_may_stand_in_several_streams(suffix):
    """Its first bytes tell: a byte order mark, or a format that is refused."""

    def torn(content):
        return b"".join(PACK[suffix](content[k : k + 1]) for k in range(len(content)))

    plain = read(CSV, "toy.csv", labels=-1)
    for encoding in ("utf-16", "utf-8-sig"):
        assert read(torn(CSV.encode(encoding)), f"toy.csv{suffix}", labels=-1).fingerprint == plain.fingerprint
    assert "may run any program" in complaint(torn(b"\x80\x04rest"), f"toy.csv{suffix}", labels=-1)


@pytest.mark.parametrize("suffix", [".gz", ".xz"])
def test_streams_may_be_padded_with_zeros(suffix):
    halves = [PACK[suffix](CSV[:9].encode()), PACK[suffix](CSV[9:].encode())]
    padded = halves[0] + bytes(8) + halves[1] + bytes(2**20)
    assert read(padded, f"toy.csv{suffix}", labels=-1).fingerprint == read(CSV, "toy.csv", labels=-1).fingerprint


def test_compressed_twice_is_refused():
    assert "toy.csv.gz" in complaint(gzip.compress(gzip.compress(CSV.encode())), "toy.csv.gz", labels=-1)


@pytest.mark.parametrize("suffix", PACK)
def test_bombs_stop_at_the_limit(suffix):
    """30 MB in some kilobytes: refused after the first three, and never in memory at once."""
    content = PACK[suffix](bytes(30_000_000).replace(b"\0", b"1"))
    assert len(content) < 50_000
    tracemalloc.start()
    try:
        message = complaint(content, f"toy.csv{suffix}", labels=-1, limits=Limits(max_bytes=3_000_000))
        assert re.search(r"larger than 3,000,000 bytes uncompressed; use fewer rows, or raise max_by", message)
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("encoding", "name"), [("utf-8", "café"), ("utf-8-sig", "café ☕"), ("utf-16", "café ☕"), ("latin-1", "café")]
)
def test_encodings(encoding, name):
    ds = read(CSV.replace("y", name).encode(encoding), "toy.csv", labels=-1)
    assert ds.feature_names == ("x", name)
    latin_1_notes = [note for note in ds.notes if "Latin-1" in note]
    assert latin_1_notes == (["toy.csv is not UTF-8; it was read as Latin-1."] if encoding == "latin-1" else [])


@pytest.mark.parametrize("filler", range(1024**2 - 12, 1024**2 + 2))
def test_characters_on_the_border_of_a_chunk(filler):
    """A character of four bytes, at every place around the end of the first megabyte that is read."""
    for end, encoding in (("☕𝄞\r\nend", "utf-8"), ("é\r\nend", "latin-1")):
        file = InputFile.from_bytes("toy.csv", ("y" * filler + end).encode(encoding))
        first, second = lines(file, Limits())
        assert first == (1, "y" * filler + end.partition("\r")[0])
        assert second == (2, "end")
        assert file.is_latin1 == (encoding == "latin-1")


def test_latin_1_up_to_the_last_byte():
    ds = read(b"x,w,a\n1,b,0\n2,b,1\n3,c,1\n4,b,0\n5,caf\xe9,1", "toy.csv", labels=["a"])
    assert ds.categories == {1: ("b", "c", "café")}
    assert read(b"x,a,w\n1,0,b\n2,1,b\n3,1,c\n4,0,b\n5,1,caf\xe9", "toy.csv", labels=["a"]).categories[1][2] == "café"


def test_wrong_utf_16():
    assert "not valid UTF-16; save it as UTF-8" in complaint(CSV.encode("utf-16")[:-1], "toy.csv", labels=-1)


@pytest.mark.parametrize("name", ["toy.csv", "toy.arff", "toy.svm"])
def test_binary_data(name):
    message = complaint(b"a,b\n1,\x00\x01\x02\n", name)
    assert re.match(rf"{name}, line ", message)


def test_utf_16_without_its_mark():
    assert "line 1: binary data where text is expected" in complaint(CSV.encode("utf-16-le"), "toy.csv", labels=-1)


class Evil:
    """Unpickling this would leave a file behind."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return (open, (str(self.path), "w"))


@pytest.mark.parametrize("protocol", range(6))
@pytest.mark.parametrize("name", ["toy.pkl", "toy.pickle", "toy.joblib", "toy.npy", "toy.pkl.gz", "toy.csv", "toy.dat"])
def test_pickles_are_never_loaded(tmp_path, name, protocol):
    content = pickle.dumps(Evil(tmp_path / "trap"), protocol=protocol)
    message = complaint(gzip.compress(content) if name.endswith(".gz") else content, name, labels=-1)
    assert message.startswith(name)
    if protocol >= 2 or name not in ("toy.csv", "toy.dat"):
        assert "can hold a pickle" in message
        assert "save it as CSV or ARFF" in message
    assert not (tmp_path / "trap").exists()


def test_arrays_of_numpy_are_not_loaded():
    buffer = io.BytesIO()
    np.save(buffer, np.zeros((3, 3)))
    assert "can hold a pickle" in complaint(buffer.getvalue(), "toy.csv", labels=-1)


@pytest.mark.parametrize("name", ["toy.xls", "toy.ods", "toy.dat", "toy"])
def test_other_spreadsheets_are_told_what_to_do(name):
    message = complaint(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500), name)
    assert message == f"{name} is a spreadsheet of a kind that mlfs does not read; save it as .xlsx or CSV."


@pytest.mark.parametrize("name", ["toy.rar", "toy.7z", "toy.tar.gz", "toy.tgz", "toy.tar"])
def test_other_archives(name):
    assert re.match(rf"{name} is an archive that mlfs does not open; unpack it", complaint(b"whatever", name))


def test_other_archives_under_a_wrong_name():
    assert "is an archive that mlfs does not open" in complaint(b"Rar!\x1a\x07\x00", "toy.arff")


def test_missing_files_and_devices(tmp_path):
    with pytest.raises(DatasetError, match=r"There is no data set .*nothing\.csv"):
        read_dataset(tmp_path / "nothing.csv")
    with pytest.raises(DatasetError, match=r"nothing\.xml: cannot be opened \(No such file"):
        read_dataset([tmp_path / "nothing.csv", tmp_path / "nothing.xml"])
    with pytest.raises(DatasetError, match=r"There is no data set"):
        read_dataset("with\0null.csv")
    with pytest.raises(DatasetError, match=r"cannot be read \(File name too long\)"):
        read_dataset("x" * 10_000)
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(DatasetError, match=r"pipe\.csv: cannot be opened \(it is not a regular file\)"):
        read_dataset(tmp_path / "pipe.csv")


def test_files_that_may_not_be_read(tmp_path, monkeypatch):
    path = tmp_path / "toy.csv"
    path.write_text(CSV)

    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(path), "open", refuse)
    with pytest.raises(
        DatasetError, match=r"toy\.csv: cannot be opened \(Permission denied\); check the file and your"
    ):
        read_dataset(path, labels=-1)


def test_folders_that_may_not_be_read(tmp_path, monkeypatch):
    def refuse(self):
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(type(tmp_path), "iterdir", refuse)
    with pytest.raises(DatasetError, match=r"cannot be read \(Permission denied\); check the path"):
        read_dataset(tmp_path)


def test_disks_that_fail_while_reading():
    class Failing(io.BytesIO):
        def read(self, *_):
            raise OSError(5, "Input/output error")

    file = InputFile("toy.csv", Failing)
    with pytest.raises(DatasetError, match=r"toy\.csv: damaged or cut off \(.*Input/output error\)"):
        list(file.chunks(Limits()))
