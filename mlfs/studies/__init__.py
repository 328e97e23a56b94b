"""Studies: a plan, run cell by cell on one machine or a cluster, its results kept and never computed twice.

plan → cells → engine → store → table. A plan is plain data; a cell is one method with one set of parameters on one
split of one data set, known by the hash of all that its result depends on.
"""

from mlfs.studies.cell import Cell, Outcome
from mlfs.studies.desk import Desk, Job
from mlfs.studies.estimate import Estimate, estimate
from mlfs.studies.plan import MethodGrid, Plan
from mlfs.studies.run import Summary, run
from mlfs.studies.search import Search, search
from mlfs.studies.store import Store, Study

__all__ = [
    "Cell",
    "Desk",
    "Estimate",
    "Job",
    "MethodGrid",
    "Outcome",
    "Plan",
    "Search",
    "Store",
    "Study",
    "Summary",
    "estimate",
    "run",
    "search",
]
