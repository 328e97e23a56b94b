"""What stands on the board."""

import pytest
from mlfs.learn.board import check_share, entropy_line

from mlfs.errors import ParameterError


def test_an_empty_cell_adds_no_term():
    assert entropy_line("H(l)", [1.0, 0.0], 0.0) == r"H(l)=-1\log_2 1=0.0000"


@pytest.mark.parametrize("wrong", [-0.1, 1.1, float("nan")])
def test_a_share_lies_between_0_and_1(wrong):
    with pytest.raises(ParameterError, match=r"^copied must be a number from 0 to 1, not "):
        check_share("copied", wrong)
