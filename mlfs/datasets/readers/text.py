"""Bytes → numbered lines of text. UTF-8 is expected, UTF-16 known by its mark, anything else taken for Latin-1."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from itertools import chain

from mlfs.datasets.readers.files import InputFile
from mlfs.datasets.readers.limits import Limits
from mlfs.datasets.readers.problems import problem


def lines(file: InputFile, limits: Limits) -> Iterator[tuple[int, str]]:
    """The lines of a file as (number, text): numbered from 1, without line ends, \\n and \\r\\n and \\r alike."""
    number, pending = 1, ""
    for text in _decoded(file, limits):
        *whole, pending = (pending + text).split("\n")
        for line in whole:
            _check(line, file, number, limits)
            yield number, line
            number += 1
        _check(pending, file, number, limits)
    if pending:
        yield number, pending


def _decoded(file: InputFile, limits: Limits) -> Iterator[str]:
    decoder: codecs.IncrementalDecoder | None = None
    newlines = io.IncrementalNewlineDecoder(None, translate=True)
    for chunk in chain(file.chunks(limits), [b""]):
        is_last = not chunk
        if decoder is None:
            is_utf16 = chunk.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
            decoder = codecs.getincrementaldecoder("utf-16" if is_utf16 else "utf-8-sig")()
        try:
            text = decoder.decode(chunk, is_last)
        except UnicodeDecodeError as error:
            if is_utf16:
                raise problem(file.name, None, "not valid UTF-16; save it as UTF-8.") from error
            # All before was valid, so only now is it known; `object` begins with the bytes the decoder held back.
            file.is_latin1 = True
            text = error.object.decode("latin-1")
            decoder = codecs.getincrementaldecoder("latin-1")()
        yield newlines.decode(text, is_last)


def _check(line: str, file: InputFile, number: int, limits: Limits) -> None:
    if number > limits.max_lines:
        raise problem(
            file.name, number, "more lines than the limits allow; take a part of the rows, or raise max_rows."
        )
    if len(line) > limits.max_line_length:
        sentence = f"longer than {limits.max_line_length:,} characters; is this a text file with line ends?"
        raise problem(file.name, number, sentence)
    if "\0" in line:
        raise problem(file.name, number, "binary data where text is expected; save the data set as a text file.")
