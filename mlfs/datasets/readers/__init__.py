"""Readers: Mulan ARFF + XML, MEKA ARFF, CSV, LibSVM, plain or compressed, alone, in a folder or in a zip.

The flow is the same for every format: `files` opens and decodes, `gather` finds which files belong together,
`arff`, `csv` and `libsvm` parse them into a `Table` of columns, and `assemble` turns the table into a `Dataset`
and notes every quirk it met. Files come from strangers, so whatever is wrong ends in a `DatasetError`.
"""

from mlfs.datasets.readers.header import columns_to_choose_from
from mlfs.datasets.readers.limits import DEFAULT_LIMITS, Limits
from mlfs.datasets.readers.locate import find_datasets
from mlfs.datasets.readers.read import read_dataset, read_files

__all__ = ["DEFAULT_LIMITS", "Limits", "columns_to_choose_from", "find_datasets", "read_dataset", "read_files"]
