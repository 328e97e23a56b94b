"""Toy data a teacher can move: each topic is a small model whose numbers come from the library's own functions.

A model holds what its figure shows; `worked()` writes the same numbers as they would stand on the board, in LaTeX.
`LESSONS` has the words: what there is to see, the formula, a question to ask the class, and its answer.
Guided tours of the papers, on real data, are in the folders of `mlfs.papers`.
"""

from mlfs.learn.bound import Bound, LabelPoints, bound_curve, label_points, meeting
from mlfs.learn.copying import Copying, advantages, copying, copying_data
from mlfs.learn.lessons import LESSONS, Lesson
from mlfs.learn.system import System, prepare_system, system_data
from mlfs.learn.table import PRESETS, Table
from mlfs.learn.tournament import Tournament, tournament, tournament_data

__all__ = [
    "LESSONS",
    "PRESETS",
    "Bound",
    "Copying",
    "LabelPoints",
    "Lesson",
    "System",
    "Table",
    "Tournament",
    "advantages",
    "bound_curve",
    "copying",
    "copying_data",
    "label_points",
    "meeting",
    "prepare_system",
    "system_data",
    "tournament",
    "tournament_data",
]
