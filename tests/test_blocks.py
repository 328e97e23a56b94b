"""Work in shares: each item once, in order, on as many threads as are allowed."""

import threading

import pytest

from mlfs.blocks import at_most_threads, each, ranges


@pytest.mark.parametrize("count", [0, 1, 2, 7])
@pytest.mark.parametrize("n_jobs", [None, 1, 2, 3, -1])
def test_each_item_has_its_result_in_its_place(count, n_jobs):
    assert each(lambda item: item * item, list(range(count)), n_jobs) == [item * item for item in range(count)]


def test_an_error_of_any_share_is_raised():
    with pytest.raises(ZeroDivisionError):
        each(lambda item: 1 / item, [3, 2, 1, 0], 3)


def test_fewer_threads_where_others_want_the_cores():
    with at_most_threads(1):
        assert set(each(lambda _: threading.get_ident(), [0, 1, 2, 3], 4)) == {threading.get_ident()}
    assert len(set(each(lambda _: threading.get_ident(), [0, 1], 2))) == 2


def test_ranges_cover_all_once():
    assert list(ranges(7, 3)) == [(0, 3), (3, 6), (6, 7)]
