"""Results → Plotly figures: pure functions that know nothing of the app.

Every figure has its axes titled with units, the look of `template`, and a description in words (`alt_text`); before
there is anything to draw it says what is missing. `to_html` and `to_image` take it away.
"""

from importlib import import_module
from typing import Any

from mlfs.plots.canvas import alt_text, nothing_yet
from mlfs.plots.convergence import convergence
from mlfs.plots.critical_difference import critical_difference_diagram
from mlfs.plots.curves import curves, tidy
from mlfs.plots.discretization import discretization_preview
from mlfs.plots.entropies import bounds, label_entropies
from mlfs.plots.export import can_draw_images, enlarged, to_html, to_image
from mlfs.plots.heatmaps import co_occurrence_heatmap, grid_heatmap, overlap_heatmap, z_heatmap
from mlfs.plots.labels import label_frequencies
from mlfs.plots.palette import Style, style_of, styles_of
from mlfs.plots.pareto import feature_front, feature_lines, selected_count
from mlfs.plots.runs import run_front
from mlfs.plots.scores import score_bars
from mlfs.plots.sensitivity import sensitivity_lines
from mlfs.plots.surface import grid_surface
from mlfs.plots.terms import grro_terms
from mlfs.plots.times import time_bars

__all__ = [
    "Style",
    "alt_text",
    "bound_pairs",
    "bounds",
    "can_draw_images",
    "co_occurrence_heatmap",
    "convergence",
    "copy_advantage",
    "critical_difference_diagram",
    "curves",
    "discretization_preview",
    "dominance_map",
    "duel",
    "enlarged",
    "feature_front",
    "feature_lines",
    "grid_heatmap",
    "grid_surface",
    "grro_terms",
    "information_bars",
    "information_bound",
    "label_entropies",
    "label_frequencies",
    "matrix_panels",
    "mosaic",
    "named_lines",
    "nothing_yet",
    "objective_terms",
    "overlap_heatmap",
    "run_front",
    "score_bars",
    "second_pick",
    "selected_count",
    "sensitivity_lines",
    "style_of",
    "styles_of",
    "system_matrices",
    "tidy",
    "time_bars",
    "to_html",
    "to_image",
    "z_heatmap",
]

_LEARN = (
    "bound_pairs",
    "copy_advantage",
    "dominance_map",
    "duel",
    "information_bars",
    "information_bound",
    "matrix_panels",
    "mosaic",
    "named_lines",
    "objective_terms",
    "second_pick",
    "system_matrices",
)


def __getattr__(name: str) -> Any:
    # The figures of Learn bring the selectors with them, and so scikit-learn: when first drawn.
    if name in _LEARN:
        return getattr(import_module(f"mlfs.plots.learn.{name}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
