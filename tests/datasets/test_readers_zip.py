"""Zips: any format inside, nothing written to disk, and no trick with names or sizes."""

from __future__ import annotations

import gzip
import io
import os
import re
import stat
import zipfile

import pytest

from mlfs.datasets.readers import Limits, read_dataset
from mlfs.errors import DatasetError
from tests.datasets.readers_support import XML, complaint, read

ARFF = b"@attribute x numeric\n@attribute a {0,1}\n@attribute b {0,1}\n@data\n1,0,1\n2,1,0\n"
CSV = b"x,a\n1,0\n2,1\n"


def packed(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def refused(content: bytes, **options) -> str:
    message = complaint(content, "toys.zip", **options)
    assert message.startswith("toys.zip")
    return message


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_mulan_in_a_zip(method):
    members = {"toy-train.arff": ARFF, "toy-test.arff": ARFF, "toy.xml": XML}
    ds = read(packed(members, method), "toys.zip")
    assert ds.name == "toy"
    assert ds.X[:, 0].tolist() == [1, 2, 1, 2]
    assert ds.split[0].tolist() == [0, 1]
    assert ds.label_names == ("a", "b")


@pytest.mark.parametrize(
    ("members", "options"),
    [
        ({"toys/toy.csv": CSV}, {"labels": -1}),
        ({"toy.csv.gz": gzip.compress(CSV)}, {"labels": -1}),
        ({"toy.svm": b"1 1:5\n2 2:1\n"}, {}),
        ({"toy.arff": b"@relation 'toy: -C -2'\n" + ARFF}, {}),
        ({"a/toy.arff": ARFF, "a/labels.xml": XML, "a/": b"", "readme.txt": b"hello", "a/x.pdf": b"%PDF"}, {}),
        ({"toy.csv": CSV, "__MACOSX/._toy.csv": b"\x00\x05\x16", ".hidden.csv": CSV}, {"labels": -1}),
        ({"toy.csv": CSV, "cache.pkl": b"\x80\x04.", "more.zip": packed({"x.csv": CSV})}, {"labels": -1}),
    ],
    ids=["folder", "gz inside", "libsvm", "meka", "odd xml", "macOS", "others left alone"],
)
def test_what_else_may_be_in_a_zip(members, options):
    assert read(packed(members), "toys.zip", **options).name == "toy"


def test_a_mulan_archive_with_the_whole_file_too():
    """As Mulan's own archives: the parts are read, since they carry the split."""
    members = {"toy.arff": ARFF, "toy-train.arff": ARFF, "toy-test.arff": ARFF, "toy.xml": XML}
    ds = read(packed(members), "toys.zip")
    assert len(ds.split) == 2
    assert any(note.startswith("toys.zip/toy.arff was not read") for note in ds.notes)


def test_several_data_sets_need_a_name():
    members = {"one.csv": CSV, "two.csv": CSV.replace(b"1,0", b"7,0")}
    assert re.search(r"several data sets \(one, two\); say which by its name", refused(packed(members), labels=-1))
    assert read(packed(members), "toys.zip", labels=-1, name="two").X[0, 0] == 7


def test_on_disk_nothing_is_left_behind(tmp_path):
    path = tmp_path / "toys.zip"
    path.write_bytes(packed({"toy.csv": CSV}))
    assert read_dataset(path, labels=-1).name == "toy"
    assert read_dataset(tmp_path, labels=-1).name == "toy"
    assert os.listdir(tmp_path) == ["toys.zip"]


@pytest.mark.parametrize(
    "name",
    ["../toy.csv", "a/../../toy.csv", "/etc/toy.csv", "..\\toy.csv", "C:\\toy.csv", "C:/toy.csv", "\\\\host\\toy"],
)
def test_paths_that_lead_out(name):
    assert re.search(r"is a path that leads out of the archive; pack", refused(packed({name: CSV, "toy.csv": CSV})))


def test_links():
    link = zipfile.ZipInfo("toy.csv")
    link.create_system = 3
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(link, "/etc/passwd")
    assert re.search(r"the member 'toy\.csv' is a link; pack the plain data files", refused(buffer.getvalue()))


def test_the_same_name_twice():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("toy.csv", CSV)
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("toy.csv", CSV)
    assert "the member 'toy.csv' is there twice" in refused(buffer.getvalue())


def test_encrypted():
    content = bytearray(packed({"toy.csv": CSV}, zipfile.ZIP_STORED))
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    assert "the member 'toy.csv' is encrypted" in refused(bytes(content))


@pytest.mark.parametrize(
    "members",
    [{}, {"readme.txt": b"hi"}, {"inner.zip": packed({"toy.csv": CSV})}, {"toy.pkl": b"\x80\x04."}, {"toy.npy": b"x"}],
    ids=["empty", "no data", "zip in zip", "pickle", "numpy"],
)
def test_no_data_set_inside(members):
    assert "toys.zip holds no data set" in refused(packed(members))


def test_zip_under_the_name_of_a_data_file():
    assert re.match(
        r"toys\.zip/toy\.csv is a zip where a data file should be", refused(packed({"toy.csv": packed({})}))
    )
    assert "is a zip where a data file should be" in complaint(packed({"toy.csv": CSV}), "toy.csv", labels=-1)


def test_bombs_are_refused_by_their_declared_size():
    content = packed({"toy.csv": b"1,2,0\n" * 2_000_000})
    assert len(content) < 30_000
    limits = Limits(max_bytes=1_000_000)
    assert re.search(r"unpacks to more than 1,000,000 bytes;.*raise max_bytes", refused(content, limits=limits))


def test_several_files_count_together():
    members = {f"toy-{part}.csv": CSV * 100 for part in ("train", "test")}
    assert "unpacks to more than" in refused(packed(members), limits=Limits(max_bytes=150 * len(CSV)))


def test_bombs_that_declare_too_little():
    content = bytearray(packed({"toy.csv": b"1,2,0\n" * 2_000_000}))
    place = content.index(b"PK\x01\x02") + 24
    content[place : place + 4] = (100).to_bytes(4, "little")
    assert complaint(bytes(content), "toys.zip", labels=-1, limits=Limits(max_bytes=1_000_000))


def test_bombs_inside_bombs():
    bomb = gzip.compress(b"1,2,0\n" * 2_000_000)
    message = complaint(packed({"toy.csv.gz": bomb}), "toys.zip", labels=-1, limits=Limits(max_bytes=1_000_000))
    assert re.match(r"toys\.zip/toy\.csv\.gz: larger than 1,000,000 bytes uncompressed", message)


def test_damaged_zips():
    content = packed({"toy.csv": b"x,a\n" + b"1,0\n2,1\n" * 1000})
    for cut in range(4, len(content), 7):
        assert complaint(content[:cut], "toys.zip", labels=-1)
    assert "not a sound zip" in complaint(content[:-1], "toys.zip", labels=-1)
    broken = bytearray(content)
    broken[45] ^= 0xFF
    assert re.search(r"toys\.zip/toy\.csv: damaged or cut off", complaint(bytes(broken), "toys.zip", labels=-1))


def test_member_without_a_name():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive, archive.open(zipfile.ZipInfo(""), "w") as member:
        member.write(CSV)
    assert "toys.zip holds no data set" in refused(buffer.getvalue())


@pytest.mark.parametrize("offset", [2**31 + 7, 2**63 - 1, 2**64 - 1])
def test_member_that_begins_beyond_the_end(offset):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("toy.csv", CSV)
        archive.getinfo("toy.csv").header_offset = offset
    assert re.search(r"toys\.zip/toy\.csv: cannot be opened", complaint(buffer.getvalue(), "toys.zip", labels=-1))


def test_member_without_data_has_its_name_in_the_message():
    with pytest.raises(DatasetError, match=r"toys\.zip/a/toy\.arff, line 1: 'hello' where @relation"):
        read(packed({"a/toy.arff": b"hello"}), "toys.zip", labels=-1)
