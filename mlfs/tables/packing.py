"""A small text as one word that fits a link: compressed, in letters that an address leaves alone."""

from __future__ import annotations

import base64
import binascii
import zlib

from mlfs.errors import ParameterError

MOST_LETTERS = 2000  # addresses of more than some 2,000 letters are cut by programs that pass them on
MOST_TEXT = 1 << 20  # a link from a stranger does not unpack to more


def packed(text: str) -> str | None:
    """The word for a text, or None where it would be too long for a link.

    >>> unpacked(packed("data,els\\nflags,0.1\\n"))
    'data,els\\nflags,0.1\\n'
    """
    if len(text) > MOST_TEXT:
        return None
    word = base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).rstrip(b"=").decode()
    return word if len(word) <= MOST_LETTERS else None


def unpacked(word: str) -> str:
    """The text of a word.

    >>> unpacked("nonsense")
    Traceback (most recent call last):
    mlfs.errors.ParameterError: The table in this link is damaged: copy the whole link again.
    """
    try:
        raw = base64.b64decode(word + "=" * (-len(word) % 4), altchars=b"-_", validate=True)
        stream = zlib.decompressobj()
        text = stream.decompress(raw, MOST_TEXT)
        if not stream.eof:
            raise ValueError("cut off, or too much")
        return text.decode()
    except (binascii.Error, zlib.error, ValueError):
        raise ParameterError("The table in this link is damaged: copy the whole link again.") from None
