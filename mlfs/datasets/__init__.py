"""Data sets: readers, catalogue, bundled sets, synthetic sets with known truth, profile."""

from mlfs.datasets.dataset import Dataset

__all__ = ["Dataset"]
