"""Every public function with arguments that nobody would give it on purpose: mlfs says in a sentence what it wants.

Which functions there are is read from the packages, and what they take from their signatures: a new one takes part by
itself, but for arguments without a default that nothing in `fuzz.arguments` is known for, of which a test tells.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any
from unittest import mock

import numpy as np
import pandas as pd
from scipy import sparse

import mlfs
from fuzz.arguments import BY_NAME, OF_PACKAGES, D, N, Q, X, Y, folder
from mlfs.errors import MlfsError
from mlfs.plots.export import BEGINNINGS

#: Public functions that are not tried, and why.
LEFT_OUT = {
    "classifiers.register": "a trial would change the registry for all that follow",
    "metrics.register": "a trial would change the registry for all that follow",
    "cli.main": "takes the words of a command, which tests/cli are about",
}
#: What is no mistake, and takes as long as was asked for.
WITHOUT_END = {
    ("answer.answer", "draws", "a huge number"),
    ("answer.answer", "permutations", "a huge number"),
    ("benchmark.run_benchmark", "methods", "None"),
}
#: Classes that people make themselves, with what they choose.
MADE_BY_PEOPLE = ("Dataset", "Plan", "MethodGrid")

ODD: dict[str, Any] = {
    "None": None,
    "a text": "a",
    "an empty text": "",
    "bytes": b"x",
    "True": True,
    "NaN": float("nan"),
    "infinity": float("inf"),
    "a negative number": -1,
    "zero": 0,
    "a fraction": 1.5,
    "a huge number": 10**30,
    "a complex number": 1j,
    "an object": object(),
    "a function": len,
    "an empty list": [],
    "a list of lists": [[0, 1]],
    "a ragged list": [[0], [1, 2]],
    "a list of texts": ["a", "b"],
    "a list of None": [None],
    "numbers out of range": [-5, 10**9],
    "the same number twice": [0, 0],
    "a mapping": {"a": 1},
    "a set": {1, 2},
    "a vector": np.arange(4.0),
    "a cube": np.zeros((2, 2, 2)),
    "a scalar array": np.array(3),
    "no rows": np.zeros((0, 3)),
    "no columns": np.zeros((N, 0)),
    "one row": np.zeros((1, D)),
    "fewer columns": np.zeros((N, 2)),
    "NaN in a table": np.full((N, D), np.nan),
    "infinity in a table": np.where(np.arange(N * D).reshape(N, D) == 5, np.inf, X),
    "a complex table": X + 1j,
    "a table of objects": np.array([[object()] * 3] * 4),
    "a table of texts": np.array([["a"] * D] * N),
    "a sparse table of NaN": sparse.csr_matrix(np.full((N, D), np.nan)),
    "a sparse table": sparse.coo_matrix(Y),
    "halves in a table": np.full((N, Q), 0.5),
    "a frame of words": pd.DataFrame({"a": ["x", "y"], "b": ["z", None]}),
    "an empty frame": pd.DataFrame(),
    "a frame": pd.DataFrame({"a": [1.0, 2.0], "b": [0.5, np.nan]}),
}


@dataclass(frozen=True)
class Call:
    """A function and good arguments.

    Attributes
    ----------
    arguments : by the names of parameters
    tried : names of parameters that get odd values; one that stands for many is tried with one
    """

    function: Callable[..., Any]
    arguments: Mapping[str, Any]
    tried: tuple[str, ...]

    def __call__(self, **odd: Any) -> Any:
        """Its answer; the first of an answer that is given piece by piece."""
        given = {**self.arguments, **odd}
        many = [given.pop(p.name) for p in _parameters(self.function) if p.kind is p.VAR_POSITIONAL]
        with chdir(folder()), _without_browser():  # a text may be a path, and something be written there
            answer = self.function(*many, **given)
        return next(answer, None) if inspect.isgenerator(answer) else answer


@contextmanager
def _without_browser() -> Iterator[None]:
    """Images are not drawn: a browser takes a second for each, and not every machine has one."""
    import kaleido

    def drawn(figure: Any, opts: Mapping[str, Any], kopts: Any) -> bytes:
        return BEGINNINGS[opts["format"]]

    with mock.patch.object(kaleido, "calc_fig_sync", drawn):
        yield


def _parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    return list(inspect.signature(function).parameters.values())


def public() -> Iterator[tuple[str, str, Callable[..., Any]]]:
    """Package, name and object of every public function, where it is at home."""
    packages = [f"mlfs.{module.name}" for module in pkgutil.iter_modules(mlfs.__path__) if module.ispkg]
    for package in packages:
        module = importlib.import_module(package)
        for name in module.__all__:
            function = getattr(module, name)
            if inspect.isfunction(function) or name in MADE_BY_PEOPLE:
                yield package, name, function


@cache
def titled() -> dict[str, tuple[str, str, Callable[..., Any]]]:
    """Package, name and object of every function that is called, by its title; their arguments are not made yet."""
    found: dict[str, tuple[str, str, Callable[..., Any]]] = {}
    seen: set[int] = set()
    for package, name, function in public():
        title = f"{package.removeprefix('mlfs.')}.{name}"
        if title not in LEFT_OUT and id(function) not in seen:
            seen.add(id(function))
            found[title] = package, name, function
    return found


@cache
def _found() -> tuple[dict[str, Call], dict[str, list[str]]]:
    calls: dict[str, Call] = {}
    lacking: dict[str, list[str]] = {}
    for title, (package, name, function) in titled().items():
        given = _arguments(package).get(name, {})
        parameters = _parameters(function)
        needed = [p for p in parameters if p.default is p.empty and p.kind is not p.VAR_KEYWORD]
        good = {p.name: BY_NAME[p.name] for p in needed if p.name in BY_NAME} | given
        if unknown := [p.name for p in needed if p.name not in good]:
            lacking[title] = unknown
        tried = tuple(p.name for p in parameters if p.kind is not p.VAR_KEYWORD)
        calls[title] = Call(function, good, tried)
    return calls, lacking


@cache
def _arguments(package: str) -> dict[str, dict[str, Any]]:
    return OF_PACKAGES.get(package, dict)()


def calls() -> dict[str, Call]:
    """Every public function with good arguments, by package and name."""
    return _found()[0]


def lacking() -> dict[str, list[str]]:
    """Functions that cannot be called, with the parameters that no good argument is known for."""
    return _found()[1]


@cache
def cases() -> list[tuple[str, str, str]]:
    """Function, argument and odd value, by their names."""
    return [case for name in calls() for case in cases_of(name)]


def cases_of(name: str) -> list[tuple[str, str, str]]:
    """Those of one function."""
    every = ((name, argument, odd) for argument in calls()[name].tried for odd in ODD)
    return [case for case in every if case not in WITHOUT_END and not _is_asked_for(*case)]


def _is_asked_for(name: str, argument: str, odd: str) -> bool:
    """Whether it is a function where one is wanted: what goes wrong in it is its author's to see."""
    if odd != "a function":
        return False
    annotation = inspect.signature(calls()[name].function).parameters[argument].annotation
    return any(word in str(annotation) for word in ("Callable", "Progress"))


def try_case(name: str, argument: str, odd: str) -> str | None:
    """What is wrong with the answer to one odd argument."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            calls()[name](**{argument: ODD[odd]})
    except MlfsError as refusal:
        said = str(refusal)
        if "\n" in said or not said.endswith((".", "?")) or len(said) > 700:
            return f"{name}({argument}={odd}): no sentence: {said!r}"
    except Exception as error:
        return f"{name}({argument}={odd}): {type(error).__name__}: {str(error)[:120]}"
    return None


def check(seed: int) -> str | None:
    """The case of a seed; every one comes once before any comes again."""
    return try_case(*cases()[seed % len(cases())])
