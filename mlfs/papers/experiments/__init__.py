"""The papers' tables and figures, run again: which data sets, plans and parameters, and the rows that come out.

experiment → plans → cells of a store → tidy rows; `mlfs.papers.beside` sets them beside the published numbers.
"""

from mlfs.papers.experiments.experiment import COLUMNS, Experiment
from mlfs.papers.experiments.registry import experiments, get_experiment
from mlfs.papers.experiments.running import Measured, run_experiment

__all__ = ["COLUMNS", "Experiment", "Measured", "experiments", "get_experiment", "run_experiment"]
