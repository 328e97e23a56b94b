"""Studies: a plan, run cell by cell on one machine or a cluster, its results kept and never computed twice.

plan → cells → engine → store → table. A plan is plain data; a cell is one method with one set of parameters on one
split of one data set, known by the hash of all that its result depends on.
"""

from mlfs.evaluation.cell_result import CellResult
from mlfs.studies.cell import Cell
from mlfs.studies.job_queue import Job, JobQueue
from mlfs.studies.plan import MethodGrid, Plan
from mlfs.studies.run import Estimate, RunSummary, estimate, run
from mlfs.studies.search import Search, search
from mlfs.studies.store import Store, Study

__all__ = [
    "Cell",
    "CellResult",
    "Estimate",
    "Job",
    "JobQueue",
    "MethodGrid",
    "Plan",
    "RunSummary",
    "Search",
    "Store",
    "Study",
    "estimate",
    "run",
    "search",
]
