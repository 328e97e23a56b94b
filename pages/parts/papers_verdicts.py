"""The verdicts: a grid of all papers and their results, as links, and for the chosen paper why, in a line each.

There are two answers for each paper. The verdict judges runs that follow the paper to the letter; the numbers accounted
for include those that experiments give once they change something that the paper does not say.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from html import escape

import pandas as pd
import streamlit as st

from mlfs.metrics import quantity
from mlfs.papers import PAPERS, Paper
from mlfs.papers.agreement import RULE, Agreement
from mlfs.papers.closeness import (
    CLOSENESS_RULE,
    Closeness,
    ClosenessCounts,
    Explanation,
    closeness,
    closeness_counts,
    explanations,
    not_equal,
    total_counts,
)
from mlfs.papers.findings import Finding, findings
from mlfs.papers.reproduction import HOLDS, Reproduction, paper_verdict, reproductions
from mlfs.results import setting_title
from mlfs.wording import count
from pages.parts import exports
from pages.parts.cards import address, carried, marked
from pages.parts.menu import INSIDE
from pages.parts.words import literal

#: A sign and a class of the style sheet for each verdict: what colour says is said without it, too.
MARKS = {
    Agreement.AGREES: ("✓", "agrees"),
    Agreement.IN_PART: ("◐", "part"),
    Agreement.DIFFERS: ("✗", "differs"),
    Agreement.OPEN: ("–", "open"),
}
#: What the two columns of the grid say, in a line each.
AS_DESCRIBED, ACCOUNTED_FOR = "Run as described", "Numbers accounted for"
MEANINGS = (
    f"**{AS_DESCRIBED}**: we followed each paper to the letter and compared the results; these runs come with mlfs.",
    f"**{ACCOUNTED_FOR}**: printed numbers that we get too, to the digit or within the printed deviation, or that "
    "we can explain: an experiment gives them once it changes something that the paper does not state.",
)
BOTH = (
    "The two answers differ because they judge different runs. The first takes the paper at its word; the second also "
    "counts {changed} that we get only after a change that the paper does not mention."
)
NO_NUMBERS = "prints none to compare"
# Half-transparent, so that the ink of either theme stands out against it.
LOOK = """<style>
.mlfs-verdicts { font-size: 0.875rem; line-height: 1.4; container-type: inline-size; }
.mlfs-verdicts ul { list-style: none; margin: 0; padding: 0; }
.mlfs-verdicts li { margin: 0 !important; font-size: inherit !important; }
.mlfs-verdicts a { color: inherit !important; border-radius: 0.3rem; text-decoration: none !important; }
.mlfs-verdicts .paper { display: grid; grid-template-columns: 10rem 9rem 12rem 1fr; gap: 0 0.6rem;
  align-items: baseline; padding: 0.2rem 0.3rem;
  border-top: 1px solid color-mix(in srgb, currentColor 15%, transparent); }
.mlfs-verdicts .paper.head { border-top: 0; opacity: 0.85; }
.mlfs-verdicts .paper > a { font-weight: 600; }
.mlfs-verdicts .results a { display: inline-block; min-width: 1.5rem; margin: 0.1rem 0.15rem 0.1rem 0;
  padding: 0 0.25rem; text-align: center; background: rgba(128, 128, 128, 0.2); }
.mlfs-verdicts .results a::after { content: attr(data-mark); font-size: 0.75em; padding-left: 0.15rem; }
.mlfs-verdicts .results a[aria-current] { outline: 2px solid currentColor; }
.mlfs-verdicts .kind { display: inline-block; min-width: 3.6rem; }
.mlfs-verdicts .line { display: grid; grid-template-columns: 1.5rem 23rem 1fr; gap: 0 0.6rem; padding: 0.1rem 0.3rem;
  align-items: baseline; }
.mlfs-verdicts .line > span > a { text-decoration: underline !important; }
.mlfs-verdicts a:hover { background: color-mix(in srgb, currentColor 8%, transparent); }
.mlfs-verdicts a:focus-visible { outline: 2px solid currentColor; outline-offset: -2px; }
.mlfs-verdicts a.line[aria-current] { background: color-mix(in srgb, currentColor 12%, transparent); }
.mlfs-verdicts .mark { text-align: center; border-radius: 0.3rem; background: rgba(128, 128, 128, 0.2); }
.mlfs-verdicts .paper .mark { display: inline-block; width: 1.5rem; margin-right: 0.4rem; }
.mlfs-verdicts :is(.mark, .results a).agrees { background: rgba(0, 158, 115, 0.35); }
.mlfs-verdicts :is(.mark, .results a).part { background: rgba(230, 159, 0, 0.35); }
.mlfs-verdicts :is(.mark, .results a).differs { background: rgba(213, 94, 0, 0.45); }
.mlfs-verdicts summary { cursor: pointer; padding: 0.12rem 0.3rem 0.12rem 3.6rem; text-indent: -3.3rem;
  border-radius: 0.3rem; }
.mlfs-verdicts summary .mark { display: inline-block; width: 1.6rem; margin: 0 0.6rem 0 0.4rem; text-indent: 0; }
.mlfs-verdicts details p { margin: 0.2rem 0 0.6rem 3.6rem; }
@container (max-width: 46rem) {
  .mlfs-verdicts .paper { grid-template-columns: 1fr 1fr; padding: 0.4rem 0; }
  .mlfs-verdicts .paper > :is(a, .results) { grid-column: 1 / -1; }
  .mlfs-verdicts .paper.head > :is(:first-child, :last-child) { display: none; }
  .mlfs-verdicts .results a { min-width: 2rem; padding: 0.2rem 0.3rem; }
  .mlfs-verdicts .line { grid-template-columns: 1.5rem 1fr; padding: 0.3rem; }
  .mlfs-verdicts .why { grid-column: 2; }
}
</style>"""


@st.cache_data(show_spinner="Comparing with the papers")
def reproductions_of(paper: str) -> list[Reproduction]:
    """By the stored runs: the same for everybody."""
    return reproductions(paper)


@st.cache_data(show_spinner=False)
def findings_on(paper: str) -> list[Finding]:
    """What the stored runs say: the same for everybody."""
    return findings(paper)


@st.cache_data(show_spinner=False)
def counts_of(paper: str) -> ClosenessCounts:
    """By the stored runs: the same for everybody."""
    return closeness_counts(paper, _numbers_of(paper))


@st.cache_data(show_spinner=False)
def _numbers_of(paper: str) -> pd.DataFrame:
    return closeness(paper)


@st.cache_data(show_spinner=False)
def _explanations_of(paper: str) -> list[Explanation]:
    return explanations(paper, _numbers_of(paper))


def show_grid(paper: Paper, result: str) -> None:
    """A row for each paper: its two answers, and the verdict on each of its results; all lead to the numbers."""
    titles = ("Paper", AS_DESCRIBED, ACCOUNTED_FOR, "Tables and figures")
    head = "".join(f"<span>{title}</span>" for title in titles)
    rows = [f'<div class="paper head">{head}</div>']
    for other in PAPERS.values():
        known, counted = reproductions_of(other.id), counts_of(other.id)
        verdict, why = paper_verdict(known)
        name = f'<a class="{INSIDE}" href="{_address(paper=other.id)}">{escape(other.short)}</a>'
        answer = f'<span title="{escape(why)}">{_mark(verdict)}{verdict}</span>'
        share = f"{counted.accounted:.0%} of {count(counted.compared, 'number')}" if counted.compared else NO_NUMBERS
        if changed := counted.counts[Closeness.EXPLAINED]:
            share += f", {changed} after a change"
        shown = result if other.id == paper.id else None
        rows.append(f'<div class="paper">{name}{answer}<span>{share}</span>{_results(other, known, shown)}</div>')
    st.html(f'{LOOK}<nav class="mlfs-verdicts" aria-label="Verdicts on all papers">{"".join(rows)}</nav>')
    total = total_counts([counts_of(other) for other in PAPERS])
    together = f"Of all papers together: {total.accounted:.0%} of {count(total.compared, 'number')}."
    st.caption("  \n".join((*MEANINGS[:-1], f"{MEANINGS[-1]} {together}")), help=RULE)


def show_reasons(paper: Paper, result: str) -> None:
    """Both answers for one paper in a sentence each, and why each of its results has the verdict that it has."""
    known, counted = reproductions_of(paper.id), counts_of(paper.id)
    verdict, why = paper_verdict(known)
    st.markdown(f"**{AS_DESCRIBED}: {verdict}.** Of its tables and figures, {why}.")
    if counted.compared:
        st.markdown(f"**{ACCOUNTED_FOR}: {counted.accounted:.0%}.** {literal(counted.sentence)}", help=CLOSENESS_RULE)
    changed = counted.counts[Closeness.EXPLAINED]
    if changed and verdict is not Agreement.AGREES:
        st.markdown(BOTH.format(changed=count(changed, "number")))
    lines = _reasons(paper, known, result)
    st.html(f'{LOOK}<nav class="mlfs-verdicts" aria-label="Verdicts on this paper">{lines}</nav>')


def show_verdict(paper: Paper, result: str) -> None:
    """The verdict on one result, in a sentence."""
    [known] = [each for each in reproductions_of(paper.id) if each.result == result]
    mark, _ = MARKS[known.verdict]
    st.markdown(f"**{mark} {known.verdict.capitalize()}.** {known.why}")


def show_closeness(paper: Paper) -> None:
    """How close each printed number is to ours, all papers beside each other, and what explains the others."""
    counted = counts_of(paper.id)
    if not counted.compared:
        return
    st.subheader("How close our numbers are to the printed ones", anchor=False, help=CLOSENESS_RULE)
    rows = {other.short: counts_of(other.id) for other in PAPERS.values() if counts_of(other.id).compared}
    total = total_counts(list(rows.values()))
    rows[total.paper.capitalize()] = total
    # Papers beside each other, for their names are shorter than those of the classes.
    table = pd.DataFrame({name: each.counts for name, each in rows.items()}).astype(str)
    table = table.rename(index=lambda kind: Closeness(kind).capitalize())
    table.loc[ACCOUNTED_FOR] = [f"{each.accounted:.0%}" for each in rows.values()]
    right = dict.fromkeys(table.columns, st.column_config.Column(alignment="right"))
    exports.table(
        table.rename_axis("Numbers"),
        _numbers_of(paper.id),
        f"{paper.id}-numbers",
        height="content",
        column_config=right,
    )
    if explaining := _explanations_of(paper.id):
        lines = [f"- {count(each.numbers, 'number')}: {literal(each.title)}" for each in explaining]
        st.markdown("Explained by an experiment further down:\n\n" + "\n".join(lines))
    if len(apart := not_equal(_numbers_of(paper.id))):
        title = f"{count(len(apart), 'number')} not equal to the printed digits, and what was tried"
        exports.folded(title, "not-equal", partial(_show_not_equal, paper, apart))


def _show_not_equal(paper: Paper, apart: pd.DataFrame) -> None:
    shown = pd.DataFrame(
        {
            "Result": [paper.results[result].name for result in apart["result"]],
            "Data set": apart["dataset"].to_numpy(),
            "Method": [setting_title(setting) for setting in apart["setting"]],
            "Of": [quantity(metric).title for metric in apart["metric"]],
            "Published": apart["published"].to_numpy(),
            "Measured": apart["measured"].to_numpy(),
            "How close": apart["closeness"].to_numpy(),
            "Experiment": apart["explained_by"].to_numpy(),
            "What was tried": apart["tried"].to_numpy(),
        }
    )
    exports.table(shown, apart, f"{paper.id}-not-equal", hide_index=True)


def show_findings(paper: Paper) -> None:
    """Each claim in a line, and the numbers behind it when it is opened."""
    if claims := findings_on(paper.id):
        st.subheader("What holds, and what does not", anchor=False)
        show_claims(claims)


def show_claims(claims: Sequence[Finding]) -> None:
    """Each in a line, with its verdict where it has one; a click unfolds its evidence."""
    st.html(f'{LOOK}<div class="mlfs-verdicts">{"".join(map(_folded, claims))}</div>')


def _results(paper: Paper, known: Sequence[Reproduction], shown: str | None) -> str:
    """A link for each result, by its number, tables before figures; the one that is shown is marked."""
    links: dict[str, list[str]] = {"Tables": [], "Figures": []}
    for each in known:
        sign, style = MARKS[each.verdict]
        label, where = escape(paper.experiments[each.result].label), _address(paper=paper.id, result=each.result)
        links["Tables" if each.is_of_table else "Figures"].append(
            f'<a class="{INSIDE} {style}" href="{where}" title="{label}: {each.verdict}" data-mark="{sign}" '
            f'aria-label="{label}: {each.verdict}"{marked(each.result == shown)}>{escape(each.number)}</a>'
        )
    parts = [f'<div><span class="kind">{kind}</span>{"".join(those)}</div>' for kind, those in links.items() if those]
    return f'<div class="results">{"".join(parts)}</div>'


def _reasons(paper: Paper, known: Sequence[Reproduction], result: str) -> str:
    """A line for each result that was compared, and one for all others."""
    lines = []
    for each in known:
        if each.verdict is not Agreement.OPEN:
            label, where = escape(paper.experiments[each.result].label), _address(paper=paper.id, result=each.result)
            lines.append(f"<li>{_line(where, each.verdict, label, each.why, each.result == result)}</li>")
    if others := [each for each in known if each.verdict is Agreement.OPEN]:
        names = ", ".join(_short_link(paper, each, each.result == result) for each in others)
        lines.append(
            f'<li><div class="line">{_mark(Agreement.OPEN)}<span>{names}</span>'
            f'<span class="why">{escape(_shared(others))}</span></div></li>'
        )
    return f"<ul>{''.join(lines)}</ul>"


def _shared(others: Sequence[Reproduction]) -> str:
    """Why each of them was not compared, said once."""
    return " ".join(dict.fromkeys(each.why for each in others))


def _short_link(paper: Paper, known: Reproduction, is_chosen: bool) -> str:
    label, where = escape(paper.experiments[known.result].label), _address(paper=paper.id, result=known.result)
    return f'<a class="{INSIDE}" href="{where}" title="{label}"{marked(is_chosen)}>{escape(known.name)}</a>'


def _line(where: str, verdict: Agreement, name: str, why: str, is_chosen: bool) -> str:
    return (
        f'<a class="{INSIDE} line" href="{where}"{marked(is_chosen)}>{_mark(verdict)}<span>{name}</span>'
        f'<span class="why">{escape(why)}</span></a>'
    )


def _address(**query: str) -> str:
    return address("papers", carried() | query)


def _mark(verdict: Agreement | None) -> str:
    sign, style = MARKS[verdict] if verdict is not None else ("i", "open")
    said = verdict or "a remark"
    return f'<span class="mark {style}" role="img" aria-label="{said}" title="{said}">{sign}</span>'


def _folded(finding: Finding) -> str:
    holds = f": {HOLDS[finding.verdict]}" if finding.verdict is not None else ""
    claim = f"{escape(finding.claim)}{holds}."
    return f"<details><summary>{_mark(finding.verdict)}{claim}</summary><p>{_with_code(finding.evidence)}</p></details>"


def _with_code(text: str) -> str:
    """Text as HTML; what stands between backticks is code."""
    parts: Sequence[str] = [escape(part) for part in text.split("`")]
    return "".join(f"<code>{part}</code>" if place % 2 else part for place, part in enumerate(parts))
