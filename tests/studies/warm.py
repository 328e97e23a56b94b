"""Imported before anything forks: what a study needs is then imported and compiled, and a fork begins at once."""

from mlfs.studies.cell_runner import CellRunner
from tests.studies.support import DATASETS, PLAN, SMALL

for cell in PLAN.cells(DATASETS)[:3]:
    CellRunner().compute(cell, SMALL)
