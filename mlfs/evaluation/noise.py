"""How noisy selected features are: R(F) and C(F) of several methods at tenths of the features (Wang et al. 2020)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from mlfs.checks import checked
from mlfs.datasets import Dataset
from mlfs.evaluation.explorer import Explorer
from mlfs.evaluation.protocols import Choice, Protocol, get_protocol, method_and_parameters, parameters_text
from mlfs.results import settings_of
from mlfs.wording import plain_number

TENTHS = tuple(step / 10 for step in range(1, 10))
#: The two measures; lower is better in both.
MEASURES = ("redundancy", "residual_label_correlation")


def noise_protocol(protocol: str | Protocol = "quick") -> Protocol:
    """The protocol with its sizes at k' = d/10, 2d/10, …, 9d/10 of the d features."""
    return get_protocol(protocol, sizes=TENTHS, every_size=False)


@checked
def noise_at_tenths(
    explorer: Explorer, selector: Choice, protocol: str | Protocol = "quick", *, seed: int = 0, repeat: int = 0
) -> pd.DataFrame:
    """R(F) and C(F) of the first tenths of a method's ranking: columns size, redundancy, residual_label_correlation.

    Selected and measured on the training rows of one of the protocol's splits.
    """
    protocol = noise_protocol(protocol)
    ranking = explorer.fit(selector, protocol, seed=seed, repeat=repeat)[0].ranking_
    sizes = [size for size in protocol.sizes_for(explorer.ds.X.shape[1]) if size <= len(ranking)]
    return explorer.noise(ranking, sizes, protocol, seed=seed, repeat=repeat)


@checked
def noise_table(
    ds: Dataset, selectors: Sequence[Choice], protocol: str | Protocol = "quick", *, seed: int = 0, repeat: int = 0
) -> pd.DataFrame:
    """`noise_at_tenths` of several methods, one below the other; the column setting names them."""
    explorer, tables = Explorer(ds), []
    for selector in selectors:
        method, parameters = method_and_parameters(selector)
        table = noise_at_tenths(explorer, selector, protocol, seed=seed, repeat=repeat)
        tables.append((method, parameters_text(method, parameters), table))
    return together(tables)


def together(tables: Sequence[tuple[str, str, pd.DataFrame]]) -> pd.DataFrame:
    """Tables of several methods, given with their id and parameters (as JSON), as one with the column setting.

    >>> table = pd.DataFrame({"size": [1], "redundancy": [0.5]})
    >>> together([("els", "{}", table), ("grro", '{"alpha": 1.0}', table), ("grro", "{}", table)])["setting"].tolist()
    ['els', 'grro:alpha=1', 'grro']
    """
    parts = [table.assign(method=method, parameters=parameters) for method, parameters, table in tables]
    if not parts:
        return pd.DataFrame(columns=["setting", "size"])
    table = pd.concat(parts, ignore_index=True)
    table.insert(0, "setting", settings_of(table))
    return table.drop(columns=["method", "parameters"])


def least_noise(table: pd.DataFrame, name: Callable[[str], str] = str) -> str:
    """Which method keeps R(F), and which C(F), lowest on average, in a sentence; "" where they cannot be compared.

    >>> measured = {"redundancy": [0.2, 0.1], "residual_label_correlation": [0.6, 0.5]}
    >>> least_noise(pd.DataFrame({"setting": ["els", "mfs"], "size": 3, **measured})).partition(" and ")[0]
    'mfs selects the least redundant features (mean R(F) 0.1)'
    """
    redundant, residual = (lowest(table, measure) for measure in MEASURES)
    if redundant is None or residual is None:
        return ""
    if _alike(table):
        return "The methods are alike here: none selects less redundant features, or leaves less unexplained."
    means = [plain_number(float(f"{mean:.3g}")) for _, mean in (redundant, residual)]
    least = f"the least redundant features (mean R(F) {means[0]})"
    rest = f"the least label correlation unexplained (mean C(F) {means[1]})"
    if redundant[0] == residual[0]:
        return f"{name(redundant[0])} selects {least} and leaves {rest}."
    return f"{name(redundant[0])} selects {least}; {name(residual[0])} leaves {rest}."


def _alike(table: pd.DataFrame) -> bool:
    """Whether several settings have the same values of both measures, as where all features are selected."""
    grids = [table.pivot_table(measure, "size", "setting").dropna() for measure in MEASURES]
    return all(np.allclose(grid, grid.iloc[:, :1], rtol=1e-9, atol=0) for grid in grids)


def lowest(table: pd.DataFrame, measure: str) -> tuple[str, float] | None:
    """The setting with the lowest mean of a measure over the sizes that all settings have, and that mean.

    >>> lowest(pd.DataFrame({"setting": ["els", "els", "mfs"], "size": [1, 2, 2], "redundancy": [9, 3, 4]}),
    ...        "redundancy")
    ('els', 3.0)
    """
    grid = table.pivot_table(measure, "size", "setting", sort=False).dropna()
    if grid.empty:
        return None
    means = grid.mean()
    return str(means.idxmin()), float(means.min())
