"""Results as tables people take away: a summary by data set and method, and any table as CSV, LaTeX, text or styled.

Summarising and rendering are apart: `summary` makes a plain `Summary`, the renderers take it or any DataFrame.
"""

from mlfs.tables.csv import to_csv
from mlfs.tables.latex import to_latex
from mlfs.tables.settings import parameter_values, setting_title, settings_of
from mlfs.tables.styler import to_styler
from mlfs.tables.summary import Summary, summary
from mlfs.tables.text import to_text

__all__ = [
    "Summary",
    "parameter_values",
    "setting_title",
    "settings_of",
    "summary",
    "to_csv",
    "to_latex",
    "to_styler",
    "to_text",
]
