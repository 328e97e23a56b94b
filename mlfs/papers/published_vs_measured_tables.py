"""Published and measured numbers as people read them: pair by pair, or as a grid of differences, coloured by size."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from mlfs.evaluation.protocols import PROTOCOLS
from mlfs.metrics import METRICS, quantity
from mlfs.papers.experiment import Experiment
from mlfs.papers.paper import PublishedTable, get_paper, get_table
from mlfs.papers.published import with_words
from mlfs.papers.published_vs_measured import is_of_times, side_by_side
from mlfs.plots.figure import PALETTE
from mlfs.plots.palette import wash
from mlfs.results import setting_title
from mlfs.tables.sheet import DECIMALS, NOTHING, Sheet
from mlfs.wording import settings_text

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

#: A difference of this share of the published value has the full colour.
FULL = 0.5
# Ink reads on it in light and dark.
STRONGEST = 0.6
BELOW, ABOVE = PALETTE[1], PALETTE[0]
_STATISTICS = ("friedman_F", "critical_value")


def pairs(paper: str, table: str | int, measured_rows: pd.DataFrame, metric: str | None = None) -> pd.DataFrame:
    """As `side_by_side`, only where something was measured, with the metric, the chosen parameters and the words.

    Of a table of statistics all its statistics stand below each other.

    Columns besides those of `side_by_side`: metric, chosen, published_text, rounding (half of its last digit) and
    measured_text; of times, which are ratios, also published_seconds (as printed) and measured_seconds.
    """
    declared = get_table(paper, table)
    names = _STATISTICS if declared.is_of_statistics else (metric or declared.metric,)
    parts = [side_by_side(paper, table, measured_rows, name).assign(metric=name) for name in names]
    both = pd.concat(parts, ignore_index=True)
    chosen = measured_rows[["dataset", "setting", "metric", "chosen"]].drop_duplicates(["dataset", "setting", "metric"])
    both = both.merge(chosen, how="left", on=["dataset", "setting", "metric"])
    if is_of_times(declared):
        both = _with_seconds(both, declared, measured_rows)
    both = both[both["measured"].notna()].reset_index(drop=True)
    ours = [_written(row.measured, row.std, row.metric, declared) for row in both.itertuples()]
    printed = _printed(both, declared)
    digits = [0.0 if is_of_times(declared) else rounding(text) for text in printed]
    return both.assign(published_text=printed, rounding=digits, measured_text=ours)


def styled_pairs(both: pd.DataFrame, table: PublishedTable) -> Styler:
    """Published, measured and difference, a row for each; the cells stay numbers, so that they sort as such."""
    shown = _shown(both, table)
    styler = shown.style.format("{:.0f}", subset=[_counted(table)], na_rep=NOTHING)
    for column, words in _columns(both, table).items():
        styler = with_words(styler, column, words)
    return styler.apply(
        lambda _: colours(both["difference"], both["published"], both["rounding"]), subset=["Difference"]
    )


def pairs_sheet(both: pd.DataFrame, table: PublishedTable) -> Sheet:
    """The same words, for `mlfs.tables.to_latex`."""
    shown, words = _shown(both, table), _columns(both, table)
    columns = [words.get(name, [_plain(cell) for cell in shown[name]]) for name in shown.columns]
    rows = [list(row) for row in zip(*columns, strict=True)]
    numeric = [name in words or name == _counted(table) for name in shown.columns]
    return Sheet(list(shown.columns), rows, [[""] * len(columns) for _ in rows], numeric)


def difference_grid(both: pd.DataFrame) -> pd.DataFrame:
    """Measured − published, data sets × methods, in the order of the table."""
    return _grid(both, "difference")


def styled_differences(both: pd.DataFrame, table: PublishedTable) -> Styler:
    """The grid of differences with their signs, coloured by their share of the published value."""
    grid, base, rounding = (_grid(both, what) for what in ("difference", "published", "rounding"))
    washes = [colours(grid[name], base[name], rounding[name]) for name in grid.columns]
    metric = str(both["metric"].iloc[0])
    return grid.style.format(lambda value: _signed(value, metric, table)).apply(
        lambda _: np.array(washes, dtype=object).T, axis=None
    )


def colours(difference: pd.Series, base: pd.Series, rounding: pd.Series) -> list[str]:
    """A style for each difference: its side by the hue, its share of the published value by the strength.

    What the rounding of the paper explains has no colour.

    >>> colours(pd.Series([0.1, 0.0004]), pd.Series([0.4, 0.4]), pd.Series([0.0005, 0.0005]))
    ['background-color: rgba(0, 114, 178, 0.3)', '']
    """
    return [_colour(*cell) for cell in zip(difference, base, rounding, strict=True)]


def _colour(difference: float, base: float, rounding: float) -> str:
    if not np.isfinite(difference) or abs(difference) <= rounding:
        return ""
    share = abs(difference) / (FULL * abs(base)) if base else 1.0
    hue = ABOVE if difference > 0 else BELOW
    return f"background-color: {wash(hue, round(STRONGEST * min(share, 1.0), 3))}"


def rounding(text: str) -> float:
    """Half of the last digit of a number as printed; a whole number is exact.

    >>> rounding("0.209 ± 0.01"), rounding("> 1000"), rounding("–")
    (0.0005, 0.0, 0.0)
    """
    decimals = len(text.partition("±")[0].strip().partition(".")[2])
    return 0.5 * 10.0**-decimals if decimals else 0.0


def not_measured(experiment: Experiment, rows: pd.DataFrame) -> list[str]:
    """The data sets of the paper that no row is about."""
    names = {name for text in rows["chosen"] for name in str(text).split(", ")} if _is_of_all(rows) else set()
    return [name for name in experiment.datasets if name not in names | set(rows["dataset"])]


def fewer_splits(experiment: Experiment, rows: pd.DataFrame) -> str:
    """A sentence where a number rests on fewer splits than the paper's protocol draws, else nothing."""
    usual = PROTOCOLS[get_paper(experiment.paper).protocol].n_splits
    if experiment.kind in ("times", "statistics") or rows.empty:
        return ""
    few = rows[rows["n"] < usual]
    parts = [f"{n:.0f} on {_where(group, rows)}" for n, group in few.groupby("n", sort=True)]
    return f"Fewer splits than the paper's {usual}: {'; '.join(reversed(parts))}." if parts else ""


def _where(few: pd.DataFrame, rows: pd.DataFrame) -> str:
    """Data sets, each with the methods in brackets where not all of them are meant."""
    words = []
    for name, group in few.groupby("dataset", sort=False):
        settings = dict.fromkeys(group["setting"])
        every = len(settings) == rows.loc[rows["dataset"] == name, "setting"].nunique()
        words.append(str(name) if every else f"{name} ({', '.join(map(setting_title, settings))})")
    return ", ".join(words)


def _with_seconds(both: pd.DataFrame, table: PublishedTable, rows: pd.DataFrame) -> pd.DataFrame:
    """The times behind the ratios."""
    keys = ["dataset", "setting"]
    printed = table.rows[[*keys, "text"]].rename(columns={"text": "published_seconds"})
    ours = rows[rows["metric"] == table.metric][[*keys, "value"]].rename(columns={"value": "measured_seconds"})
    return both.merge(printed, how="left", on=keys).merge(ours, how="left", on=keys)


def _is_of_all(rows: pd.DataFrame) -> bool:
    return bool((rows["dataset"] == "").any())


def _shown(both: pd.DataFrame, table: PublishedTable) -> pd.DataFrame:
    """The columns that people read, with numbers in them; one that says nothing is left out."""
    names = [quantity(name).title for name in both["setting"]] if table.is_of_statistics else None
    settings = names or [setting_title(name) for name in both["setting"]]
    first = [quantity(name).title for name in both["metric"]] if table.is_of_statistics else both["dataset"]
    shown = pd.DataFrame(
        {
            "Data set": list(first),
            "Method": settings,
            "Published": both["published"],
            "Measured": both["measured"],
            "Difference": both["difference"],
            _counted(table): both["n"],
            "Chosen": [
                settings_text(chosen, str(method).partition(":")[0]) if "=" in str(chosen) else chosen
                for method, chosen in zip(both["setting"], both["chosen"], strict=True)
            ],
        }
    )
    if is_of_times(table):
        seconds = {"Published s": both["published_seconds"], "Measured s": both["measured_seconds"]}
        for place, (name, column) in enumerate(seconds.items(), start=2):
            shown.insert(place, name, [_seconds(value) for value in column])
        shown = shown.rename(columns={"Published": "Published ratio", "Measured": "Measured ratio"})
    if table.is_of_statistics:
        return shown.rename(columns={"Data set": "Statistic", "Method": "Of"}).drop(columns="Chosen")
    if len(table.methods) == 1:
        shown = shown.drop(columns="Method")
    return shown if shown["Chosen"].fillna("").any() else shown.drop(columns="Chosen")


def _counted(table: PublishedTable) -> str:
    """What `n` counts."""
    return "Data sets" if table.is_of_statistics else "Runs" if is_of_times(table) else "Splits"


def _columns(both: pd.DataFrame, table: PublishedTable) -> dict[str, list[str]]:
    signed = [_signed(row.difference, row.metric, table) for row in both.itertuples()]
    more = " ratio" if is_of_times(table) else ""
    return {
        f"Published{more}": list(both["published_text"]),
        f"Measured{more}": list(both["measured_text"]),
        "Difference": signed,
    }


def _grid(both: pd.DataFrame, what: str) -> pd.DataFrame:
    grid = both.pivot_table(what, "dataset", "setting", sort=False, dropna=False)
    order = [name for name in dict.fromkeys(both["setting"]) if name in grid]
    titles = [setting_title(name) for name in order]
    return grid[order].set_axis(titles, axis="columns").rename_axis(index="Data set", columns=None)


def _printed(both: pd.DataFrame, table: PublishedTable) -> list[str]:
    """The digits of the paper; of times, which are ratios here, ours."""
    if is_of_times(table):
        return [
            f"{row.bound} {_number(row.published, row.metric, table)}".strip()
            if np.isfinite(row.published)
            else NOTHING
            for row in both.itertuples()
        ]
    rows = table.rows
    setting = rows["tested"] if table.is_of_statistics else rows["setting"]
    known = dict(zip(zip(rows["metric"], rows["dataset"], setting, strict=True), rows["text"], strict=True))
    shared = {key[0]: text for key, text in known.items() if key[1:] == ("", "")}  # one critical value for all
    keys = zip(both["metric"], both["dataset"], both["setting"], strict=True)
    return [known.get(key, shared.get(key[0], NOTHING)) for key in keys]


def _written(value: float, std: float, metric: str, table: PublishedTable) -> str:
    spread = f" ± {_number(std, metric, table)}" if np.isfinite(std) else ""
    return f"{_number(value, metric, table)}{spread}"


def _number(value: float, metric: str, table: PublishedTable) -> str:
    if not np.isfinite(value):
        return NOTHING
    if is_of_times(table):
        return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"
    if metric in METRICS:
        return f"{value:.{DECIMALS}f}"
    return f"{value:.3f}" if table.is_of_statistics else f"{value:g}"


def _signed(value: float, metric: str, table: PublishedTable) -> str:
    """With its sign, which says without colour what the colour says."""
    if not np.isfinite(value):
        return NOTHING
    text = _number(abs(value), metric, table)
    if not float(text):
        return text
    return f"{'+' if value > 0 else '−'}{text}"


def _seconds(cell: object) -> str:
    return cell if isinstance(cell, str) else _plain(cell, "{:.3g}")


def _plain(cell: object, form: str = "{:.0f}") -> str:
    if isinstance(cell, str):
        return cell
    return NOTHING if pd.isna(cell) else form.format(cell)
