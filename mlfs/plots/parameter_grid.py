"""A result over a grid of two parameters, as a heat map and as a surface: where it is good, and how flat it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
import plotly.graph_objects as go

from mlfs.checks import Sides, checked
from mlfs.errors import ParameterError
from mlfs.metrics import lower_is_better, metric_title
from mlfs.plots.figure import (
    FAINT,
    GRID,
    NO_RESULTS,
    PALETTE,
    ROW,
    SOLID_GRID,
    draw,
    finite,
    heading,
    level,
    named_axis,
    nothing_yet,
    on_lines,
    plain,
    ring,
    scatter,
    scene_axis,
    sparse_axis,
)
from mlfs.plots.heatmaps import heatmap_cells, heatmap_trace

SEQUENTIAL = "Cividis"
SURFACE_HEIGHT = 440  # pixels
FEW_VALUES = 5
EYE = {"x": 1.3, "y": -1.3, "z": 1.15}
FURTHER = 1.3  # times as far away, where the numbers at the edges would be cut


class ParameterGrid:
    """Values over two parameters.

    Parameters
    ----------
    values : (len(alphas), len(betas)), NaN where missing
    value : what they are
    names : of the two parameters
    lower : whether lower is better; where None, as the metric `value` says
    """

    def __init__(
        self,
        values: np.ndarray,
        alphas: Sequence[float] | np.ndarray,
        betas: Sequence[float] | np.ndarray,
        value: str,
        names: tuple[str, str],
        lower: bool | None,
    ) -> None:
        self.values, self.value, self.names = finite(values), value, names
        self.alphas, self.betas = tuple(map(float, alphas)), tuple(map(float, betas))
        self.lower = lower_is_better(value) if lower is None else lower
        needed = (len(alphas), len(betas))
        if self.values.shape != needed:
            raise ParameterError(
                f"The values have the shape {self.values.shape}, but {len(alphas)} values of {names[0]} and "
                f"{len(betas)} of {names[1]} need {needed}."
            )

    @property
    def best(self) -> tuple[int, int] | None:
        """Where the best value stands, the first of equals; None where there is no value."""
        if not np.isfinite(self.values).any():
            return None
        place = np.nanargmin(self.values if self.lower else -self.values)
        i, j = np.unravel_index(place, self.values.shape)
        return int(i), int(j)

    @property
    def alpha_words(self) -> list[str]:
        return [level(alpha) for alpha in self.alphas]

    @property
    def beta_words(self) -> list[str]:
        return [level(beta) for beta in self.betas]

    @property
    def cell_names(self) -> list[list[str]]:
        """What to call each cell, one row per β."""
        first, second = map(plain, self.names)
        return [[f"{first} = {a}, {second} = {b}" for a in self.alpha_words] for b in self.beta_words]

    def caption(self) -> str:
        """The best value and where it stands, for the figure itself."""
        assert self.best is not None
        i, j = self.best
        return f"best: {self.values[i, j]:.4f} at {self.cell_names[j][i]}"

    def describe(self) -> str:
        """One sentence with the main numbers."""
        assert self.best is not None
        i, j = self.best
        best, worst = self.values[i, j], np.nanmax(self.values) if self.lower else np.nanmin(self.values)
        missing = int(np.isnan(self.values).sum())
        rest = f"; {missing} of {self.values.size} cells are missing" if missing else ""
        return (
            f"{metric_title(self.value)} over {len(self.alphas)} values of {self.names[0]} and {len(self.betas)} of "
            f"{self.names[1]}: best {best:.4f} at {self.names[0]} = {self.alphas[i]:g}, "
            f"{self.names[1]} = {self.betas[j]:g}; worst {worst:.4f}{rest}."
        )


@checked
def grid_heatmap(
    values: Annotated[np.ndarray, Sides("rows", "columns")],
    alphas: Annotated[Sequence[float] | np.ndarray, Sides("alphas")],
    betas: Annotated[Sequence[float] | np.ndarray, Sides("betas")],
    value: str = "ACR",
    *,
    names: tuple[str, str] = ("α", "β"),
    meanings: tuple[str, str] | None = None,
    lower: bool | None = None,
    title: str | None = None,
) -> go.Figure:
    """A loss, or the sum of losses ACR, over a grid of two parameters; the best cell is ringed.

    The parameters are searched by powers of ten, so that each value of the grid has the same width: log axes.

    Parameters
    ----------
    values : (len(alphas), len(betas)); NaN where a run failed or is still to come
    value : a metric, or any other name
    meanings : what the axes say of the parameters; their names unless given
    lower : whether lower is better, where `value` is no metric; it is unless said
    """
    grid = ParameterGrid(values, alphas, betas, value, names, lower)
    if grid.best is None:
        return nothing_yet("the grid fills as its runs finish", title, _height(grid))
    i, j = grid.best
    table = grid.values.T
    data = [
        heatmap_trace(table, SEQUENTIAL, None, None, metric_title(value), "%{customdata}: %{z:.4f}", grid.cell_names),
        # Two rings: one of them shows on any colour of the scale.
        ring(i, j, 17, "#ffffff", 3, showlegend=False),
        ring(i, j, 20, "#000000", 1.5, showlegend=False),
    ]
    layout = _flat_layout(grid, meanings, grid.caption())
    alt = f"Heat map of {grid.describe()}"
    return draw(data, layout, alt=alt, title=title, height=_height(grid), narrow=_narrow(layout))


@checked
def grid_outline(
    alphas: Annotated[Sequence[float] | np.ndarray, Sides("alphas")],
    betas: Annotated[Sequence[float] | np.ndarray, Sides("betas")],
    value: str = "ACR",
    *,
    names: tuple[str, str] = ("α", "β"),
    meanings: tuple[str, str] | None = None,
) -> go.Figure:
    """What `grid_heatmap` will look like, before there are results: its axes, and grey cells that mean nothing."""
    grid = ParameterGrid(np.full((len(alphas), len(betas)), np.nan), alphas, betas, value, names, None)
    shades = np.add.outer(np.arange(len(grid.betas)), np.arange(len(grid.alphas)))
    cells = heatmap_cells(shades, [[0, GRID], [1, FAINT]], (None, None), "", grid.cell_names, showscale=False)
    cells |= {"hoverinfo": "skip", "hovertemplate": None}
    alt = (
        f"{NO_RESULTS}. There will be a heat map of {metric_title(value)} over {len(grid.alphas)} values of {names[0]} "
        f"and {len(grid.betas)} of {names[1]}."
    )
    layout = _flat_layout(grid, meanings, NO_RESULTS)
    return draw([cells], layout, alt=alt, height=_height(grid), narrow=_narrow(layout))


def _narrow(layout: dict[str, Any]) -> dict[str, Any]:
    """On a telephone only every second value or so has room below its column."""
    return {"xaxis": sparse_axis(layout["xaxis"], FEW_VALUES)}


def _height(grid: ParameterGrid) -> int:
    return max(ROW * 2 * len(grid.betas) + 84, 240)


def _flat_layout(grid: ParameterGrid, meanings: tuple[str, str] | None, above: str) -> dict[str, Any]:
    across, up = map(on_lines, meanings or grid.names)
    return {
        "xaxis": named_axis(grid.alpha_words, title={"text": across, "standoff": 8}),
        "yaxis": named_axis(grid.beta_words, title={"text": up, "standoff": 8}),
        "annotations": [heading(above, 0, 1)],
        "showlegend": False,
    }


@checked
def grid_surface(
    values: Annotated[np.ndarray, Sides("rows", "columns")],
    alphas: Annotated[Sequence[float] | np.ndarray, Sides("alphas")],
    betas: Annotated[Sequence[float] | np.ndarray, Sides("betas")],
    value: str = "ACR",
    *,
    names: tuple[str, str] = ("α", "β"),
    lower: bool | None = None,
    title: str | None = None,
) -> go.Figure:
    """The same as `grid_heatmap`, in three dimensions; the best point is marked. Its axes have room for names only."""
    grid = ParameterGrid(values, alphas, betas, value, names, lower)
    if grid.best is None:
        return nothing_yet("the surface appears as its runs finish", title, SURFACE_HEIGHT)
    if min(grid.values.shape) < 2:
        return nothing_yet("a surface needs two values of each parameter", title, SURFACE_HEIGHT)
    i, j = grid.best
    what = plain(metric_title(value))
    # A little above, or the surface would cover half of it.
    above = grid.values[i, j] + 0.03 * float(np.nanmax(grid.values) - np.nanmin(grid.values))
    marker = {"color": PALETTE[1], "size": 5}
    data: list[dict[str, Any]] = [
        {
            "type": "surface",
            "x": list(range(len(grid.alphas))),
            "y": list(range(len(grid.betas))),
            "z": grid.values.T,
            "colorscale": SEQUENTIAL,
            "customdata": grid.cell_names,
            "hovertemplate": f"%{{customdata}}<br>{what} %{{z:.4f}}<extra></extra>",
            "contours": {axis: {"show": True, "color": SOLID_GRID, "highlight": False} for axis in ("x", "y")},
            "showscale": False,  # the height says it already
        },
        scatter([i], [j], "markers", type="scatter3d", z=[above], marker=marker, showlegend=False),
    ]
    scene = {
        "xaxis": scene_axis(plain(grid.names[0]), grid.alpha_words),
        "yaxis": scene_axis(plain(grid.names[1]), grid.beta_words),
        "zaxis": scene_axis(""),  # the caption says it: beside the axis it would be cut
        "aspectratio": {"x": 1, "y": 1, "z": 0.7},
        "camera": {"eye": EYE, "center": {"x": 0, "y": 0, "z": -0.15}},
    }
    further = {"eye": {axis: FURTHER * place for axis, place in EYE.items()}}
    layout = {
        "scene": scene,
        "margin": {"l": 0, "r": 0, "t": 24, "b": 0},
        "annotations": [heading(f"{what}, {grid.caption()}", 0, 1)],
        "dragmode": "turntable",
    }
    narrow = {"scene": {**scene, "camera": {**scene["camera"], **further}}}
    alt = f"Surface of {grid.describe()}"
    return draw(data, layout, alt=alt, title=title, height=SURFACE_HEIGHT, narrow=narrow)
