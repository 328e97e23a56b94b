"""Times in words."""

import pytest

from mlfs.wording import duration


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
