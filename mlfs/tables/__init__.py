"""Results as tables people take away: a summary by data set and method, and any table as CSV, LaTeX, text or styled.

Summarising and rendering are apart: `summary` makes a plain `MethodSummary`, the renderers take it or any DataFrame.
"""

from mlfs.tables.export import to_csv, to_latex, to_text
from mlfs.tables.method_summary import MethodSummary, summary
from mlfs.tables.result_table import ResultTable, read_result_table
from mlfs.tables.styled import to_styler

__all__ = [
    "MethodSummary",
    "ResultTable",
    "read_result_table",
    "summary",
    "to_csv",
    "to_latex",
    "to_styler",
    "to_text",
]
