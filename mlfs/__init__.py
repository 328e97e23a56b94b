"""mlfs: multi-label feature selection you can see."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mlfs.datasets import load_dataset
    from mlfs.selectors import SELECTORS, make_selector

__all__ = ["SELECTORS", "load_dataset", "make_selector"]
__version__ = "0.1.0"

_HOMES = {"SELECTORS": "selectors", "load_dataset": "datasets", "make_selector": "selectors"}


def __getattr__(name: str) -> Any:
    # Brought in when first used: the command line must not wait for scikit-learn to print its help.
    if name in _HOMES:
        return getattr(import_module(f"mlfs.{_HOMES[name]}"), name)
    if name in _HOMES.values():
        return import_module(f"mlfs.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
