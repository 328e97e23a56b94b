"""``mlfs paper``: the published tables, as the papers print them, and the same computed again."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from mlfs.cli import paper_numbers, paper_question
from mlfs.cli.output import Answer, facts, notes, records, table
from mlfs.cli.paper_run import add_run, stored_answer
from mlfs.cli.parser import Parser, UsageError, add_family, add_verb
from mlfs.papers import PAPERS, Paper, PublishedTable, as_grid, best_cells, get_paper, get_table

if TYPE_CHECKING:
    from mlfs.papers.findings import Finding
    from mlfs.papers.reproduction import Reproduction


def build(parser: Parser) -> None:
    verbs = add_family(parser, "the published tables of the papers, and the same computed again")
    add_verb(verbs, "list", run_list, "the papers, and how many tables they print", examples="mlfs paper list")
    shown = add_verb(
        verbs,
        "show",
        run_show,
        "what a paper proposes and prints, or one of its tables",
        examples="""
            mlfs paper show lee_kim_2016
            mlfs paper show lee_kim_2016 5
            mlfs paper show zhou_2023_mapd IV --json
            mlfs paper show lee_kim_2016 table5 --measured
        """,
    )
    shown.add_argument("paper", metavar="PAPER", help=f"one of {', '.join(PAPERS)}")
    shown.add_argument("table", nargs="?", metavar="TABLE", help="its number, as the paper writes it")
    shown.add_argument("--metric", metavar="NAME", help="where a table has several")
    shown.add_argument(
        "--measured", action="store_true", help="the stored runs of a table or figure beside the published numbers"
    )
    add_run(verbs)
    paper_numbers.build(verbs)
    paper_question.build(verbs)


def run_list(arguments: argparse.Namespace) -> Answer:
    rows = [[paper.id, paper.title, str(paper.year), str(len(paper.tables))] for paper in PAPERS.values()]
    return Answer(
        {"papers": [_document(paper) for paper in PAPERS.values()]}, table(["id", "title", "year", "tables"], rows, 2)
    )


def run_show(arguments: argparse.Namespace) -> Answer:
    if arguments.measured:
        if arguments.table is None:
            raise UsageError("--measured needs a table or figure, such as table5 or figure2.")
        return stored_answer(arguments.paper, arguments.table)
    if arguments.table is None:
        paper = get_paper(arguments.paper)
        from mlfs.papers.closeness import closeness, closeness_counts  # late: studies and what they need come with it
        from mlfs.papers.findings import MeasuredNumbers, findings_of
        from mlfs.papers.reproduction import reproductions_of

        measured = MeasuredNumbers(paper.id)
        claims, verdicts = findings_of(measured), reproductions_of(measured)
        counted = closeness_counts(paper.id, closeness(paper.id, measured))
        document = {
            **_document(paper),
            "findings": list(map(asdict, claims)),
            "verdicts": list(map(asdict, verdicts)),
            "counts": counted.counts,
        }
        return Answer(document, _paper_text(paper, claims, verdicts, counted.sentence))
    declared = get_table(arguments.paper, arguments.table)
    rows = declared.rows
    if arguments.metric:
        rows = rows[rows["metric"] == arguments.metric]
    metrics = [arguments.metric] if arguments.metric or declared.is_of_statistics else list(declared.metrics)
    grids = "\n\n".join(_grid_text(declared, metric) for metric in metrics)
    document = {**_table_document(declared), "note": declared.note, "rows": records(rows)}
    title = f"{declared.paper}, {declared.name}. {declared.caption}"
    return Answer(document, "\n\n".join([title, grids, *notes([declared.note] if declared.note else [])]))


def _grid_text(declared: PublishedTable, metric: str | None) -> str:
    """The digits as printed, the best of a row with a star."""
    grid = as_grid(declared.paper, declared.result, metric, what="text").fillna("–")
    best = best_cells(declared.paper, declared.result, metric)
    rows = [
        [str(name), *(f"{cell}{'*' if best.loc[name, method] else ' '}" for method, cell in row.items())]
        for name, row in grid.iterrows()
    ]
    star = "\n* the best of a row" if best.to_numpy().any() else ""
    named = f"{metric}\n\n" if metric else ""
    return named + table([str(grid.index.name or ""), *(f"{name} " for name in grid.columns)], rows) + star


def _paper_text(
    paper: Paper, findings_of_paper: Sequence[Finding], verdicts: Sequence[Reproduction], counted: str
) -> str:
    about = [
        ("title", paper.title),
        ("authors", paper.authors),
        ("in", f"{paper.venue}, {paper.year}"),
        ("proposes", paper.proposes),
        ("protocol", paper.protocol),
        ("methods", ", ".join(paper.methods)),
    ]
    parts = [facts(about)]
    for head, results in ((["table", "what it holds"], paper.tables), (["figure", "what it shows"], paper.figures)):
        if results:
            parts.append(table(head, [[result.number, result.caption] for result in results], left=2))
    if paper.known_errors:
        parts.append("\n".join(["known errors in the paper:", *(f"- {error}" for error in paper.known_errors)]))
    if findings_of_paper:
        parts.append(table(["result", "verdict", "why"], [[v.name, v.verdict, v.why] for v in verdicts], left=3))
        parts.append(counted)
        claims = [
            f"- {finding.claim}: {finding.verdict or 'a remark'}. {finding.evidence}" for finding in findings_of_paper
        ]
        parts.append("\n".join(["run again:", *claims]))
    return "\n\n".join(parts)


def _document(paper: Paper) -> dict[str, object]:
    fields = ("id", "title", "authors", "year", "venue", "proposes", "protocol", "methods")
    return {
        **{name: getattr(paper, name) for name in fields},
        "tables": [_table_document(declared) for declared in paper.tables],
        "figures": [{"figure": figure.number, "caption": figure.caption} for figure in paper.figures],
        "known_errors": paper.known_errors,
    }


def _table_document(declared: PublishedTable) -> dict[str, object]:
    fields = ("caption", "metrics", "datasets", "methods")
    return {"table": declared.number, **{name: getattr(declared, name) for name in fields}}
