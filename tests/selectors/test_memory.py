"""What methods say of their memory before they start, against what they take."""

import tracemalloc
import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from mlfs.errors import TooLargeError
from mlfs.selectors import SELECTORS, base, make_selector, relief, spfs
from mlfs.selectors.parts import design, differences, distances, latent

# Many rows, or many features: a table of all pairs takes 67 times as much as X, numbers of 8 bytes each.
LONG, SHORT, LABELS = 800, 12, 3
# So many arrays of the size of X, Y or a column per label may a method have at one time, and these bytes beside.
ARRAYS, REST = 24, 1 << 20


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    """What is done in blocks takes a block's memory, however large the data: small ones are told from tables."""
    blocks = [(latent, "BLOCK_BYTES"), (design, "BLOCK_BYTES"), (differences, "BLOCK_CELLS"), (spfs, "BLOCK")]
    blocks += [(relief, "BLOCK_CELLS"), (distances, "CLOSE_NUMBERS")]
    monkeypatch.setattr(distances, "BLOCK", 64)
    for module, name in blocks:
        monkeypatch.setattr(module, name, 1 << 12)


def data(n, d):
    rng = np.random.default_rng(0)
    return rng.random((n, d)), (rng.random((n, LABELS)) < 0.4).astype(np.int8)


def quick(method):
    early = {"max_iter": 3, "n_trees": 3, "n_features_to_select": 3}
    return make_selector(method, **{name: early[name] for name in early if name in SELECTORS[method].parameters})


@pytest.mark.parametrize("method", SELECTORS)
@pytest.mark.parametrize(("n", "d"), [(SHORT, LONG), (LONG, SHORT)], ids=["features", "rows"])
def test_takes_no_more_memory_than_it_says(method, n, d):
    assert taken(method, *data(n, d)) <= said(method, n, d) + linear(n * d, n + d)


@pytest.mark.parametrize("method", SELECTORS)
def test_sparse_data_are_not_filled_up(method):
    """Nor is there a table of all pairs that it does not speak of: each takes 3.7 MiB, what is allowed beside 2.3."""
    size = 700
    X, Y = sparse.random(size, size, 0.005, format="csr", random_state=0), data(size, 1)[1]
    assert taken(method, X, Y) <= said(method, size, size) + linear(X.nnz, 2 * size)


def taken(method, X, Y):
    """The most bytes that a fit holds at one time."""
    selector = quick(method)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.filterwarnings("ignore", message="No labelset occurs")
        # What is loaded or compiled at the first call is not the method's.
        selector.fit(X[:SHORT, :SHORT], Y[:SHORT])
        tracemalloc.start()
        selector.fit(X, Y)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    return peak


def said(method, n, d):
    return quick(method).required_bytes({"instances": n, "features": d, "labels": LABELS})


def linear(entries, lines):
    """What any method may take for data of so many entries, rows and columns together."""
    return 8 * ARRAYS * (entries + lines * LABELS) + REST


@pytest.mark.parametrize("method", SELECTORS)
def test_says_so_before_it_starts(method, monkeypatch):
    X, Y = data(30, 20)
    needed = quick(method).required_bytes({"instances": 30, "features": 20, "labels": LABELS})
    monkeypatch.setattr(base, "MEMORY_LIMIT", 0)
    monkeypatch.setattr(SELECTORS[method], "_evidence", lambda *_: pytest.fail("it started"))
    if needed:
        with pytest.raises(TooLargeError, match=f"{method} would need .* GiB for 30 instances, 20 features and 3"):
            quick(method).fit(X, Y)
