"""What the public names of the library say of themselves; the methods have a test of their own."""

from __future__ import annotations

import inspect
import re

import pytest

from mlfs import classifiers, datasets, information, metrics, selectors, statistics, tables
from mlfs.evaluation import loss_curve

PUBLIC = {
    f"{package.__name__}.{name}": getattr(package, name)
    for package in (classifiers, datasets, information, metrics, selectors, statistics, tables)
    for name in package.__all__
}
CALLABLE = {
    name: thing
    for name, thing in {**PUBLIC, "mlfs.evaluation.loss_curve": loss_curve}.items()
    if inspect.isfunction(thing) or thing in (classifiers.MLkNN, classifiers.BRLR, classifiers.ProblemTransformation)
}


@pytest.mark.parametrize("name", [name for name, thing in PUBLIC.items() if callable(thing)])
def test_it_has_a_docstring(name):
    assert inspect.getdoc(PUBLIC[name])


@pytest.mark.parametrize("name", [n for n, thing in CALLABLE.items() if len(inspect.signature(thing).parameters) > 1])
def test_every_parameter_is_documented_and_an_example_is_there(name):
    text = inspect.getdoc(CALLABLE[name])
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^\w+\n-+\n|\Z)", text, flags=re.M | re.S)
    assert section is not None
    headers = re.findall(r"^(\S.*?)(?: : .*)?$", section[1], flags=re.M)
    documented = {word.strip().lstrip("*") for header in headers for word in header.split(",")}
    assert documented == set(inspect.signature(CALLABLE[name]).parameters)
    assert re.search(r"^Examples\n-+\n>>> ", text, flags=re.M)
