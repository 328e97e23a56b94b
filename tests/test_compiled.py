"""Loops that are compiled late must be the same loops."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from mlfs.compiled import compiled

SHIFT = 3


@compiled
def total(values):
    found = 0.0
    for value in values:
        found += shifted(value)
    return found


@compiled
def shifted(value):
    return value + SHIFT


def test_loops_call_each_other_whatever_their_order():
    assert total(np.arange(4.0)) == 6 + 4 * SHIFT
    assert shifted(1.0) == 1 + SHIFT


def test_a_loop_is_what_was_written():
    assert (total.__name__, total.__module__) == ("total", __name__)
    assert total.__wrapped__(np.arange(4.0)) == 6 + 4 * SHIFT


def test_a_full_disk_stops_no_loop(monkeypatch):
    """Numba keeps what it has compiled on disk, and fails where it cannot."""

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("numba.core.caching.FunctionCache.save_overload", full)
    outer, inner = compiled(total.__wrapped__), compiled(shifted.__wrapped__)
    monkeypatch.setitem(globals(), "shifted", inner)
    assert outer(np.arange(4)) == 6 + 4 * SHIFT
    assert inner(1) == 1 + SHIFT


def test_threads_share_one_compilation():
    @compiled
    def double(value):
        return 2 * value

    with ThreadPoolExecutor(4) as pool:
        machines = set(pool.map(lambda _: double._compile(), range(8)))
    assert len(machines) == 1
    assert double(4) == 8


def test_numba_waits_for_the_first_call():
    script = (
        "import sys\n"
        "from mlfs.classifiers.nearest import nearest\n"
        "assert 'numba' not in sys.modules\n"
        "import numpy as np\n"
        "nearest(np.eye(4), np.eye(4), [4], 1)\n"
        "assert 'numba' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
