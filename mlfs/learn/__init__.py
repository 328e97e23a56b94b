"""Lessons: the ideas on toy data a teacher can move, each in a module of its own.

A lesson's module has its words (`LESSON`: what there is to see, the formula, a question to ask the class, its answer),
a small model whose numbers come from the library's own functions, and its figures. A model holds what its figures
show; `worked()` writes the same numbers as they would stand on the board, in LaTeX. `LESSONS` has them by name.
Guided tours of the papers, on real data, are in the folders of `mlfs.papers`.
"""

from mlfs.learn import bound, dominance, information, redundancy, system
from mlfs.learn.bound import Bound, LabelPoints, bound_curve, information_bound, label_points, make_bound
from mlfs.learn.dominance import Tournament, dominance_map, tournament, tournament_data
from mlfs.learn.information import PRESETS, Table, information_bars, mosaic
from mlfs.learn.lesson import Lesson
from mlfs.learn.redundancy import Copying, advantages, copy_advantage, copying, copying_data, second_pick
from mlfs.learn.system import System, objective_terms, prepare_system, system_data, system_matrices

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
    "copy_advantage",
    "copying",
    "copying_data",
    "dominance_map",
    "information_bars",
    "information_bound",
    "label_points",
    "make_bound",
    "mosaic",
    "objective_terms",
    "prepare_system",
    "second_pick",
    "system_data",
    "system_matrices",
    "tournament",
    "tournament_data",
]

#: Lessons by their word in a link, in the order of a lecture.
LESSONS: dict[str, Lesson] = {
    module.LESSON.name: module.LESSON for module in (information, bound, redundancy, dominance, system)
}
