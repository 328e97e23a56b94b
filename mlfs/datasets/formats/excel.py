"""Excel: the first sheet of an .xlsx, a header and the rows below it. It needs openpyxl, which is optional."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from mlfs.datasets.formats.csv import is_header
from mlfs.datasets.formats.errors import Limits, excerpt, file_error, optional_library
from mlfs.datasets.formats.frames import check_size, read_frames
from mlfs.datasets.formats.input_files import InputFile
from mlfs.datasets.formats.parsed_table import ParsedTable
from mlfs.errors import DatasetError

if TYPE_CHECKING:
    import pandas as pd

_MAX_BYTES = 256 * 1024**2  # of XML, of which every cell becomes an object


def read(files: Sequence[InputFile], limits: Limits) -> ParsedTable:
    """The table in one workbook, or in a training and a test part with the same header."""
    notes: list[str] = []
    table = read_frames([(file.name, _frame(file, limits, notes)) for file in files], limits)
    table.notes += notes
    return table


def column_names(file: InputFile, limits: Limits) -> list[str]:
    """The header of a file, or the names that its columns are given where it has none."""
    return list(_frame(file, limits, [], most_rows=1).columns)


def _frame(file: InputFile, limits: Limits, notes: list[str], most_rows: int | None = None) -> pd.DataFrame:
    import pandas as pd

    openpyxl = optional_library("openpyxl", file.name, "an Excel file")
    content = file.content(replace(limits, max_bytes=min(limits.max_bytes, _MAX_BYTES)))
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            size = sum(member.file_size for member in archive.infolist())
        if size > min(limits.max_bytes, _MAX_BYTES):
            raise file_error(file.name, None, "too large uncompressed; take a part of the rows, or save it as CSV.")
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        sheet = book.worksheets[0]
        # The size that a sheet gives itself may be wrong; the rows are counted as they come.
        rows = sheet.iter_rows(values_only=True)
        filled = ([*row] for row in rows if any(cell is not None for cell in row))
        most = min(limits.max_rows, most_rows or limits.max_rows) + 2
        first = next(filled, [])
        width = len(first)
        check_size(file.name, 1, width, limits)
        most = min(most, limits.max_cells // width + 2)
        table = [row[:width] + [None] * (width - len(row)) for row in islice(filled, most)]
    except (DatasetError, MemoryError):
        raise
    except Exception as error:  # openpyxl raises many kinds on a damaged file, all with the same remedy
        raise file_error(file.name, None, "not a sound Excel file; save it again, or as CSV.") from error
    others = [excerpt(other.title) for other in book.worksheets[1:]]
    if others:
        notes.append(f"Of {file.name} the first sheet was read, {excerpt(sheet.title)}, and not {', '.join(others)}.")
    names = ["" if cell is None else str(cell).strip() for cell in first]
    if not is_header(names):
        table.insert(0, first)
        names = [f"column {place}" for place in range(1, width + 1)]
        notes.append("The file has no header row: its columns are named by their place.")
    return pd.DataFrame(table, columns=names, dtype=object)
