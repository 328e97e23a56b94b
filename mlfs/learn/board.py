"""How a number is worked out on the board: LaTeX with the numbers put in."""

from __future__ import annotations

from collections.abc import Sequence

from mlfs.errors import ParameterError


def entropy_line(name: str, shares: Sequence[float], value: float) -> str:
    r"""An entropy in bits with its shares put in; a share of 0 adds nothing and is left out.

    >>> entropy_line("H(f)", [0.5, 0.5, 0], 1.0)
    'H(f)=-0.5\\log_2 0.5-0.5\\log_2 0.5=1.0000'
    """
    terms = "".join(rf"-{share:.4g}\log_2 {share:.4g}" for share in shares if share > 0)
    return f"{name}={terms}={value:.4f}"


def subscript(position: int) -> str:
    """
    >>> subscript(0), subscript(11)
    ('₁', '₁₂')
    """
    return str(position + 1).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))


def check_share(name: str, value: float) -> None:
    """Raise ParameterError for anything but a share of the whole."""
    if not 0 <= value <= 1:
        raise ParameterError(f"{name} must be a number from 0 to 1, not {value!r}.")
