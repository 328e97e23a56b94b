"""Data sets: file formats, catalogue, bundled sets, synthetic sets with known truth, profile."""

from typing import Any

from mlfs.datasets.bundled import bundled_names, data_folder, load_bundled
from mlfs.datasets.cache import cache_folder, cached_names
from mlfs.datasets.catalogue import CATALOGUE, CatalogueEntry
from mlfs.datasets.dataset import Dataset
from mlfs.datasets.download import download_dataset
from mlfs.datasets.load import list_datasets, load_dataset
from mlfs.datasets.profile import Profile, profile
from mlfs.datasets.synthetic import SYNTHETIC, Truth, is_synthetic, make_synthetic, parse_synthetic, synthetic_name

__all__ = [
    "CATALOGUE",
    "SYNTHETIC",
    "CatalogueEntry",
    "Dataset",
    "Limits",
    "Profile",
    "Truth",
    "bundled_names",
    "cache_folder",
    "cached_names",
    "data_folder",
    "download_dataset",
    "find_datasets",
    "is_synthetic",
    "list_datasets",
    "load_bundled",
    "load_dataset",
    "make_synthetic",
    "parse_synthetic",
    "profile",
    "read_dataset",
    "read_files",
    "synthetic_name",
    "write_dataset",
]


def __getattr__(name: str) -> Any:
    # The formats are imported when first used: bundled and synthetic sets do without them.
    if name in ("Limits", "find_datasets", "read_dataset", "read_files", "write_dataset"):
        from mlfs.datasets import formats

        return getattr(formats, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
