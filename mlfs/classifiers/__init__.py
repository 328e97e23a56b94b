"""Classifiers that judge a selection: ML-kNN, one classifier per label, ridge, and problem transformations.

`CLASSIFIERS` lists them by name; `make_classifier` makes one.
"""

from mlfs import extensions
from mlfs.classifiers.base import MultiLabelClassifier
from mlfs.classifiers.registry import CLASSIFIERS, Classifier, make_classifier, register

# In the order in which pages and commands offer them.
# isort: off
from mlfs.classifiers.mlknn import MLkNN
from mlfs.classifiers.brlr import BRLR
from mlfs.classifiers.transformation import ProblemTransformation
from mlfs.classifiers.per_label import BRCART, BRSVM
from mlfs.classifiers.naive_bayes import BRNB
from mlfs.classifiers.ridge import RidgeOutputs
# isort: on

__all__ = [
    "BRCART",
    "BRLR",
    "BRNB",
    "BRSVM",
    "CLASSIFIERS",
    "Classifier",
    "MLkNN",
    "MultiLabelClassifier",
    "ProblemTransformation",
    "RidgeOutputs",
    "make_classifier",
    "register",
]

extensions.load()
