"""``mlfs significance``: do the methods of a table of results really differ?"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from mlfs.cli.answer import Answer
from mlfs.cli.layout import figure, listing, notes, table
from mlfs.cli.parser import Parser, UsageError, describe
from mlfs.cli.results import records
from mlfs.cli.values import new_file, size
from mlfs.errors import StatisticsError
from mlfs.statistics.friedman import FriedmanResult
from mlfs.statistics.verdict import TESTS, Verdict, conclusion, judge
from mlfs.tables.reading import Grid, grid_of, read_grid


def build(parser: Parser) -> None:
    describe(
        parser,
        run,
        "do the methods of a table of results really differ?",
        more="FILE is what mlfs compare --csv or mlfs study export wrote, or a table with data sets in its first\n"
        "column and a method in each other one. Friedman's test is followed by Nemenyi's (all pairs) or, with\n"
        "--control, by Bonferroni and Dunn's (one against all); or Wilcoxon tests all pairs, corrected by Holm.",
        examples="""
            mlfs compare synthetic emotions yeast scene --methods els fimf random --sizes 5 --csv results.csv
            mlfs significance results.csv --metric hamming_loss
            mlfs significance results.csv --metric hamming_loss --control els --html diagram.html
        """,
    )
    parser.add_argument("file", metavar="FILE", help="a CSV; with --store the number or name of a study")
    parser.add_argument("--store", type=Path, metavar="FILE", help="test a study of this store instead of a CSV")
    parser.add_argument("--metric", metavar="NAME", help="which metric of the rows; also says which way is better")
    parser.add_argument(
        "--at", type=size, metavar="SIZE", help="a number of features, mean over the sizes, or best (default: the last)"
    )
    parser.add_argument(
        "--higher-is-better", action="store_true", help="for a table of scores whose metric mlfs does not know"
    )
    parser.add_argument("--test", choices=tuple(TESTS), help="default: nemenyi, or bonferroni_dunn with --control")
    parser.add_argument("--control", metavar="METHOD", help="the method that all others are compared with")
    parser.add_argument("--alpha", type=float, default=0.05, metavar="P", help="level of significance (default: 0.05)")
    parser.add_argument(
        "--svg", type=new_file, metavar="FILE", help="draw the critical-difference diagram with Chrome or Chromium"
    )
    parser.add_argument("--html", type=new_file, metavar="FILE", help="draw it without a browser, as a page")


def run(arguments: argparse.Namespace) -> Answer:
    test = arguments.test or ("bonferroni_dunn" if arguments.control else "nemenyi")
    if (test == "bonferroni_dunn") != bool(arguments.control):
        raise UsageError("bonferroni_dunn, and it alone, compares with one method: name it with --control.")
    grid = _grid(arguments)
    lower = grid.lower_is_better and not arguments.higher_is_better
    found = judge(grid.table, test, control=arguments.control, lower_is_better=lower, alpha=arguments.alpha)
    document = {
        "metric": grid.metric,
        "lower_is_better": lower,
        "datasets": list(map(str, grid.table.index)),
        "friedman": found.friedman and _friedman(found.friedman, found.alpha),
        "test": test,
        "alpha": found.alpha,
        "control": found.control,
        "average_ranks": found.average_ranks.to_dict(),
        "critical_difference": found.critical_difference,
        "pairs": records(found.pairs),
        "groups": found.groups,
        "conclusion": conclusion(found),
        "notes": (*grid.notes, *found.notes),
        "files": _draw(arguments, grid, found),
    }
    return Answer(document, _told(grid, lower, found, document["files"]))


def _grid(arguments: argparse.Namespace) -> Grid:
    if arguments.store:
        from mlfs.cli.study import find_study, open_store

        with open_store(arguments.store) as store:
            rows = store.results(find_study(store, arguments.file).id)
        return grid_of(rows, metric=arguments.metric, size=arguments.at)
    try:
        text = Path(arguments.file).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise StatisticsError(f"{arguments.file} is not text in UTF-8: save it as CSV in UTF-8.") from None
    return read_grid(text, metric=arguments.metric, size=arguments.at)


def _friedman(result: FriedmanResult, alpha: float) -> dict[str, Any]:
    return {
        "chi2": result.chi2,
        "F": result.F,
        "degrees_of_freedom": result.degrees_of_freedom,
        "p_value": result.p_value,
        "p_value_chi2": result.p_value_chi2,
        "critical_value": result.critical_value(alpha),
    }


def _draw(arguments: argparse.Namespace, grid: Grid, found: Verdict) -> list[str]:
    """Write the diagram where it is asked for; the page first, for it needs no browser."""
    if not (arguments.html or arguments.svg):
        return []
    from mlfs.plots import critical_difference_diagram, to_html, to_image

    diagram = critical_difference_diagram(
        found.average_ranks,
        found.critical_difference,
        groups=None if found.control else found.groups,
        control=found.control,
        metric=grid.metric,
    )
    if arguments.html:
        arguments.html.write_text(to_html(diagram), encoding="utf-8")
    if arguments.svg:
        arguments.svg.write_bytes(to_image(diagram, "svg"))
    return [str(file) for file in (arguments.html, arguments.svg) if file]


def _told(grid: Grid, lower: bool, found: Verdict, files: list[str]) -> str:
    n, k = grid.table.shape
    better = "lower" if lower else "higher"
    parts = [f"{grid.metric or 'The values'} of {k} methods on {n} data sets; {better} is better."]
    if found.friedman:
        one, two = found.friedman.degrees_of_freedom
        parts.append(
            f"Friedman: chi2 = {figure(found.friedman.chi2)}, F({one}, {two}) = {figure(found.friedman.F)}, "
            f"p = {figure(found.friedman.p_value)}; from F = {figure(found.friedman.critical_value(found.alpha))} "
            "the methods differ."
        )
    ranks = [[str(name), f"{rank:.4f}"] for name, rank in found.average_ranks.items()]
    parts.append(table(["method", "average rank"], ranks))
    if found.critical_difference is not None:
        named = f"{TESTS[found.test]}, alpha = {found.alpha:g}"
        parts.append(f"Critical difference ({named}): {found.critical_difference:.4f}")
    pairs = [
        [str(pair.method), str(pair.against), figure(pair.p_value), "yes" if pair.differs else "no"]
        for pair in found.pairs.itertuples()
    ]
    parts += [table(["method", "against", f"p ({TESTS[found.test]})", "differs"], pairs, left=2), conclusion(found)]
    if files:
        parts.append(f"Wrote {listing(files)}.")
    return "\n\n".join([*parts, *notes([*grid.notes, *found.notes])])
