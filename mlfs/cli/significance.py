"""``mlfs significance``: do the methods of a table of results really differ?"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from mlfs.cli.arguments import new_file, size
from mlfs.cli.output import Answer, figure, notes, records, table
from mlfs.cli.parser import Parser, UsageError, describe
from mlfs.errors import StatisticsError
from mlfs.files import write_file
from mlfs.statistics.friedman import FriedmanResult
from mlfs.statistics.verdict import TESTS, Verdict, conclusion, judge
from mlfs.tables.joining import join_tables
from mlfs.tables.result_table import ResultTable, read_result_table, result_table
from mlfs.wording import joined


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
    parser.add_argument(
        "--join",
        type=Path,
        metavar="CSV",
        help="results of another program on the same data sets: data sets down and methods across, or the columns "
        "dataset, method, metric, value",
    )
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
        "--no-tie-correction",
        action="store_true",
        help="Friedman's test by the formulas as papers print them, not corrected for ties",
    )
    parser.add_argument(
        "--svg", type=new_file, metavar="FILE", help="draw the critical-difference diagram with Chrome or Chromium"
    )
    parser.add_argument("--html", type=new_file, metavar="FILE", help="draw it without a browser, as a page")


def run(arguments: argparse.Namespace) -> Answer:
    test = arguments.test or ("bonferroni_dunn" if arguments.control else "nemenyi")
    if (test == "bonferroni_dunn") != bool(arguments.control):
        raise UsageError("bonferroni_dunn, and it alone, compares with one method: name it with --control.")
    results = _results(arguments)
    if arguments.join:
        results = join_tables(results, _text_of(arguments.join), arguments.at)
    lower = results.lower_is_better and not arguments.higher_is_better
    verdict = judge(
        results.table,
        test,
        control=arguments.control,
        lower_is_better=lower,
        alpha=arguments.alpha,
        tie_correction=not arguments.no_tie_correction,
    )
    document = {
        "metric": results.metric,
        "lower_is_better": lower,
        "datasets": list(map(str, results.table.index)),
        "friedman": verdict.friedman and _friedman_document(verdict.friedman, verdict.alpha),
        "test": test,
        "alpha": verdict.alpha,
        "control": verdict.control,
        "average_ranks": verdict.average_ranks.to_dict(),
        "critical_difference": verdict.critical_difference,
        "pairs": records(verdict.pairs),
        "groups": verdict.groups,
        "conclusion": conclusion(verdict),
        "notes": (*results.notes, *verdict.notes),
        "files": _draw(arguments, results, verdict),
    }
    return Answer(document, _text(results, lower, verdict, document["files"]))


def _results(arguments: argparse.Namespace) -> ResultTable:
    if arguments.store:
        from mlfs.cli.study import find_study, open_store

        with open_store(arguments.store) as store:
            rows = store.results(find_study(store, arguments.file).id)
        return result_table(rows, metric=arguments.metric, size=arguments.at)
    return read_result_table(_text_of(Path(arguments.file)), metric=arguments.metric, size=arguments.at)


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise StatisticsError(f"{path} is not text in UTF-8: save it as CSV in UTF-8.") from None


def _friedman_document(result: FriedmanResult, alpha: float) -> dict[str, Any]:
    fields = ("chi2", "F", "degrees_of_freedom", "p_value", "p_value_chi2", "tie_correction")
    return {**{name: getattr(result, name) for name in fields}, "critical_value": result.critical_value(alpha)}


def _draw(arguments: argparse.Namespace, results: ResultTable, verdict: Verdict) -> list[str]:
    """Write the diagram where it is asked for; the page first, for it needs no browser."""
    if not (arguments.html or arguments.svg):
        return []
    from mlfs.plots import to_html, to_image, verdict_diagram

    diagram = verdict_diagram(verdict, results.metric)
    if arguments.html:
        write_file(arguments.html, to_html(diagram))
    if arguments.svg:
        write_file(arguments.svg, to_image(diagram, "svg"))
    return [str(file) for file in (arguments.html, arguments.svg) if file]


def _text(results: ResultTable, lower: bool, verdict: Verdict, files: list[str]) -> str:
    n, k = results.table.shape
    better = "lower" if lower else "higher"
    parts = [f"{results.metric or 'The values'} of {k} methods on {n} data sets; {better} is better."]
    if verdict.friedman:
        ranked = verdict.friedman
        between, within = ranked.degrees_of_freedom
        parts.append(
            f"Friedman, corrected for ties: chi2 = {figure(ranked.chi2)}, F({between}, {within}) = {figure(ranked.F)}, "
            f"p = {figure(ranked.p_value)}; from F = {figure(ranked.critical_value(verdict.alpha))} the methods differ."
        )
    ranks = [[str(name), f"{rank:.4f}"] for name, rank in verdict.average_ranks.items()]
    parts.append(table(["method", "average rank"], ranks))
    if verdict.critical_difference is not None:
        named = f"{TESTS[verdict.test]}, alpha = {verdict.alpha:g}"
        parts.append(f"Critical difference ({named}): {verdict.critical_difference:.4f}")
    pairs = [
        [str(pair.method), str(pair.against), figure(pair.p_value), "yes" if pair.differs else "no"]
        for pair in verdict.pairs.itertuples()
    ]
    parts += [table(["method", "against", f"p ({TESTS[verdict.test]})", "differs"], pairs, left=2), conclusion(verdict)]
    if files:
        parts.append(f"Wrote {joined(files)}.")
    return "\n\n".join([*parts, *notes([*results.notes, *verdict.notes])])
