"""mlfs: multi-label feature selection you can see."""

from mlfs.datasets import load_dataset
from mlfs.selectors import SELECTORS, make_selector

__all__ = ["SELECTORS", "load_dataset", "make_selector"]
