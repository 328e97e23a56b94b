"""Opening files from strangers: what they are, their uncompressed bytes under a running limit, and their lines.

What a file is, is decided by its first bytes rather than by its name: browsers unpack downloads without renaming them.
"""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import IO, Any

from mlfs.datasets.formats.errors import Limits, file_error, shortened, shown_file
from mlfs.errors import DatasetError

_COMPRESSED_SUFFIXES = (".gz", ".bz2", ".xz")

# All that the standard library is known to raise on damaged compressed data.
DAMAGE = (
    OSError,
    EOFError,
    ValueError,
    OverflowError,
    RuntimeError,  # NotImplementedError too: a method of compression that Python lacks
    struct.error,
    zlib.error,
    lzma.LZMAError,
    zipfile.BadZipFile,
)

_CHUNK = 1024**2
_HEAD = 1024
_ZIP_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
_DECOMPRESSORS: dict[bytes, Callable[[IO[bytes]], Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": lambda stored: io.BufferedReader(_CompressedStreams(stored, bz2.BZ2Decompressor)),
    b"\xfd7zXZ\x00": lambda stored: io.BufferedReader(_CompressedStreams(stored, lzma.LZMADecompressor, padding=b"\0")),
}
_PICKLE = "can hold a pickle, which may run any program when it is opened, so mlfs never does; save it as CSV or ARFF."
_ARCHIVE = "is an archive that mlfs does not open; unpack it and choose the folder, or pack it as a zip."
_SPREADSHEET = "is a spreadsheet of a kind that mlfs does not read; save it as .xlsx or CSV."
_REFUSED_SUFFIXES = {
    **dict.fromkeys((".pkl", ".pickle", ".joblib", ".npy"), _PICKLE),
    **dict.fromkeys((".rar", ".7z", ".tar", ".tgz"), _ARCHIVE),
    **dict.fromkeys((".xls", ".ods"), _SPREADSHEET),
}
_REFUSED_MAGIC = {
    **{bytes([0x80, protocol]): _PICKLE for protocol in range(2, 6)},
    b"\x93NUMPY": _PICKLE,
    b"\xd0\xcf\x11\xe0": _SPREADSHEET,
    b"Rar!": _ARCHIVE,
    b"7z\xbc\xaf": _ARCHIVE,
    **dict.fromkeys(_ZIP_MAGIC, "is a zip where a data file should be; give the zip alone, or its files unpacked."),
}


class InputFile:
    """A file on disk, in a zip or in memory: its name for messages, and how to open it, as often as needed."""

    def __init__(self, name: str, opener: Callable[[], IO[bytes]]) -> None:
        self.name = shown_file(name)
        self.is_latin1 = False  # set by `lines`
        self._opener = opener

    @classmethod
    def from_path(cls, path: Path) -> InputFile:
        def open_regular() -> IO[bytes]:
            # A pipe or a device may never end.
            if not stat.S_ISREG(path.stat().st_mode):
                raise OSError("it is not a regular file")
            return path.open("rb")

        return cls(path.name, open_regular)

    @classmethod
    def from_bytes(cls, name: str, content: bytes) -> InputFile:
        return cls(name, lambda: io.BytesIO(content))

    def open(self) -> IO[bytes]:
        """The bytes as they are stored, compressed or not."""
        try:
            return self._opener()
        except DAMAGE as error:
            reason = getattr(error, "strerror", None) or shortened(str(error), 80)  # zipfile quotes what it met
            raise file_error(
                self.name, None, f"cannot be opened ({reason}); check the file and your permissions."
            ) from error

    def is_zip(self) -> bool:
        with self.open() as stored:
            return self._read(stored, 4) in _ZIP_MAGIC

    def refuse_by_name(self) -> None:
        """Raise for the kinds of file that are not even opened."""
        for suffix, sentence in _REFUSED_SUFFIXES.items():
            if without_compression(self.name).lower().endswith(suffix):
                raise DatasetError(f"{self.name} {sentence}")

    def head(self, limits: Limits) -> bytes:
        """The first bytes of the uncompressed content."""
        return next(self.chunks(limits, text=False))[:_HEAD]

    def content(self, limits: Limits) -> bytes:
        """The whole uncompressed content of a file that is no text."""
        return b"".join(self.chunks(limits, text=False))

    def chunks(self, limits: Limits, *, text: bool = True) -> Iterator[bytes]:
        """The uncompressed content piece by piece, until its end or the limit."""
        size = 0
        with self.open() as stored, self._decompressed(stored) as stream:
            while chunk := self._read(stream, _CHUNK):
                if size == 0 and text:
                    self.refuse_by_content(chunk)
                size += len(chunk)
                if size > limits.max_bytes:
                    remedy = "use fewer rows, or raise max_bytes."
                    raise file_error(self.name, None, f"larger than {limits.max_bytes:,} bytes uncompressed; {remedy}")
                yield chunk
        if size == 0:
            raise file_error(self.name, None, "the file is empty; choose another.")

    def _decompressed(self, stored: IO[bytes]) -> Any:
        head = self._read(stored, 6)
        stored.seek(0)
        for magic, decompressor in _DECOMPRESSORS.items():
            if head.startswith(magic):
                return decompressor(stored)
        return stored

    def _read(self, stream: IO[bytes], size: int) -> bytes:
        try:
            return stream.read(size)
        except DAMAGE as error:
            reason = shortened(str(error), 80) or type(error).__name__
            sentence = f"damaged or cut off ({reason}); download or zip it again."
            raise file_error(self.name, None, sentence) from error

    def refuse_by_content(self, head: bytes) -> None:
        """Raise for the kinds of file that are known by their first bytes and never read."""
        for magic, sentence in _REFUSED_MAGIC.items():
            if head.startswith(magic):
                raise DatasetError(f"{self.name} {sentence}")


class _CompressedStreams(io.RawIOBase):
    """What one or several compressed streams in a row hold, to the last byte of the file.

    Python's own readers take whatever follows the first stream for rubbish where they cannot read it, and are silent.
    To be read through a buffer: a short stream gives less than was asked for.
    """

    def __init__(self, stored: IO[bytes], new: Callable[[], Any], padding: bytes = b"") -> None:
        self._stored = stored
        self._new = new
        self._padding = padding  # may stand between streams and after the last
        self._stream = new()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece = self._piece(len(buffer))
        buffer[: len(piece)] = piece
        return len(piece)

    def _piece(self, size: int) -> bytes:
        """At most so many bytes; none at the end."""
        while True:
            if self._stream.eof:
                waiting = self._stream.unused_data.lstrip(self._padding)
                while not waiting and (block := self._stored.read(_CHUNK)):
                    waiting = block.lstrip(self._padding)
                if not waiting:
                    return b""
                self._stream = self._new()
            else:
                waiting = self._stored.read(_CHUNK) if self._stream.needs_input else b""
                if self._stream.needs_input and not waiting:
                    raise EOFError("the compressed data end too early")
            if piece := self._stream.decompress(waiting, size):
                return piece


def without_compression(name: str) -> str:
    """The name that the uncompressed file would have.

    >>> without_compression("emotions.arff.xz")
    'emotions.arff'
    """
    for suffix in _COMPRESSED_SUFFIXES:
        if name.lower().endswith(suffix):
            return name[: -len(suffix)]
    return name


def lines(file: InputFile, limits: Limits) -> Iterator[tuple[int, str]]:
    """The lines of a file as (number, text): numbered from 1, without line ends, \\n and \\r\\n and \\r alike.

    UTF-8 is expected, UTF-16 known by its mark, anything else taken for Latin-1.
    """
    number, pending = 1, ""
    for text in _decoded(file, limits):
        *whole, pending = (pending + text).split("\n")
        for line in whole:
            _check_line(line, file, number, limits)
            yield number, line
            number += 1
        _check_line(pending, file, number, limits)
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
                raise file_error(file.name, None, "not valid UTF-16; save it as UTF-8.") from error
            # All before was valid, so only now is it known; `object` begins with the bytes the decoder held back.
            file.is_latin1 = True
            text = error.object.decode("latin-1")
            decoder = codecs.getincrementaldecoder("latin-1")()
        yield newlines.decode(text, is_last)


def _check_line(line: str, file: InputFile, number: int, limits: Limits) -> None:
    if number > limits.max_lines:
        raise file_error(file.name, number, "more lines than the limits allow; use fewer rows, or raise max_rows.")
    if len(line) > limits.max_line_length:
        sentence = f"longer than {limits.max_line_length:,} characters; is this a text file with line ends?"
        raise file_error(file.name, number, sentence)
    if "\0" in line:
        raise file_error(file.name, number, "binary data where text is expected; save the data set as a text file.")
