"""Downloading by name, against a small OpenML on this machine; no test needs the network."""

from __future__ import annotations

import socket
import threading
import urllib.request
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import _openml

from mlfs.datasets import CATALOGUE, download_dataset, list_datasets, load_bundled, load_dataset
from mlfs.datasets.download import Fetched
from mlfs.errors import DatasetError
from tests.datasets.openml_server import DATA, DESCRIPTION, FEATURES, QUALITIES, OpenMLServer, openml_server
from tests.ports import reserved_port
from tests.waiting import GUARD

MANUALLY = "put its files into a folder and name that folder in the environment variable MLFS_DATA."
ID = CATALOGUE["emotions"].openml_id

TOY = """@relation toy
@attribute protein {p1,p2,p3,p4,p5,p6,p7,p8,p9,p10,p11,p12}
@attribute size numeric
@attribute colour {red,green,blue}
@attribute wings {YES,NO}
@attribute first {FALSE,TRUE}
@attribute second {FALSE,TRUE}
@data
p1,0.5,red,YES,TRUE,FALSE
p2,1.5,blue,NO,FALSE,FALSE
p3,2.5,green,NO,TRUE,TRUE
p4,1e3,red,YES,FALSE,TRUE
""" + "".join(f"p{i},{i},red,NO,FALSE,FALSE\n" for i in range(5, 13))
TOY_Y = [[1, 0], [0, 0], [1, 1], [0, 1], *[[0, 0]] * 8]
SPARSE_TOY = (
    """@relation toy
@attribute a numeric
@attribute b numeric
@attribute c numeric
@attribute first {FALSE,TRUE}
@attribute second {FALSE,TRUE}
@data
{0 0.5, 3 TRUE}
{2 7}
{1 2, 3 TRUE, 4 TRUE}
{4 TRUE}
"""
    + 8 * "{0 1}\n"
)
TOY_ENTRY = replace(
    CATALOGUE["emotions"],
    name="toy",
    openml_name="toy",
    openml_id=7,
    instances=12,
    features=3,
    labels=2,
    cardinality=0.333,
    density=0.167,
    train=None,
    test=None,
)


def emotions_arff() -> str:
    """The bundled set as OpenML writes it: labels FALSE and TRUE."""
    ds = load_bundled("emotions")
    header = [f"@attribute {name} numeric" for name in ds.feature_names]
    header += [f"@attribute {name} {{FALSE,TRUE}}" for name in ds.label_names]
    rows = [",".join([*map(repr, x), *np.where(y, "TRUE", "FALSE")]) for x, y in zip(ds.X.tolist(), ds.Y, strict=True)]
    return "\n".join(["@relation emotions", *header, "@data", *rows, ""])


EMOTIONS = emotions_arff()


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """Neither the user's cache nor their data folder take part."""
    monkeypatch.setenv("MLFS_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("MLFS_DATA", raising=False)


@pytest.fixture
def server(monkeypatch):
    """scikit-learn's client, talking to a server on this machine instead of OpenML, and not waiting between retries."""
    with openml_server() as server:

        def local_urlopen(request, *args, **kw):
            path = urlsplit(request.full_url).path
            local = urllib.request.Request(server.address + path, headers=dict(request.header_items()))
            return urllib.request.urlopen(local, *args, **kw)

        monkeypatch.setattr(_openml, "urlopen", local_urlopen)
        monkeypatch.setattr(_openml, "time", SimpleNamespace(sleep=lambda seconds: None))
        server.add(ID, "emotions", EMOTIONS, load_bundled("emotions").label_names)
        yield server


@pytest.fixture
def toy(monkeypatch):
    """A catalogue with a small set in it."""
    catalogue = {**CATALOGUE, "toy": TOY_ENTRY}
    for module in ("download", "cache", "load"):
        monkeypatch.setattr(f"mlfs.datasets.{module}.CATALOGUE", catalogue)
    return catalogue


def nothing_kept(tmp_path: Path) -> bool:
    """No data set in the cache, and no half-done work."""
    return not list((tmp_path / "cache").glob("*")) if (tmp_path / "cache").exists() else True


def test_download(server: OpenMLServer, tmp_path):
    ds = download_dataset("emotions")
    bundled = load_bundled("emotions")
    np.testing.assert_array_equal(ds.X, bundled.X)
    np.testing.assert_array_equal(ds.Y, bundled.Y)
    assert (ds.feature_names, ds.label_names) == (bundled.feature_names, bundled.label_names)
    assert (ds.name, ds.source, ds.split) == ("emotions", "OpenML data set 40589", None)
    assert "OpenML distributes no train/test split." in ds.notes
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["emotions.npz"]


def test_second_call_needs_no_network(server: OpenMLServer, monkeypatch):
    first = download_dataset("emotions")
    asked = len(server.requests)
    monkeypatch.setattr(_openml, "urlopen", lambda *args, **kw: pytest.fail("went to the network"))
    second = download_dataset("emotions")
    assert len(server.requests) == asked
    assert second.fingerprint == first.fingerprint
    assert (second.notes, second.source, second.name) == (first.notes, first.source, first.name)


def test_cache_folder_is_chosen(server: OpenMLServer, tmp_path):
    download_dataset("emotions", cache_folder=tmp_path / "mine" / "deep")
    assert (tmp_path / "mine" / "deep" / "emotions.npz").is_file()
    assert nothing_kept(tmp_path)


def test_progress(server: OpenMLServer):
    reports = []
    download_dataset("emotions", progress=lambda share, sentence: reports.append((share, sentence)))
    shares = [share for share, _ in reports]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    assert reports[0][1] == "Downloading emotions from OpenML."
    assert all(sentence.endswith(".") for _, sentence in reports)


@pytest.mark.parametrize("when", [0.0, 0.7, 0.9])
def test_progress_can_cancel(when, server: OpenMLServer, tmp_path):
    class Cancelled(Exception):
        pass

    def progress(share, sentence):
        if share >= when:
            raise Cancelled

    with pytest.raises(Cancelled):
        download_dataset("emotions", progress=progress)
    assert nothing_kept(tmp_path)
    assert download_dataset("emotions").name == "emotions"  # and the next one works


def test_nominal_columns(server: OpenMLServer, toy):
    server.add(7, "toy", TOY, ["first", "second"])
    ds = download_dataset("toy")
    np.testing.assert_array_equal(ds.Y, TOY_Y)
    assert ds.label_names == ("first", "second")
    assert ds.feature_names == ("size", "colour", "wings")  # the row identifier is no feature
    np.testing.assert_array_equal(ds.X[:4, 0], [0.5, 1.5, 2.5, 1000])
    assert ds.categories == {1: ("red", "green", "blue")}
    np.testing.assert_array_equal(ds.X[:4, 1], [0, 2, 1, 0])
    np.testing.assert_array_equal(ds.X[:4, 2], [1, 0, 0, 1])
    again = load_dataset("toy")  # from the cache, categories and all
    assert again.fingerprint == ds.fingerprint
    assert again.categories == ds.categories


def test_sparse_data_stay_sparse(server: OpenMLServer, toy):
    server.add(7, "toy", SPARSE_TOY, ["first", "second"])
    for ds in (download_dataset("toy"), load_dataset("toy")):
        assert sparse.isspmatrix_csr(ds.X)
        np.testing.assert_array_equal(ds.X.toarray(), [[0.5, 0, 0], [0, 0, 7], [0, 2, 0], [0, 0, 0], *[[1, 0, 0]] * 8])
        np.testing.assert_array_equal(ds.Y, TOY_Y)


def test_name_is_compared_without_case(server: OpenMLServer, toy):
    server.add(7, "Toy", TOY, ["first", "second"])
    assert download_dataset("toy").name == "toy"


def test_other_name_is_refused(server: OpenMLServer, toy, tmp_path):
    server.add(7, "iris", TOY, ["first", "second"])
    with pytest.raises(DatasetError) as caught:
        download_dataset("toy")
    assert str(caught.value) == f"OpenML's data set 7 is 'iris' and not 'toy': {MANUALLY}"
    assert nothing_kept(tmp_path)


@pytest.mark.parametrize(
    ("arff", "labels", "difference"),
    [
        (TOY.replace("p4,1e3,red,YES,FALSE,TRUE\n", ""), ["first", "second"], "toy has 11 instances"),
        (TOY, ["second"], "toy has 4 features, but the catalogue lists 3 for toy; toy has 1 labels"),
        (SPARSE_TOY.replace("{2 7}", "{2 7, 3 TRUE, 4 TRUE}"), ["first", "second"], "toy has 0.500 labels per"),
    ],
)
def test_other_sizes_are_refused(arff, labels, difference, server: OpenMLServer, toy, tmp_path):
    server.add(7, "toy", arff, labels)
    with pytest.raises(DatasetError) as caught:
        download_dataset("toy")
    assert str(caught.value).startswith(f"OpenML's toy is another set and was not kept ({difference}")
    assert str(caught.value).endswith(f"): {MANUALLY}")
    assert nothing_kept(tmp_path)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", [DESCRIPTION, FEATURES, QUALITIES, DATA])
@pytest.mark.parametrize(
    ("failure", "sentence"),
    [
        (404, f"OpenML answered with HTTP 404 when asked for emotions: try again later, or {MANUALLY}"),
        (500, f"OpenML answered with HTTP 500 when asked for emotions: try again later, or {MANUALLY}"),
        (412, None),
        ("truncated", f"What OpenML sent for emotions is damaged or incomplete: try again, or {MANUALLY}"),
        ("garbage", f"What OpenML sent for emotions is damaged or incomplete: try again, or {MANUALLY}"),
        (
            "closed",
            f"OpenML cannot be reached to download emotions: check the network and try again, or {MANUALLY}",
        ),
    ],
    ids=["404", "500", "412", "truncated", "garbage", "closed"],
)
def test_failures_are_one_sentence(path, failure, sentence, server: OpenMLServer, tmp_path):
    server.failures[path.format(id=ID)] = failure
    with pytest.raises(DatasetError) as caught:
        download_dataset("emotions")
    if failure == 412:  # an error of the API on its addresses, a plain one elsewhere
        sentence = (
            f"OpenML answered with HTTP 412 when asked for emotions: try again later, or {MANUALLY}"
            if path == DATA
            else f"OpenML has no data set {ID}, which should be emotions: {MANUALLY}"
        )
    assert str(caught.value) == sentence
    assert nothing_kept(tmp_path)


@pytest.mark.filterwarnings("ignore")
def test_wrong_checksum(server: OpenMLServer, tmp_path):
    server.add(ID, "emotions", EMOTIONS, load_bundled("emotions").label_names, md5="0" * 32)
    with pytest.raises(DatasetError, match=r"^What OpenML sent for emotions is damaged or incomplete: try again, or "):
        download_dataset("emotions")
    assert nothing_kept(tmp_path)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", [DESCRIPTION, DATA])
def test_silent_server_is_given_up(path, server: OpenMLServer, tmp_path):
    server.failures[path.format(id=ID)] = "silent"
    before = socket.getdefaulttimeout()
    with pytest.raises(DatasetError, match=r"^OpenML cannot be reached to download emotions: .*MLFS_DATA\.$"):
        download_dataset("emotions", timeout=0.1)
    assert socket.getdefaulttimeout() == before
    assert nothing_kept(tmp_path)


@pytest.mark.filterwarnings("ignore")
def test_without_network(monkeypatch, tmp_path):
    """No server listens on this port."""
    monkeypatch.setattr(_openml, "time", SimpleNamespace(sleep=lambda seconds: None))
    with reserved_port() as port:
        address = f"http://127.0.0.1:{port}"
        monkeypatch.setattr(_openml, "urlopen", lambda request, *args, **kw: urllib.request.urlopen(address))
        with pytest.raises(DatasetError) as caught:
            download_dataset("birds")
    assert str(caught.value) == (
        f"OpenML cannot be reached to download birds: check the network and try again, or {MANUALLY}"
    )
    assert nothing_kept(tmp_path)


def test_failure_of_a_moment_is_tried_again(server: OpenMLServer):
    """scikit-learn's client retries; here the second request succeeds."""
    failing = server.failures
    failing[DATA.format(id=ID)] = 503
    answer = server.answer

    def recover(handler):
        answer(handler)
        if handler.path.startswith(DATA.format(id=ID)):
            failing.clear()

    server.answer = recover
    with pytest.warns(UserWarning, match="Retrying"):
        assert download_dataset("emotions").name == "emotions"


@pytest.mark.filterwarnings("ignore")
def test_damaged_cache_is_replaced(server: OpenMLServer, tmp_path):
    fingerprint = download_dataset("emotions").fingerprint
    file = tmp_path / "cache" / "emotions.npz"
    file.write_bytes(file.read_bytes()[:1000])
    assert download_dataset("emotions").fingerprint == fingerprint
    assert load_dataset("emotions").name == "emotions"
    assert file.stat().st_size > 1000


def test_two_at_once_download_once(server: OpenMLServer):
    downloaded = []
    threads = [threading.Thread(target=lambda: downloaded.append(download_dataset("emotions"))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(GUARD)
    assert len({ds.fingerprint for ds in downloaded}) == 1
    assert len(downloaded) == 3
    assert sum(path.startswith(DATA.format(id=ID)) for path in server.requests) == 1


def test_own_fetch(toy, tmp_path):
    def fetch(data_id, folder):
        assert data_id == 7
        (folder / "toy.arff").write_text(TOY, encoding="utf-8")
        return Fetched("toy", ["first", "second"], folder / "toy.arff")

    assert download_dataset("toy", fetch=fetch).Y.sum() == 4
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["toy.npz"]


def test_unreadable_file_is_one_sentence(toy, tmp_path):
    def fetch(data_id, folder):
        (folder / "toy.arff").write_text(TOY.replace("1.5", "one"), encoding="utf-8")
        return Fetched("toy", ["first", "second"], folder / "toy.arff")

    with pytest.raises(DatasetError, match=r"^OpenML's file of toy cannot be read: toy\.arff, line 10: 'one' "):
        download_dataset("toy", fetch=fetch)
    assert nothing_kept(tmp_path)


def test_cache_that_cannot_be_written(server: OpenMLServer, tmp_path):
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(DatasetError, match=r"^Cannot write to .*file.* \(.+\): name another .* variable MLFS_CACHE\.$"):
        download_dataset("emotions", cache_folder=tmp_path / "file" / "cache")


def test_disk_full_while_downloading(toy, tmp_path):
    def fetch(data_id, folder):
        raise OSError(28, "No space left on device")

    with pytest.raises(DatasetError, match=r"^Cannot write to .*cache \(No space left on device\): "):
        download_dataset("toy", fetch=fetch)
    assert nothing_kept(tmp_path)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("bird", "No data set called 'bird' can be downloaded: did you mean 'birds'?"),
        ("../birds", "No data set called '../birds' can be downloaded: did you mean 'birds'?"),
        ("medical", f"mlfs has no address to download medical from: {MANUALLY}"),
    ],
)
def test_names(name, sentence):
    with pytest.raises(DatasetError) as caught:
        download_dataset(name)
    assert str(caught.value) == sentence


def test_any_set_by_its_number(server: OpenMLServer, tmp_path):
    server.add(41468, "Toy", TOY, ["first", "second"])
    with pytest.raises(DatasetError, match=r"is not on this machine: get it with download_dataset\('openml:41468'\)\."):
        load_dataset("openml:41468")
    ds = download_dataset("openml:41468")
    assert ds.Y.tolist() == TOY_Y
    assert (ds.name, ds.source) == ("openml:41468", "OpenML data set 41468")
    assert "OpenML calls this data set 'Toy'." in ds.notes
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["openml-41468.npz"]
    assert list_datasets()["openml:41468"] == "downloaded"
    asked = len(server.requests)
    for again in (load_dataset("openml:41468"), download_dataset("openml:41468")):
        assert again.fingerprint == ds.fingerprint
    assert len(server.requests) == asked


def test_a_catalogued_set_by_its_number_is_the_catalogued_set(server: OpenMLServer):
    assert download_dataset(f"openml:{ID}").name == "emotions"
    assert load_dataset(f"openml:{ID}").fingerprint == load_bundled("emotions").fingerprint


def test_numbers_without_labels_or_without_a_set(server: OpenMLServer, tmp_path):
    server.add(7, "toy", TOY, [])
    with pytest.raises(DatasetError, match="OpenML does not say which columns of 'toy' are labels: download its file"):
        download_dataset("openml:7")
    with pytest.raises(DatasetError, match=r"OpenML has no data set 8"):
        download_dataset("openml:8")
    for name in ("openml:0", "openml:x", "openml:../7", "openml:-1"):
        with pytest.raises(DatasetError, match="can be downloaded"):
            download_dataset(name)
    assert nothing_kept(tmp_path)
