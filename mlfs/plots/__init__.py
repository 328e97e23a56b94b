"""Results → Plotly figures: pure functions that know nothing of the app."""

from mlfs.plots.labels import label_frequencies

__all__ = ["label_frequencies"]
