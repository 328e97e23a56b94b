"""Which files belong together: by their names, in folders, around a path, and inside a zip, where nobody is trusted."""

from __future__ import annotations

import gzip
import io
import os
import re
import stat
import zipfile
from pathlib import Path

import pytest

from mlfs.datasets.formats import Limits, find_datasets, read_dataset, read_files
from mlfs.datasets.formats.file_groups import group_files
from mlfs.errors import DatasetError
from tests.datasets.formats.support import SHARED, XML, complaint, needs_data, read

ARFF = "@attribute x numeric\n@attribute a {0,1}\n@attribute b {0,1}\n@data\n1,0,1\n2,1,0\n"
CSV = "x,a\n1,0\n2,1\n"
ARFF_BYTES, CSV_BYTES = ARFF.encode(), CSV.encode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a pair, a single file and a zip-less crowd of things that are no data."""
    pair = tmp_path / "pair"
    pair.mkdir()
    (pair / "toy-train.arff.gz").write_bytes(gzip.compress(ARFF_BYTES))
    (pair / "toy-test.arff").write_text(ARFF.replace("1,0,1", "3,1,1"))
    (pair / "toy.xml").write_bytes(XML)
    (tmp_path / "deep/er").mkdir(parents=True)
    (tmp_path / "deep/er/other.csv").write_text(CSV)
    (tmp_path / "packed.zip").write_bytes(b"PK")
    (tmp_path / "README.md").write_text("hello")
    (tmp_path / ".hidden.csv").write_text(CSV)
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/x.csv").write_text(CSV)
    return tmp_path


def test_find_datasets(folder):
    assert find_datasets(folder) == {
        "toy": tuple(folder / "pair" / name for name in ("toy-train.arff.gz", "toy-test.arff", "toy.xml")),
        "other": (folder / "deep/er/other.csv",),
        "packed": (folder / "packed.zip",),
    }


def test_what_is_found_can_be_read(folder):
    datasets = find_datasets(str(folder))
    ds = read_dataset(datasets["toy"])
    assert ds.X[:, 0].tolist() == [1, 2, 3, 2]
    assert ds.source.endswith("toy.xml")
    assert read_dataset(datasets["other"], labels=["a"]).name == "other"


def test_same_names_are_told_apart(folder):
    (folder / "toy.csv").write_text(CSV)
    (folder / "toy.svm").write_text("1 1:1\n")
    assert set(find_datasets(folder)) == {"pair/toy-train.arff.gz", "toy.csv", "toy.svm", "other", "packed"}


def test_find_in_no_folder(tmp_path):
    with pytest.raises(DatasetError, match=r"There is no folder .*nowhere: check the path"):
        find_datasets(tmp_path / "nowhere")
    assert find_datasets(tmp_path) == {}


def test_stem_folder_and_xml_mean_the_pair(folder):
    whole = read_dataset(folder / "pair" / "toy")
    assert len(whole.split) == 2
    for path in (folder / "pair", folder / "pair/toy.xml", str(folder / "pair")):
        assert read_dataset(path).fingerprint == whole.fingerprint
    assert whole.source == str(folder / "pair" / "toy")


def test_a_part_by_its_own_name_is_read_alone(folder):
    ds = read_dataset(folder / "pair/toy-test.arff")
    assert ds.name == "toy-test"
    assert ds.split is None
    assert ds.label_names == ("a", "b")
    assert ds.X[:, 0].tolist() == [3, 2]


def test_a_file_takes_only_its_own_xml(folder):
    path = folder / "pair/meka.arff"
    path.write_text("@relation 'meka: -C -1'\n" + ARFF)
    assert read_dataset(path).label_names == ("b",)


def test_the_only_xml_of_a_folder_belongs_to_the_only_data_set(tmp_path):
    (tmp_path / "toy.arff").write_text(ARFF)
    (tmp_path / "labels.xml").write_bytes(XML)
    assert read_dataset(tmp_path).label_names == ("a", "b")


def test_a_name_for_the_data_set(folder):
    assert read_dataset(folder / "pair", name="emotions").name == "emotions"


def test_folders_with_several_data_sets(folder):
    (folder / "pair/more.csv").write_text(CSV)
    with pytest.raises(DatasetError, match=r"pair holds several data sets \(more, toy\); say which by its name or its"):
        read_dataset(folder / "pair")
    assert read_dataset(folder / "pair", name="toy").X.shape == (4, 1)


def test_folders_without_data(tmp_path):
    with pytest.raises(DatasetError, match=r"holds no data set; a file \.arff, \.csv, .* or \.zip is needed"):
        read_dataset(tmp_path)
    (tmp_path / "README.md").write_text("hello")
    (tmp_path / "notes.txt").write_text("hello")
    with pytest.raises(DatasetError, match=r"holds no data set"):
        read_dataset(tmp_path)


def test_misspelt_paths(folder):
    with pytest.raises(DatasetError, match=r"There is no data set .*toi: did you mean 'toy'\?"):
        read_dataset(folder / "pair/toi")
    with pytest.raises(DatasetError, match=r"There is no data set .*nowhere/toy: check the path"):
        read_dataset(folder / "nowhere/toy")


def test_two_files_for_one_purpose(folder):
    (folder / "pair/toy-train.arff").write_text(ARFF)
    with pytest.raises(
        DatasetError, match=r"Of toy-train\.arff, toy-train\.arff\.gz.*two are for the same part of toy"
    ):
        read_dataset(folder / "pair")
    assert read_dataset(folder / "pair/toy-train.arff").X.shape == (2, 1)


@pytest.mark.parametrize(
    ("names", "groups"),
    [
        (["a-train.arff", "a-test.arff"], {"a": 2}),
        (["a_TRAIN.csv", "a_test.csv.gz"], {"a": 2}),
        (["a.tra.svm", "a.tst.svm"], {"a": 2}),
        (["x/train.csv", "x/test.csv"], {"x": 2}),
        (["train.csv", "test.csv"], {"data": 2}),
        (["strain.csv", "contest.csv"], {"strain": 1, "contest": 1}),
        (["a-train.arff", "a.xml"], {"a-train": 2}),
        (["x/a.arff", "y/a.arff", "y/A.XML"], {"a": 1, "a ": 2}),
        (["a.arff", "b.arff", "c.xml"], {"a": 1, "b": 1}),
        (["a.svm", "a.xml"], {"a": 1}),
        (["a.txt", "a.xml", "a"], {}),
    ],
)
def test_names_that_belong_together(names, groups):
    datasets: dict[str, int] = {}
    for group in group_files(names):
        datasets[group.name + " " * (group.name in datasets)] = len(group.files)
    assert datasets == groups


@needs_data
def test_the_shared_folder():
    datasets = find_datasets(SHARED / "data")
    names = "arts bibtex birds business corel5k delicious emotions enron flags genbase health llog medical scene yeast"
    matlab = {name for name, files in datasets.items() if files[0].suffix == ".mat"}
    assert set(datasets) - matlab == {*names.split(), "Enron", "Scene"}
    # Two of them have the name of a Mulan set, which keeps it.
    assert matlab >= {"mat/birds.mat", "mat/bibtex.mat", "science"}
    assert len(datasets["emotions"]) == 3
    assert len(datasets["llog"]) == 2
    assert len(datasets["Enron"]) == 1


def zipped(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
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
    members = {"toy-train.arff": ARFF_BYTES, "toy-test.arff": ARFF_BYTES, "toy.xml": XML}
    ds = read(zipped(members, method), "toys.zip")
    assert ds.name == "toy"
    assert ds.X[:, 0].tolist() == [1, 2, 1, 2]
    assert ds.split[0].tolist() == [0, 1]
    assert ds.label_names == ("a", "b")


@pytest.mark.parametrize(
    ("members", "options"),
    [
        ({"toys/toy.csv": CSV_BYTES}, {"labels": -1}),
        ({"toy.csv.gz": gzip.compress(CSV_BYTES)}, {"labels": -1}),
        ({"toy.svm": b"1 1:5\n2 2:1\n"}, {}),
        ({"toy.arff": b"@relation 'toy: -C -2'\n" + ARFF_BYTES}, {}),
        ({"a/toy.arff": ARFF_BYTES, "a/labels.xml": XML, "a/": b"", "readme.txt": b"hello", "a/x.pdf": b"%PDF"}, {}),
        ({"toy.csv": CSV_BYTES, "__MACOSX/._toy.csv": b"\x00\x05\x16", ".hidden.csv": CSV_BYTES}, {"labels": -1}),
        (
            {"toy.csv": CSV_BYTES, "cache.pkl": b"\x80\x04.", "more.zip": zipped({"x.csv": CSV_BYTES})},
            {"labels": -1},
        ),
    ],
    ids=["folder", "gz inside", "libsvm", "meka", "odd xml", "macOS", "others left alone"],
)
def test_what_else_may_be_in_a_zip(members, options):
    assert read(zipped(members), "toys.zip", **options).name == "toy"


def test_a_mulan_archive_with_the_whole_file_too():
    """As Mulan's own archives: the parts are read, since they carry the split."""
    members = {
        "toy.arff": ARFF_BYTES,
        "toy-train.arff": ARFF_BYTES,
        "toy-test.arff": ARFF_BYTES,
        "toy.xml": XML,
    }
    ds = read(zipped(members), "toys.zip")
    assert len(ds.split) == 2
    assert any(note.startswith("toys.zip/toy.arff was not read") for note in ds.notes)


def test_several_data_sets_need_a_name():
    members = {"one.csv": CSV_BYTES, "two.csv": CSV_BYTES.replace(b"1,0", b"7,0")}
    assert re.search(r"several data sets \(one, two\); say which by its name", refused(zipped(members), labels=-1))
    assert read(zipped(members), "toys.zip", labels=-1, name="two").X[0, 0] == 7


def test_on_disk_nothing_is_left_behind(tmp_path):
    path = tmp_path / "toys.zip"
    path.write_bytes(zipped({"toy.csv": CSV_BYTES}))
    assert read_dataset(path, labels=-1).name == "toy"
    assert read_dataset(tmp_path, labels=-1).name == "toy"
    assert os.listdir(tmp_path) == ["toys.zip"]


@pytest.mark.parametrize(
    "name",
    ["../toy.csv", "a/../../toy.csv", "/etc/toy.csv", "..\\toy.csv", "C:\\toy.csv", "C:/toy.csv", "\\\\host\\toy"],
)
def test_paths_that_lead_out(name):
    assert re.search(
        r"is a path that leads out of the archive; pack", refused(zipped({name: CSV_BYTES, "toy.csv": CSV_BYTES}))
    )


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
        archive.writestr("toy.csv", CSV_BYTES)
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("toy.csv", CSV_BYTES)
    assert "the member 'toy.csv' is there twice" in refused(buffer.getvalue())


def test_encrypted():
    content = bytearray(zipped({"toy.csv": CSV_BYTES}, zipfile.ZIP_STORED))
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    assert "the member 'toy.csv' is encrypted" in refused(bytes(content))


@pytest.mark.parametrize(
    "members",
    [
        {},
        {"readme.txt": b"hi"},
        {"toy.pkl": b"\x80\x04."},
        {"toy.npy": b"x"},
    ],
    ids=["empty", "no data", "pickle", "numpy"],
)
def test_no_data_set_inside(members):
    assert "toys.zip holds no data set" in refused(zipped(members))


def test_zip_under_the_name_of_a_data_file():
    assert re.match(
        r"toys\.zip/toy\.csv is a zip where a data file should be", refused(zipped({"toy.csv": zipped({})}))
    )
    assert "is a zip where a data file should be" in complaint(zipped({"toy.csv": CSV_BYTES}), "toy.csv", labels=-1)


def test_bombs_are_refused_by_their_declared_size():
    content = zipped({"toy.csv": b"1,2,0\n" * 2_000_000})
    assert len(content) < 30_000
    limits = Limits(max_bytes=1_000_000)
    assert re.search(r"unpacks to more than 1,000,000 bytes;.*raise max_bytes", refused(content, limits=limits))


def test_several_files_count_together():
    members = {f"toy-{part}.csv": CSV_BYTES * 100 for part in ("train", "test")}
    assert "unpacks to more than" in refused(zipped(members), limits=Limits(max_bytes=150 * len(CSV_BYTES)))


def test_bombs_that_declare_too_little():
    content = bytearray(zipped({"toy.csv": b"1,2,0\n" * 2_000_000}))
    place = content.index(b"PK\x01\x02") + 24
    content[place : place + 4] = (100).to_bytes(4, "little")
    assert complaint(bytes(content), "toys.zip", labels=-1, limits=Limits(max_bytes=1_000_000))


def test_bombs_inside_bombs():
    bomb = gzip.compress(b"1,2,0\n" * 2_000_000)
    message = complaint(zipped({"toy.csv.gz": bomb}), "toys.zip", labels=-1, limits=Limits(max_bytes=1_000_000))
    assert re.match(r"toys\.zip/toy\.csv\.gz: larger than 1,000,000 bytes uncompressed", message)


def test_a_zip_in_a_zip_is_named():
    sentence = "toys.zip: it holds another zip, 'inner.zip'; unpack it, and give the zip that was in it."
    assert refused(zipped({"inner.zip": zipped({"toy.csv": CSV_BYTES})})) == sentence
    assert read(zipped({"inner.zip": b"PK", "toy.csv": CSV_BYTES}), "toys.zip", labels=-1).name == "toy"


def test_damaged_zips():
    content = zipped({"toy.csv": b"x,a\n" + b"1,0\n2,1\n" * 1000})
    for cut in range(4, len(content), 7):
        assert complaint(content[:cut], "toys.zip", labels=-1)
    assert "not a valid zip file" in complaint(content[:-1], "toys.zip", labels=-1)
    broken = bytearray(content)
    broken[45] ^= 0xFF
    assert re.search(r"toys\.zip/toy\.csv: damaged or cut off", complaint(bytes(broken), "toys.zip", labels=-1))


def test_member_without_a_name():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive, archive.open(zipfile.ZipInfo(""), "w") as member:
        member.write(CSV_BYTES)
    assert "toys.zip holds no data set" in refused(buffer.getvalue())


@pytest.mark.parametrize("offset", [2**31 + 7, 2**63 - 1, 2**64 - 1])
def test_member_that_begins_beyond_the_end(offset):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("toy.csv", CSV_BYTES)
        archive.getinfo("toy.csv").header_offset = offset
    assert re.search(r"toys\.zip/toy\.csv: cannot be opened", complaint(buffer.getvalue(), "toys.zip", labels=-1))


def test_member_without_data_has_its_name_in_the_message():
    with pytest.raises(DatasetError, match=r"toys\.zip/a/toy\.arff, line 1: 'hello' where @relation"):
        read(zipped({"a/toy.arff": b"hello"}), "toys.zip", labels=-1)


FEATURES, LABELS = b"x,y\n1,2\n3,4\n", b"a,b\n1,0\n0,1\n"
FOUR = {"train.csv": FEATURES, "train_labels.csv": LABELS, "test.csv": FEATURES[:8], "test_labels.csv": LABELS[:8]}


def test_labels_in_tables_of_their_own(tmp_path):
    folder = tmp_path / "garden"
    folder.mkdir()
    for name, content in FOUR.items():
        (folder / name).write_bytes(content)
    assert [path.name for path in find_datasets(tmp_path)["garden"]] == [
        "train.csv",
        "test.csv",
        "train_labels.csv",
        "test_labels.csv",
    ]
    for ds in (read_dataset(folder), read_dataset(find_datasets(tmp_path)["garden"]), read_files(FOUR)):
        assert ds.X.tolist() == [[1, 2], [3, 4], [1, 2]]
        assert ds.Y.tolist() == [[1, 0], [0, 1], [1, 0]]
        assert [rows.tolist() for rows in ds.split] == [[0, 1], [2]]
        assert (ds.feature_names, ds.label_names) == (("x", "y"), ("a", "b"))
    one = read_files({"garden.csv": FEATURES, "garden-labels.csv": LABELS})
    assert (one.name, one.split, one.Y.tolist()) == ("garden", None, [[1, 0], [0, 1]])


@pytest.mark.parametrize(
    ("files", "options", "words"),
    [
        ({**FOUR, "test_labels.csv": LABELS}, {}, r"test_labels\.csv: 2 rows of labels for the 1 row of test\.csv"),
        ({name: FOUR[name] for name in list(FOUR)[:3]}, {}, r"test\.csv: its labels are missing; put them beside it"),
        (FOUR, {"labels": ["x"]}, r"train_labels\.csv: it holds the labels; do not give them again"),
        ({**FOUR, "train_labels.csv": b"a,b\n1,2\n0,1\n"}, {}, r"train\.csv, line 2: the label 'b' is '2'"),
    ],
)
def test_tables_of_labels_that_do_not_fit(files, options, words):
    with pytest.raises(DatasetError, match=words):
        read_files(files, **options)


@pytest.mark.parametrize("gap", ["", '""'], ids=["a blank line", "quotes"])
def test_a_gap_in_the_only_column_is_a_row(gap):
    """Skipped here and there, the rows of features and of labels would no longer be those of one instance."""
    features = f"x\n1\n{gap}\n3\n\n\n".encode()
    ds = read_files({"toy.csv": features, "toy_labels.csv": b"a\n0\n1\n1\n"})
    assert ds.X[:, 0].tolist() == [1, 2, 3]
    assert ds.Y[:, 0].tolist() == [0, 1, 1]
    assert "1 missing value in 1 feature" in " ".join(ds.notes)
    with pytest.raises(DatasetError, match=r"line 3: the label 'a' is missing"):
        read_files({"toy.csv": features, "toy_labels.csv": f"a\n0\n{gap}\n1\n".encode()})


def test_a_name_that_is_damaged_in_the_list_of_a_zip():
    """Taken for no data, its rows would be missing without a word."""
    content = zipped({"toy-train.csv": CSV_BYTES, "toy-test.csv": CSV_BYTES})
    place = content.rindex(b"toy-train.csv")  # at its end stands the list
    damaged = content[:place] + b"toy-train.cs\xff" + content[place + 13 :]
    assert complaint(damaged, "toys.zip", labels=-1) == "toys.zip: damaged or cut off; download or zip it again."


def test_what_is_no_data_may_be_packed_in_any_way():
    content = bytearray(zipped({"toy.csv": CSV_BYTES, "read.me": b"Hello"}))
    place = content.rindex(b"read.me") - 46 + 10  # the method of compression, in the list
    content[place : place + 2] = b"\x62\x00"
    assert len(read(bytes(content), "toys.zip", labels=-1).X) == 2
