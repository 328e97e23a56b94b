"""Published and measured numbers side by side, and how far they differ."""

from __future__ import annotations

import numpy as np
import pandas as pd

from mlfs.papers.paper import PublishedTable, get_paper, get_table
from mlfs.papers.published import chosen_metric

COLUMNS = ["dataset", "setting", "published", "published_std", "bound", "measured", "std", "n", "difference"]
#: Times of two machines are compared as multiples of the time of one column in the same row.
REFERENCE = {"selection_seconds": None, "brlr_seconds": "n=50"}


def is_of_times(table: PublishedTable) -> bool:
    """Whether `side_by_side` gives ratios instead of the numbers themselves."""
    return table.metric in REFERENCE


def reference(table: PublishedTable) -> str | None:
    """The column by whose times all others are divided: the paper's own method, or as declared.

    >>> reference(get_table("zhang_2020_grro", 4)), reference(get_table("lee_kim_2016", 4))
    ('grro', 'n=50')
    """
    return (REFERENCE[table.metric] or get_paper(table.paper).methods[0]) if is_of_times(table) else None


def side_by_side(paper: str, table: str | int, measured_rows: pd.DataFrame, metric: str | None = None) -> pd.DataFrame:
    """What a table prints and what was measured, one row for each data set and method of the table.

    Parameters
    ----------
    measured_rows : of this table, as `run_experiment` or `stored_rows` gives them
    metric : needed where the table has several

    Returns
    -------
    DataFrame with the columns COLUMNS. ``difference`` is measured − published. Of a table of times both are ratios to
    the time of `reference` on the same data set. Of a table of statistics ``dataset`` is empty and ``setting`` the
    metric that was tested. ``bound`` is ">" or "≥" where the paper prints only that a number is beyond; a measured
    number that is beyond too has no difference.

    >>> rows = pd.DataFrame([{"dataset": "yeast", "setting": "els", "metric": "hamming_loss", "value": 0.21, "n": 1}])
    >>> both = side_by_side("lee_kim_2016", 5, rows).set_index(["dataset", "setting"])
    >>> print(round(both.loc[("yeast", "els"), "difference"], 3))
    0.001
    """
    declared = get_table(paper, table)
    rows = declared.rows
    if declared.is_of_statistics:
        return _statistics(rows, measured_rows, metric or "friedman_F")
    name = chosen_metric(declared, metric)
    printed = rows[rows["metric"] == name][["dataset", "setting", "value", "std", "bound"]]
    printed = printed.rename(columns={"value": "published", "std": "published_std"})
    ours = measured_rows[measured_rows["metric"] == name]
    if column := reference(declared):
        printed = _as_ratios(printed, ("published", "published_std"), column)
        ours = _as_ratios(ours.reindex(columns=["dataset", "setting", "value", "std", "n"]), ("value", "std"), column)
    return _joined(printed, ours)


def _joined(printed: pd.DataFrame, ours: pd.DataFrame) -> pd.DataFrame:
    ours = ours.reindex(columns=["dataset", "setting", "value", "std", "n"]).rename(columns={"value": "measured"})
    both = printed.merge(ours, how="left", on=["dataset", "setting"])
    beyond = (both["bound"] != "") & (both["measured"] >= both["published"])
    both["difference"] = (both["measured"] - both["published"]).mask(beyond)
    by_dataset = np.argsort(pd.factorize(both["dataset"])[0], kind="stable")
    return both.iloc[by_dataset].reset_index(drop=True)[COLUMNS]


def _statistics(rows: pd.DataFrame, measured_rows: pd.DataFrame, metric: str) -> pd.DataFrame:
    printed = rows[rows["metric"] == metric].rename(columns={"value": "published", "std": "published_std"})
    if metric == "critical_value":  # printed once for all metrics
        tested = rows.loc[rows["tested"] != "", "tested"]
        printed = printed.drop(columns="tested").merge(tested, how="cross")
    printed = printed.assign(setting=printed["tested"], dataset="")
    return _joined(printed, measured_rows[measured_rows["metric"] == metric])


def _as_ratios(rows: pd.DataFrame, columns: tuple[str, str], by: str) -> pd.DataFrame:
    """Times as multiples of that of one setting on the same data set; none where this is printed as nought."""
    times = rows[rows["setting"] == by].drop_duplicates("dataset").set_index("dataset")[columns[0]]
    divisor = rows["dataset"].map(times.where(times > 0)).astype(float)
    return rows.assign(**{name: rows[name].astype(float) / divisor for name in columns})
