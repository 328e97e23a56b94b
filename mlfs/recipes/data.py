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
    labels : which columns are labels, where the person had to say
    """
    python = f"""\
from mlfs import load_dataset
from mlfs.datasets import profile

{loading(data, uploaded, labels)}
measures = profile(ds)
for measure in {MEASURES!r}:
    print(measure, getattr(measures, measure))
for label, count in zip(measures.label_names, measures.label_counts):
    print(label, count, count / measures.instances)
print(measures.co_occurrence)
print(ds.source, *ds.notes, ds.fingerprint, sep="\\n")
"""
    return Recipe(python, command("data", "show", data_word(data, uploaded), *label_options(labels)))
