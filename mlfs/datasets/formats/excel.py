"""Excel: a sheet of an .xlsx, a header and the rows below it. It needs openpyxl, which is optional."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from mlfs.datasets.formats.csv import is_header
from mlfs.datasets.formats.errors import Limits, excerpt, file_error, listing, optional_library
from mlfs.datasets.formats.frames import check_size, read_frames
from mlfs.datasets.formats.input_files import InputFile
from mlfs.datasets.formats.parsed_table import ParsedTable
from mlfs.errors import DatasetError, did_you_mean

if TYPE_CHECKING:
    import pandas as pd

_MAX_BYTES = 256 * 1024**2  # of XML, of which every cell becomes an object


def read(files: Sequence[InputFile], limits: Limits, sheet: str | int | None = None) -> ParsedTable:
    """The table in one workbook, or in a training and a test part with the same header.

    Parameters
    ----------
    sheet : its name, or its number from 1; the first where it is not given
    """
    notes: list[str] = []
    table = read_frames([(file.name, _frame(file, limits, sheet, notes)) for file in files], limits)
    table.notes += notes
    return table


def sheets(file: InputFile, limits: Limits) -> list[str]:
    """The names of the sheets, in their order."""
    with _workbook(file, limits) as workbook:
        return [sheet.title for sheet in workbook]


@contextmanager
def _workbook(file: InputFile, limits: Limits) -> Iterator[list[Any]]:
    """The sheets of a file; what is wrong with it, also while they are read, ends in a sentence."""
    openpyxl = optional_library("openpyxl", file.name, "an Excel file")
    content = file.content(replace(limits, max_bytes=min(limits.max_bytes, _MAX_BYTES)))
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            size = sum(member.file_size for member in archive.infolist())
        if size > min(limits.max_bytes, _MAX_BYTES):
            raise file_error(file.name, None, "too large uncompressed; use fewer rows, or save it as CSV.")
        yield openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True).worksheets
    except (DatasetError, MemoryError):
        raise
    except Exception as error:  # openpyxl raises many kinds on a damaged file, all with the same remedy
        raise file_error(file.name, None, "not a valid Excel file; save it again, or as CSV.") from error


def _frame(file: InputFile, limits: Limits, asked: str | int | None, notes: list[str]) -> pd.DataFrame:
    import pandas as pd

    with _workbook(file, limits) as workbook:
        titles = [sheet.title for sheet in workbook]
        place = 0 if asked is None else _place(file.name, titles, asked)
        # The size that a sheet gives itself may be wrong; the rows are counted as they come.
        rows = workbook[place].iter_rows(values_only=True)
        filled = ([*row] for row in rows if any(cell is not None for cell in row))
        first = next(filled, [])
        width = len(first)
        check_size(file.name, 1, width, limits)
        most = min(limits.max_rows, limits.max_cells // width) + 2
        table = [row[:width] + [None] * (width - len(row)) for row in islice(filled, most)]
    if len(titles) > 1:
        others = listing([excerpt(title) for other, title in enumerate(titles) if other != place])
        notes.append(f"Of {file.name} the sheet {excerpt(titles[place])} was read, and not {others}.")
    names = ["" if cell is None else str(cell).strip() for cell in first]
    if not is_header(names):
        table.insert(0, first)
        names = [f"column {place}" for place in range(1, width + 1)]
        notes.append("The file has no header row: its columns are named by their place.")
    return pd.DataFrame(table, columns=names, dtype=object)


def _place(file: str, titles: Sequence[str], asked: str | int) -> int:
    """Where the sheet stands that is asked for by its name or, from 1 on, by its number."""
    if asked in titles:
        return titles.index(str(asked))
    numbers = [str(place) for place in range(1, len(titles) + 1)]
    if str(asked) in numbers:
        return numbers.index(str(asked))
    raise file_error(file, None, f"it has no sheet {excerpt(str(asked))}; {did_you_mean(str(asked), titles[:20])}")
