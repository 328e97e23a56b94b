"""NumPy's archives: arrays by the names that .mat files use, and never a pickle."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest

from mlfs.datasets.formats import Limits
from tests.datasets.formats.support import complaint, read

rng = np.random.default_rng(0)
X, Y = rng.normal(size=(9, 4)), rng.integers(0, 2, (9, 2))


def npz(**arrays) -> bytes:
    np.savez_compressed(file := io.BytesIO(), **arrays)
    return file.getvalue()


def zipped(content: bytes) -> bytes:
    with zipfile.ZipFile(archive := io.BytesIO(), "w") as opened:
        opened.writestr("X.npy", content)
    return archive.getvalue()


@pytest.mark.parametrize("names", [("X", "Y"), ("data", "target"), ("features", "labels")])
def test_names(names):
    ds = read(npz(**dict(zip(names, (X, Y), strict=True))), "toy.npz")
    assert np.array_equal(ds.X, X)
    assert np.array_equal(ds.Y, Y)


def test_parts_types_and_names():
    content = npz(
        X_train=X[:6].astype("f4"),
        y_train=Y[:6] == 1,
        X_test=X[6:].astype("f4"),
        y_test=Y[6:] == 1,
        feature_names=["a", "é", "c", "d"],
        label_names=np.array([b"l", b"m"]),
    )
    ds = read(content, "toy.npz")
    assert np.array_equal(ds.X, X.astype("f4"))
    assert np.array_equal(ds.Y, Y)
    assert [rows.tolist() for rows in ds.split] == [[*range(6)], [6, 7, 8]]
    assert ds.feature_names == ("a", "é", "c", "d")


def test_one_label_and_other_variables():
    ds = read(npz(inputs=X.T, answers=Y[:, 0], junk=np.zeros((2, 2, 2))), "toy.npz", variables=["inputs", "answers"])
    assert np.array_equal(ds.X, X)
    assert np.array_equal(ds.Y, Y[:, :1])


class Trap:
    opened = False

    def __reduce__(self):
        return setattr, (Trap, "opened", True)


def test_pickles_are_never_opened():
    content = npz(X=X, Y=Y, more=np.array([Trap()], dtype=object))
    assert np.array_equal(read(content, "toy.npz").X, X)
    content = npz(X=X, Y=np.array([[Trap()]] * 9, dtype=object))
    assert "'Y' is not a table of numbers" in complaint(content, "toy.npz")
    assert not Trap.opened


def test_limits_before_memory():
    content = npz(X=np.zeros((3000, 3000)), Y=np.zeros((3000, 2)))
    assert "more than 1,000,000 values" in complaint(content, "toy.npz", limits=Limits(max_cells=10**6))
    assert "more than 1,000 rows" in complaint(content, "toy.npz", limits=Limits(max_rows=1000))


def test_a_head_that_promises_more_than_there_is():
    np.save(file := io.BytesIO(), np.zeros((2, 2)))
    lie = file.getvalue().replace(b"(2, 2)", b"(9, 9)")
    assert "it holds no table of numbers" in complaint(zipped(lie), "toy.npz")


@pytest.mark.parametrize("head", [b"(2, 2,,, ", b"(9**9), }"])
def test_a_head_that_nobody_can_read(head):
    """NumPy reads it as Python's literals, and once more where that fails, with other errors."""
    np.save(file := io.BytesIO(), np.zeros((2, 2)))
    content = file.getvalue().replace(b"(2, 2), }", head)
    assert complaint(zipped(content), "toy.npz") == "toy.npz: not a sound .npz; save it again with numpy.savez."


def test_damage():
    content = npz(X=X, Y=Y)
    for broken in (content[:40], content[:-30], b"hello"):
        assert complaint(broken, "toy.npz").startswith("toy.npz: ")


def test_a_wrong_number_is_noticed_where_the_zip_says_that_more_follows():
    """The checksum is compared at the end, which reading no more than the array did not reach."""
    np.savez(file := io.BytesIO(), X=X, Y=Y)
    content = bytearray(file.getvalue())
    content[content.index(X.tobytes())] ^= 1
    place = content.index(b"PK\x01\x02") + 20  # of the list at the end: how much the first member holds, twice
    content[place : place + 8] = (10**8).to_bytes(4, "little") * 2
    assert complaint(bytes(content), "toy.npz") == "toy.npz: not a sound .npz; save it again with numpy.savez."
