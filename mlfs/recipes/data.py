"""The Data page again: the profile of one data set."""

from __future__ import annotations

from mlfs.recipes.writing import Labels, Recipe, command, data_word, label_options, loading

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


def data_profile(data: str, *, uploaded: bool = False, labels: Labels = None) -> Recipe:
    """Sizes and measures, the rows of each label and of each pair of labels, and what the reader noted.

    Parameters
    ----------
    labels : which columns are labels, where the reader had to be told
    """
    python = f"""\
from mlfs import load_dataset
from mlfs.datasets import profile

{loading(data, uploaded, labels)}
found = profile(ds)
for measure in {MEASURES!r}:
    print(measure, getattr(found, measure))
for label, count in zip(found.label_names, found.label_counts):
    print(label, count, count / found.instances)
print(found.co_occurrence)
print(ds.source, *ds.notes, ds.fingerprint, sep="\\n")
"""
    return Recipe(python, command("data", "show", data_word(data, uploaded), *label_options(labels)))
