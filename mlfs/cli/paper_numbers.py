"""``mlfs paper numbers``: how close every printed number comes out, and which experiments explain what does not."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Any

from mlfs.cli.output import Answer, figure, records, table
from mlfs.cli.parser import add_verb
from mlfs.papers import PAPERS, get_paper


def build(verbs: Any) -> None:
    """Add the verb to those of ``mlfs paper``."""
    parser = add_verb(
        verbs,
        "numbers",
        run,
        "how closely every printed number is reproduced, and what explains the others",
        more="Without a paper: how many numbers of each, and of all together, are how close. With one: its numbers\n"
        "that differ from the printed digits, and the experiments that explain some of them, each with the command\n"
        "that runs it again.",
        examples="""
            mlfs paper numbers
            mlfs paper numbers zhang_2020_grro
        """,
    )
    parser.add_argument("paper", nargs="?", metavar="PAPER", help=f"one of {', '.join(PAPERS)}")


def run(arguments: argparse.Namespace) -> Answer:
    return _all() if arguments.paper is None else _one(get_paper(arguments.paper).id)


def _all() -> Answer:
    from mlfs.papers.closeness import CLOSENESS_RULE, Closeness, closeness_counts, total_counts

    counted = [closeness_counts(paper) for paper in PAPERS]
    total = total_counts(counted)
    rows = [
        [each.paper, *(str(each.counts[kind]) for kind in Closeness), f"{each.accounted:.0%}" if each.compared else "–"]
        for each in (*counted, total)
    ]
    head = ["paper", *("equal", "deviation", "spread", "explained", "near", "unexplained", "not run"), "accounted for"]
    document = [{"paper": each.paper, "counts": each.counts, "accounted": each.accounted} for each in counted]
    together = {"counts": total.counts, "accounted": total.accounted}
    return Answer(
        {"papers": document, "total": together, "rule": CLOSENESS_RULE}, f"{table(head, rows)}\n\n{CLOSENESS_RULE}"
    )


def _one(paper: str) -> Answer:
    from mlfs.papers.closeness import CLOSENESS_RULE, closeness, closeness_counts, explanations, not_equal

    numbers = closeness(paper)
    counted, experiments = closeness_counts(paper, numbers), explanations(paper, numbers)
    apart = not_equal(numbers)
    trials = {trial: number for number, trial in enumerate(dict.fromkeys(apart["tried"].loc[apart["tried"] != ""]), 1)}
    lines = [
        [
            row.result,
            row.dataset,
            row.setting,
            row.metric,
            figure(row.published),
            figure(row.measured),
            f"[{trials[row.tried]}]" if row.tried else row.explained_by,
            row.closeness,
        ]
        for row in apart.itertuples()
    ]
    parts = [counted.sentence]
    if lines:
        head = ["result", "data set", "method", "metric", "published", "measured", "tried", "how close"]
        parts.append(table(head, lines, left=4))
    parts += [
        "\n".join([f"{each.numbers} explained: {each.title}", *(f"  {line}" for line in each.commands)])
        for each in experiments
    ]
    if trials:
        parts.append("\n".join(["What was tried:", *(f"[{number}] {trial}" for trial, number in trials.items())]))
    document = {
        "paper": paper,
        "counts": counted.counts,
        "accounted": counted.accounted,
        "numbers": records(numbers),
        "explanations": list(map(asdict, experiments)),
        "rule": CLOSENESS_RULE,
    }
    return Answer(document, "\n\n".join([*parts, CLOSENESS_RULE]))
