"""Data files inside a zip, read in place: nothing is unpacked to disk, and tricks with names are refused."""

from __future__ import annotations

import stat
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import PurePosixPath

from mlfs.datasets.readers.files import DAMAGE, InputFile
from mlfs.datasets.readers.gather import is_data_or_labels
from mlfs.datasets.readers.limits import Limits
from mlfs.datasets.readers.problems import problem, show


@contextmanager
def files_in_zip(archive: InputFile, limits: Limits) -> Iterator[dict[str, InputFile]]:
    """The data and label files of a zip by their path in it, readable while the context lasts."""
    with archive.open() as stored:
        try:
            opened = zipfile.ZipFile(stored)
        except DAMAGE as error:
            raise problem(archive.name, None, f"not a sound zip ({error}); fetch or pack it again.") from error
        with opened:
            members = [member for member in opened.infolist() if not member.filename.endswith("/")]
            _refuse_tricks(archive, members)
            wanted = [member for member in members if _is_wanted(member.filename)]
            if sum(member.file_size for member in wanted) > limits.max_bytes:
                remedy = "take a part of the rows, or raise max_bytes."
                raise problem(archive.name, None, f"unpacks to more than {limits.max_bytes:,} bytes; {remedy}")
            yield {
                member.filename: InputFile(f"{archive.name}/{member.filename}", partial(opened.open, member))
                for member in wanted
            }


def _refuse_tricks(archive: InputFile, members: list[zipfile.ZipInfo]) -> None:
    uses = Counter(member.filename for member in members)
    for member in members:
        path = PurePosixPath(member.filename.replace("\\", "/"))
        trick = None
        if path.is_absolute() or ".." in path.parts or ":" in member.filename:
            trick = "a path that leads out of the archive"
        elif stat.S_ISLNK(member.external_attr >> 16):
            trick = "a link"
        elif member.flag_bits & 0x1:
            trick = "encrypted"
        elif uses[member.filename] > 1:
            trick = "there twice"
        if trick:
            sentence = f"the member {show(member.filename)} is {trick}; pack the plain data files again."
            raise problem(archive.name, None, sentence)


def _is_wanted(name: str) -> bool:
    # Hidden files, and the shadows that macOS adds to a zip, are nobody's data.
    is_clutter = any(part.startswith((".", "__MACOSX")) for part in PurePosixPath(name).parts)
    return is_data_or_labels(name) and not is_clutter
