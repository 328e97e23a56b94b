"""Rankings as other programs write them: CSV, text or MAT, of feature indices, names or scores, one or one per split.

`read_ranking` takes a file, `as_ranking` also what is in memory. What had to be guessed on the way stands in the
ranking's notes. Files come from strangers: whatever is wrong ends in a `RankingError` of one sentence.
"""

from mlfs.evaluation.ranking_files.features import KINDS
from mlfs.evaluation.ranking_files.read import (
    SUFFIXES,
    as_ranking,
    name_of,
    parse_ranking,
    rankings_of,
    read_ranking,
)

__all__ = ["KINDS", "SUFFIXES", "as_ranking", "name_of", "parse_ranking", "rankings_of", "read_ranking"]
