"""The columns of an uploaded CSV, before it is read: a person picks the labels among them."""

from __future__ import annotations

from collections.abc import Mapping

from mlfs.datasets.readers import csv
from mlfs.datasets.readers.files import InputFile
from mlfs.datasets.readers.gather import format_of, is_labels
from mlfs.datasets.readers.limits import DEFAULT_LIMITS, Limits


def columns_to_choose_from(files: Mapping[str, bytes], limits: Limits = DEFAULT_LIMITS) -> list[str]:
    """The names of the columns of the first CSV; none where there is no CSV, or an XML names the labels.

    >>> columns_to_choose_from({"tiny.csv": b"height,weight,tall\\n1.9,80,1\\n"})
    ['height', 'weight', 'tall']
    >>> columns_to_choose_from({"tiny.arff": b"@relation tiny"})
    []
    """
    tables = [name for name in sorted(files) if format_of(name) == "csv"]
    if not tables or any(map(is_labels, files)):
        return []
    return csv.column_names(InputFile.from_bytes(tables[0], files[tables[0]]), limits)
