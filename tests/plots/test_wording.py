"""Names and numbers, as figures write them."""

import pytest

from mlfs.plots.wording import duration, level, short, short_all


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (float("nan"), "–"),
        (1e-7, "0.1 µs"),
        (0.9996e-3, "1 ms"),
        (0.9996, "1 s"),
        (9.96, "10 s"),
        (59.96, "1 min"),
        (3599.6, "1 h"),
        (7260, "2 h 1 min"),
    ],
)
def test_duration_never_rounds_up_to_a_whole_next_unit(seconds, words):
    assert duration(seconds) == words


def test_level_of_zero_and_negative():
    assert (level(0), level(-1), level(2e-4)) == ("0", "−1", "0.0002")


def test_short_keeps_both_ends_and_the_length():
    assert short("abcdefghij", 5) == "ab…ij"
    assert short("abcde", 5) == "abcde"


def test_short_all_keeps_names_apart():
    names = [f"Mean_Acc1298_{kind}_Mem40_MFCC_{i}" for kind in ("Mean", "Std") for i in range(13)]
    cut = short_all(names)
    assert len(set(cut)) == len(names)
    assert max(map(len, cut)) <= 22
    assert cut[0] == "Mean_…_Mean_…_MFCC_0"


def test_short_all_gives_room_where_the_middle_is_the_difference():
    names = ["a" * 15 + middle + "z" * 15 for middle in "xy"]
    assert short_all(names, 28) != [short(name, 28) for name in names]


def test_short_all_of_equal_names():
    assert short_all(["a", "a"]) == ["a", "a"]
