"""File formats, plain or compressed, alone, in a folder or in a zip; `FORMATS` lists them.

The flow is the same for every format: `file_groups` finds which files belong together, `input_files` opens and decodes
them, the module of the format (`registry`) parses them into a `ParsedTable`, and `build` turns the table into a
`Dataset` and notes every quirk it met. Files come from strangers, so whatever is wrong ends in a `DatasetError`.
"""

from mlfs.datasets.formats.errors import DEFAULT_LIMITS, Limits
from mlfs.datasets.formats.file_groups import find_datasets
from mlfs.datasets.formats.preview import LabelProposal, TablePreview, preview_files, propose_labels
from mlfs.datasets.formats.read import read_dataset, read_files, sheets_to_choose_from, variables_to_choose_from
from mlfs.datasets.formats.registry import FORMATS, Format
from mlfs.datasets.formats.write import write_dataset

__all__ = [
    "DEFAULT_LIMITS",
    "FORMATS",
    "Format",
    "LabelProposal",
    "Limits",
    "TablePreview",
    "find_datasets",
    "preview_files",
    "propose_labels",
    "read_dataset",
    "read_files",
    "sheets_to_choose_from",
    "variables_to_choose_from",
    "write_dataset",
]
