"""Classifiers that judge a selection: ML-kNN, BRLR, and problem transformations around any scikit-learn classifier.

`CLASSIFIERS` lists them by name; `make_classifier` makes one.
"""

from mlfs import extensions
from mlfs.classifiers.registry import CLASSIFIERS, Classifier, make_classifier, register

# In the order in which pages and commands offer them.
# isort: off
from mlfs.classifiers.mlknn import MLkNN
from mlfs.classifiers.brlr import BRLR
from mlfs.classifiers.transformation import ProblemTransformation
# isort: on

__all__ = [
    "BRLR",
    "CLASSIFIERS",
    "Classifier",
    "MLkNN",
    "ProblemTransformation",
    "make_classifier",
    "register",
]

extensions.load()
