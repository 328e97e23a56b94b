"""The Data page again: the profile of one data set."""

from __future__ import annotations

from collections.abc import Sequence

from mlfs.recipes.writing import UPLOADED, YOUR_FILE, Recipe, command, data_word, loading

MEASURES = (
    "instances",
    "features",
    "labels",
    "cardinality",
    "density",
    "distinct_labelsets",
    "unlabelled",
    "mean_imbalance",
    "feature_types",
)


def data_profile(data: str, *, uploaded: bool = False, labels: int | Sequence[str] | None = None) -> Recipe:
    """Sizes and measures, the rows of each label and of each pair of labels, and what the reader noted.

    Parameters
    ----------
    labels : which columns are labels, where the reader had to be told
    """
    python = f"""\
from mlfs import load_dataset
from mlfs.datasets import profile

{_loading(data, uploaded, labels)}
found = profile(ds)
for measure in {MEASURES!r}:
    print(measure, getattr(found, measure))
for label, count in zip(found.label_names, found.label_counts):
    print(label, count, count / found.instances)
print(found.co_occurrence)
print(ds.source, *ds.notes, ds.fingerprint, sep="\\n")
"""
    told = [] if labels is None else ["--labels", str(labels) if isinstance(labels, int) else ",".join(labels)]
    return Recipe(python, command("data", "show", data_word(data, uploaded), *told))


def _loading(data: str, uploaded: bool, labels: int | Sequence[str] | None) -> str:
    if labels is None:
        return loading(data, uploaded)
    told = labels if isinstance(labels, int) else list(labels)
    return f"ds = load_dataset({YOUR_FILE!r}, labels={told!r})  {UPLOADED}"
