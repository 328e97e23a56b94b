"""Results → Plotly figures: pure functions that know nothing of the app.

Every figure has its axes titled with units, the look of `template`, and a description in words (`alt_text`); before
there is anything to draw it says what is missing. `to_html` and `to_image` take it away.
"""

from mlfs.plots.canvas import alt_text, nothing_yet
from mlfs.plots.convergence import convergence
from mlfs.plots.critical_difference import critical_difference_diagram
from mlfs.plots.curves import curves, tidy
from mlfs.plots.entropies import bounds, label_entropies
from mlfs.plots.export import to_html, to_image
from mlfs.plots.heatmaps import co_occurrence_heatmap, grid_heatmap, overlap_heatmap, z_heatmap
from mlfs.plots.labels import label_frequencies
from mlfs.plots.palette import Style, style_of, styles_of
from mlfs.plots.pareto import feature_front, feature_lines, selected_count
from mlfs.plots.runs import run_front
from mlfs.plots.scores import score_bars
from mlfs.plots.surface import grid_surface
from mlfs.plots.times import time_bars

__all__ = [
    "Style",
    "alt_text",
    "bounds",
    "co_occurrence_heatmap",
    "convergence",
    "critical_difference_diagram",
    "curves",
    "feature_front",
    "feature_lines",
    "grid_heatmap",
    "grid_surface",
    "label_entropies",
    "label_frequencies",
    "nothing_yet",
    "overlap_heatmap",
    "run_front",
    "score_bars",
    "selected_count",
    "style_of",
    "styles_of",
    "tidy",
    "time_bars",
    "to_html",
    "to_image",
    "z_heatmap",
]
