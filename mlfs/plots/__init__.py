"""Results → Plotly figures: pure functions that know nothing of the app.

Every figure has its axes titled with units, one look, and a description in words (`alt_text`); before there is anything
to draw it says what is missing. `to_html` and `to_image` take it away.
"""

from mlfs.plots.convergence import convergence
from mlfs.plots.critical_difference import critical_difference_diagram, verdict_diagram
from mlfs.plots.curves import curves, curves_outline, tidy
from mlfs.plots.entropies import bound_pairs, bounds, label_entropies
from mlfs.plots.export import can_draw_images, enlarged, to_html, to_image
from mlfs.plots.figure import alt_text, nothing_yet
from mlfs.plots.graphs import feature_graph, matching_heatmap
from mlfs.plots.heatmaps import MatrixPanel, co_occurrence_heatmap, matrix_panels, overlap_heatmap, z_heatmap
from mlfs.plots.leaderboard import (
    growth,
    method_map,
    parameter_changes,
    rank_against_time,
    rank_intervals,
    ranks_by_dataset,
)
from mlfs.plots.named_lines import named_lines
from mlfs.plots.palette import Style, style_of, styles_of
from mlfs.plots.parameter_grid import grid_heatmap, grid_outline, grid_surface
from mlfs.plots.pareto import duel, feature_front, feature_lines, objective_fronts, selected_count
from mlfs.plots.profile import discretization_preview, label_frequencies
from mlfs.plots.run_costs import about_runs, run_front, time_bars
from mlfs.plots.scores import grro_terms, score_bars
from mlfs.plots.sensitivity import sensitivity_lines, with_trials

__all__ = [
    "MatrixPanel",
    "Style",
    "about_runs",
    "alt_text",
    "bound_pairs",
    "bounds",
    "can_draw_images",
    "co_occurrence_heatmap",
    "convergence",
    "critical_difference_diagram",
    "curves",
    "curves_outline",
    "discretization_preview",
    "duel",
    "enlarged",
    "feature_front",
    "feature_graph",
    "feature_lines",
    "grid_heatmap",
    "grid_outline",
    "grid_surface",
    "growth",
    "grro_terms",
    "label_entropies",
    "label_frequencies",
    "matching_heatmap",
    "matrix_panels",
    "method_map",
    "named_lines",
    "nothing_yet",
    "objective_fronts",
    "overlap_heatmap",
    "parameter_changes",
    "rank_against_time",
    "rank_intervals",
    "ranks_by_dataset",
    "run_front",
    "score_bars",
    "selected_count",
    "sensitivity_lines",
    "style_of",
    "styles_of",
    "tidy",
    "time_bars",
    "to_html",
    "to_image",
    "verdict_diagram",
    "with_trials",
    "z_heatmap",
]
