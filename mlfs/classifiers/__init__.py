"""Classifiers that judge a selection: ML-kNN, BRLR, and problem transformations around any scikit-learn classifier."""

from mlfs.classifiers.brlr import BRLR
from mlfs.classifiers.mlknn import MLkNN
from mlfs.classifiers.transformation import ProblemTransformation

__all__ = ["BRLR", "MLkNN", "ProblemTransformation"]
