"""An answer as files: lists of features, and the smaller data set."""

from __future__ import annotations

import io
import json
import platform
import re
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from mlfs import __version__
from mlfs.answer.recommendation import Recommendation
from mlfs.datasets import Dataset, write_dataset
from mlfs.tables import to_csv


def features_csv(recommendation: Recommendation) -> str:
    """The features, best first, as comma-separated text."""
    return to_csv(recommendation.selection.table())


def features_json(recommendation: Recommendation) -> str:
    """The features, best first, with what is known of each."""
    return json.dumps(features_document(recommendation), indent=2, allow_nan=False, default=str)


def features_document(recommendation: Recommendation) -> list[dict[str, Any]]:
    """The same as plain values; None where a number is not known."""
    return [
        {
            "rank": feature.rank,
            "name": feature.name,
            "index": feature.index,
            "score": _known(feature.score),
            "frequency": _known(feature.frequency),
            "information": dict(zip(recommendation.selection.label_names, feature.information, strict=True)),
            "nearest_selected": _neighbour(feature.nearest_selected),
            "nearest_left_out": _neighbour(feature.nearest_left_out),
        }
        for feature in recommendation.selection.features
    ]


def _neighbour(other: Any) -> dict[str, Any] | None:
    return None if other is None else {"name": other.name, "index": other.index, "uncertainty": other.uncertainty}


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def reduced_dataset(recommendation: Recommendation) -> Dataset:
    """The data set with the selected features only, in the order of its columns, for `write_dataset`."""
    return only_columns(recommendation.ds, recommendation.selection.indices)


def reduced_file(recommendation: Recommendation, suffix: str) -> bytes:
    """The same as a file, by the suffix of its format; a format of several files gives a zip of them."""
    name = re.sub(r"[^\w.-]+", "_", recommendation.ds.name) or "data"
    with tempfile.TemporaryDirectory() as folder:
        files = write_dataset(reduced_dataset(recommendation), Path(folder, f"{name}{suffix}"))
        if len(files) == 1:
            return files[0].read_bytes()
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in files:
                archive.write(file, file.name)
        return packed.getvalue()


def only_columns(ds: Dataset, columns: Sequence[int]) -> Dataset:
    """Some columns of a data set, in their order."""
    kept = sorted(columns)
    categories = {place: ds.categories[j] for place, j in enumerate(kept) if j in ds.categories}
    return replace(
        ds,
        X=ds.X[:, kept],
        feature_names=[ds.feature_names[j] for j in kept],
        categories=categories,
        truth=None,
        notes=(*ds.notes, f"{len(kept)} of {ds.X.shape[1]} features were kept."),
    )


def versions() -> dict[str, str]:
    """Of what the numbers depend on."""
    packages = ("numpy", "scipy", "scikit-learn", "pandas")
    return {"python": platform.python_version(), "mlfs": __version__, **{name: version(name) for name in packages}}
