"""What controls say of a parameter is for people: no code, and no letter of a formula made a capital."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest

from mlfs.selectors import SELECTORS
from pages.parts.controls import parameter_help

# Words and numbers of programs, and letters that are capitals only because they begin a sentence.
CODE = re.compile(r"\b(True|False|None)\b|\d+e[+-]?\d|\w_\w|[ΑΒΓΚΛΜ]")


@pytest.mark.parametrize("method", SELECTORS)
def test_help_is_a_sentence_without_code(method):
    for parameter in SELECTORS[method].parameters.values():
        said = parameter_help(parameter, defaultdict(lambda: 12))
        assert said.endswith("."), (parameter.name, said)
        assert not CODE.search(said), (parameter.name, said)
