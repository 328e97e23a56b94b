"""Numbers as text that reads back to the same bits."""

from __future__ import annotations


def number_text(value: float) -> str:
    """The shortest text for exactly this number.

    >>> number_text(0.1), number_text(3.0), number_text(1e-05)
    ('0.1', '3', '1e-05')
    """
    return repr(float(value)).removesuffix(".0")
