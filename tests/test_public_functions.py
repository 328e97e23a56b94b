"""What `help()` shows of the public functions: every parameter by its name, what comes back, and an example."""

import inspect
import re
from importlib import import_module

import pytest

FUNCTIONS = [
    (package, name)
    for package in ("mlfs.datasets", "mlfs.statistics", "mlfs.tables")
    for name in import_module(package).__all__
    if inspect.isfunction(getattr(import_module(package), name))
]


def section(text: str, title: str) -> str:
    """The lines below a title of numpydoc, up to the next one; a function lacks it where it is empty."""
    below = re.search(rf"^{title}\n-+\n(.*?)(?=^\w+\n-+\n|\Z)", text, flags=re.M | re.S)
    return below[1] if below else ""


@pytest.mark.parametrize(("package", "name"), FUNCTIONS)
def test_parameters_returns_and_examples(package, name):
    function = getattr(import_module(package), name)
    text = inspect.getdoc(function) or ""
    names = re.findall(r"^([\w, ]+?) :", section(text, "Parameters"), flags=re.M)
    documented = [word for line in names for word in line.split(", ")]
    assert documented == list(inspect.signature(function).parameters)
    assert section(text, "Returns").strip()
    assert ">>>" in section(text, "Examples")
