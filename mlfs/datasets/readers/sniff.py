"""The format of a file whose name does not tell, from its first line."""

from __future__ import annotations

import re

from mlfs.datasets.readers.files import InputFile
from mlfs.datasets.readers.limits import Limits
from mlfs.datasets.readers.problems import problem
from mlfs.datasets.readers.text import lines

_ARFF_KEYWORD = re.compile(r"@(relation|attribute)\b", re.IGNORECASE)
_LIBSVM_ROW = re.compile(r"(^|\s)[0-9]+:\S|^[0-9]+ [0-9]+ [0-9]+$")
_DELIMITER = re.compile(r"[,;\t|]")


def sniff_format(file: InputFile, limits: Limits) -> str:
    """``arff``, ``libsvm`` or ``csv``."""
    for _, line in lines(file, limits):
        line = line.strip()
        if not line or line[0] in "%#":
            continue
        for format, pattern in (("arff", _ARFF_KEYWORD), ("libsvm", _LIBSVM_ROW), ("csv", _DELIMITER)):
            if pattern.search(line):
                return format
        break
    raise problem(file.name, None, "its format is not known; name it .arff, .csv or .libsvm, or give the format.")
