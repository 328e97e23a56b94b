"""What a page shows, as text that does it again: Python for a notebook, a command for a terminal.

Both run as they stand and print the numbers on the screen; tests run them.
"""

from mlfs.recipes.comparison import comparison
from mlfs.recipes.leaderboard import methods_leaderboard
from mlfs.recipes.learning import lesson, tour_step
from mlfs.recipes.one_dataset import data_profile, exploration, noise, pareto
from mlfs.recipes.pipeline import pipeline_program
from mlfs.recipes.published import measured_result, published_table
from mlfs.recipes.sensitivity import sensitivity
from mlfs.recipes.significance import significance
from mlfs.recipes.writing import Recipe

__all__ = [
    "Recipe",
    "comparison",
    "data_profile",
    "exploration",
    "lesson",
    "measured_result",
    "methods_leaderboard",
    "noise",
    "pareto",
    "pipeline_program",
    "published_table",
    "sensitivity",
    "significance",
    "tour_step",
]
