"""What comes from outside: modules that MLFS_EXTENSIONS names are imported with the registries that they add to.

A script or a notebook needs none of this: a method is registered by being defined, a metric by `mlfs.metrics.register`,
a classifier by `mlfs.classifiers.register`. But a command, the app and the worker processes of a study are programs of
their own, which have to be told.
"""

from __future__ import annotations

import os
from importlib import import_module

from mlfs.errors import ExtensionError, MlfsError

VARIABLE = "MLFS_EXTENSIONS"


def names() -> list[str]:
    """The modules that the environment names; commas stand between them."""
    return [name for word in os.environ.get(VARIABLE, "").split(",") if (name := word.strip())]


def load() -> None:
    """Import every module that the environment names, each once."""
    for name in names():
        try:
            import_module(name)
        except MlfsError:  # has a sentence already
            raise
        except Exception as problem:
            raise ExtensionError(
                f"{VARIABLE} names {name!r}, which cannot be imported ({type(problem).__name__}: {problem}): "
                "correct it, or put its folder on PYTHONPATH."
            ) from problem


def is_built_in(definition: object) -> bool:
    """Whether a class or function is part of mlfs itself.

    >>> is_built_in(is_built_in), is_built_in(print)
    (True, False)
    """
    return getattr(definition, "__module__", "").partition(".")[0] == "mlfs"


def same_definition(old: object, new: object) -> bool:
    """Whether two classes or functions are one definition, carried out again: a cell of a notebook run twice, say."""
    places = {getattr(definition, "__module__", "") for definition in (old, new)}
    names = {getattr(definition, "__qualname__", "") for definition in (old, new)}
    return len(names) == 1 and (len(places) == 1 or "__main__" in places)
