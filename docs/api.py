"""The API reference, made from the docstrings: `make docs` writes it to build/api, or fails where a name is missing."""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pdoc

PACKAGES = (
    "mlfs",
    "mlfs.datasets",
    "mlfs.information",
    "mlfs.selectors",
    "mlfs.classifiers",
    "mlfs.metrics",
    "mlfs.evaluation",
    "mlfs.statistics",
    "mlfs.studies",
    "mlfs.papers",
    "mlfs.plots",
    "mlfs.tables",
)


def build(folder: Path) -> None:
    """Write a page for each package: what it lists in `__all__`, and no modules below it."""
    below = []
    for package in PACKAGES:
        module = import_module(package)
        for name in module.__all__:
            # pdoc sees what is there, not what a module brings in when asked for it.
            setattr(module, name, getattr(module, name))
            if find_spec(f"{package}.{name}"):  # a function named like its module
                below.append(f"!{package}.{name}")
    pdoc.render.configure(docformat="numpy", show_source=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pdoc.pdoc(*PACKAGES, *below, output_directory=folder)


if __name__ == "__main__":
    build(Path(sys.argv[1]))
