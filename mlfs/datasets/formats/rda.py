"""R's .rda and .RData: an object of the package mldr, or a data frame. It needs rdata, which is optional.

rdata parses the file and runs nothing in it. Of an mldr object the measures that R adds to each row are left out.
It makes an object of every word, some ten microseconds each: a set with a million words takes ten seconds, one with
factors in their place a fraction of that.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mlfs.datasets.formats.errors import Limits, count, file_error, listing, optional_library
from mlfs.datasets.formats.frames import read_frames
from mlfs.datasets.formats.input_files import InputFile
from mlfs.datasets.formats.parsed_table import ParsedTable
from mlfs.errors import DatasetError

if TYPE_CHECKING:
    import pandas as pd

_MEASURES = (".labelcount", ".SCUMBLE")
_SEQUENCES = (b"compact_intseq", b"compact_realseq")  # stored as their length, first and step


class _Found(NamedTuple):
    """A data frame, and the places of its labels where it is an mldr object's."""

    frame: pd.DataFrame
    labels: list[int] | None


def read(files: Sequence[InputFile], limits: Limits) -> ParsedTable:
    """The table in one file, or in a training and a test part with the same columns."""
    tables = [_find(file, limits) for file in files]
    table = read_frames([(file.name, each.frame) for file, each in zip(files, tables, strict=True)], limits)
    table.labels = tables[0].labels
    return table


def _find(file: InputFile, limits: Limits) -> _Found:
    rdata = optional_library("rdata", file.name, "an R file")
    rdata.parser._parser.Parser._parse_bytecode = _refuse_bytecode
    import pandas as pd

    content = file.content(limits)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of R's classes that rdata does not know, such as mldr itself
            parsed = rdata.parser.parse_data(
                content, altrep_constructor_dict=_bounded(rdata, file.name, limits), extension=".rda"
            )
            factors = dict.fromkeys(("factor", "ordered"), _factor)
            objects = rdata.conversion.convert(parsed, {**rdata.conversion.DEFAULT_CLASS_MAP, **factors})
        if not isinstance(objects, Mapping):
            objects = {file.name: objects}
        sets = {name: each for name, each in objects.items() if isinstance(each, Mapping) and "dataset" in each}
        if len(sets) == 1:
            return _mldr(next(iter(sets.values())))
        frames = {name: each for name, each in objects.items() if isinstance(each, pd.DataFrame)}
        if not sets and len(frames) == 1:
            return _Found(next(iter(frames.values())), None)
    except (MemoryError, DatasetError):
        raise
    except Exception as error:  # a damaged file fails in many ways, all with the same remedy
        raise file_error(file.name, None, "not a valid R file; in R, save the mldr object again.") from error
    names = listing([str(name) for name in objects])
    raise file_error(file.name, None, f"it holds {names}, and not one mldr object or data frame; save that alone.")


def _factor(codes: Any, attributes: Mapping[str, Any]) -> pd.Categorical:
    """In place of rdata's own, which takes the code 0, by which rdata itself writes a gap, for the last level."""
    import pandas as pd

    codes = np.asarray(codes)
    return pd.Categorical.from_codes(np.where(codes > 0, codes - 1, -1), attributes["levels"])


def _refuse_bytecode(*_: Any) -> Any:
    """In place of rdata's own, which makes a list of any length that a file names; tables hold no programs."""
    raise ValueError("compiled R code")


def _bounded(rdata: Any, file: str, limits: Limits) -> dict[bytes, Callable[[Any], Any]]:
    """How the short forms of R become vectors; a sequence says its length, which is looked at first."""
    known = dict(rdata.parser.DEFAULT_ALTREP_MAP)
    for name in _SEQUENCES:

        def checked(state: Any, build: Callable[[Any], Any] = known[name]) -> Any:
            if state.value[0] > limits.max_rows:
                many = count(limits.max_rows, "row")
                raise file_error(file, None, f"more than {many}; use fewer, or raise max_rows.")
            return build(state)

        known[name] = checked
    return known


def _mldr(stored: Mapping[str, Any]) -> _Found:
    frame = stored["dataset"]
    indices = [int(place) - 1 for place in stored["labels"]["index"]]  # R counts from 1
    labels = [frame.columns[place] for place in indices]
    frame = frame.drop(columns=[name for name in _MEASURES if name in frame.columns])
    return _Found(frame, sorted(frame.columns.get_loc(name) for name in labels))
