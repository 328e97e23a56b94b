"""An answer on one page of HTML that needs nothing else: no network, no files beside it.

Every word that comes from the data set is escaped. Figures are Plotly's, whose program stands in the page once.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from mlfs.answer.export import versions
from mlfs.answer.figures import chance_histogram, frequency_bars, information_heatmap, size_curve
from mlfs.answer.recommendation import Recommendation
from mlfs.errors import ParameterError
from mlfs.evaluation.protocols import SETTINGS
from mlfs.metrics import metric_title
from mlfs.plots import to_html
from mlfs.results import setting_title
from mlfs.wording import count

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #222; background: #fff; max-width: 60rem; margin: 2rem auto;
  padding: 0 1rem; overflow-wrap: anywhere }
table { border-collapse: collapse; margin: 1rem 0 } td, th { padding: 0.2rem 0.8rem 0.2rem 0; text-align: left }
th { border-bottom: 1px solid #999 } td:first-child { overflow-wrap: normal }
td.number, th.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
.note { border-left: 3px solid #d55e00; padding-left: 0.8rem } .scroll { overflow-x: auto }
"""


def report_html(recommendation: Recommendation, *, link: str | None = None, command: str | None = None) -> str:
    """The page.

    Parameters
    ----------
    link : the address of the live page with the same settings
    command : the command that makes the same again
    """
    if link is not None and urlsplit(link).scheme not in ("http", "https"):
        raise ParameterError(f"The link back must begin with http:// or https://, not {link!r}.")
    title = f"Which features of {recommendation.ds.name} to keep"
    parts = [
        f"<h1>{_safe(title)}</h1>",
        *(f"<p>{_safe(sentence)}</p>" for sentence in sentences(recommendation)),
        *(f'<p class="note">{_safe(note)}</p>' for note in recommendation.notes),
    ]
    if link is not None:
        parts.append(f'<p><a href="{_safe(link)}">Open the live page</a></p>')
    for heading, figure in _figures(recommendation):
        parts += [f"<h2>{_safe(heading)}</h2>", to_html(figure, plotlyjs=False)]
    parts += [
        "<h2>Features</h2>",
        _table(
            ["", "Feature", "Score", "Selected on", "Nearest selected", "Nearest left out"],
            _feature_rows(recommendation),
            2,
        ),
        "<h2>Methods</h2>",
        _table(
            ["Method", "Features", metric_title(recommendation.settings.metric), "Best size", "Best"],
            _methods(recommendation),
            1,
        ),
        "<h2>Settings</h2>",
        _table(["", ""], settings_facts(recommendation), 2),
    ]
    if command is not None:
        parts.append(f"<p>To run this again: <code>{_safe(command)}</code></p>")
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{_safe(title)}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>{STYLE}</style>\n<script>{get_plotlyjs()}</script></head>\n"
        f"<body>\n{chr(10).join(parts)}\n</body>\n</html>\n"
    )


def sentences(recommendation: Recommendation) -> list[str]:
    """The answer in words, for reports, pages and terminals."""
    choice, metric = recommendation.best.choice, metric_title(recommendation.settings.metric)
    kept, every = len(recommendation.selection.features), count(recommendation.ds.X.shape[1], "feature")
    lines = [
        f"Keep {kept} of {every}, chosen by {setting_title(recommendation.best.text)}: {metric} "
        f"{choice.mean:.4f}{_error(choice.standard_error)}, mean of {count(choice.splits, 'split')}. The best mean is "
        f"{choice.best_mean:.4f}, with {count(choice.best_size, 'feature')}; with all features it is "
        f"{recommendation.baseline[recommendation.settings.metric]:.4f}."
    ]
    if recommendation.nested is not None and recommendation.nested.values:
        nested = recommendation.nested
        done = "" if len(nested.values) == nested.splits else f", {len(nested.values)} of {nested.splits} splits so far"
        lines.append(
            f"Honest estimate, with method and size chosen inside the training rows: {nested.mean:.4f}"
            f"{_error(nested.standard_error)}{done}, beside the optimistic {nested.optimistic:.4f}."
        )
    else:
        lines.append("These means are optimistic: method and size were chosen by the same rows.")
    if recommendation.random is not None and recommendation.random.values:
        draws = recommendation.random
        mean = sum(draws.values) / len(draws.values)
        lines.append(
            f"The same number of random features gives {mean:.4f} on average, {min(draws.values):.4f} to "
            f"{max(draws.values):.4f} in {count(len(draws.values), 'draw')} (p = {draws.p_value:.3g})."
        )
    if recommendation.permutation is not None and recommendation.permutation.values:
        test = recommendation.permutation
        done = "" if len(test.values) == test.permutations else f" of {test.permutations}, so far"
        lines.append(
            f"With permuted labels the whole selection is as good with p = {test.p_value:.3g} "
            f"({count(len(test.values), 'permutation')}{done})."
        )
    stability = recommendation.selection.stability
    if stability == stability:
        lines.append(f"Stability of the selection over the splits: {stability:.2f} (1: always the same, 0: chance).")
    return lines


def _error(value: float) -> str:
    return f" ± {value:.4f} (standard error)" if value == value else ""


def settings_facts(recommendation: Recommendation) -> list[list[str]]:
    """Data, settings and versions, as pairs."""
    ds, settings = recommendation.ds, recommendation.settings
    constraints = settings.constraints
    n, d = ds.X.shape
    protocol = {name: getattr(settings.protocol, name) for name in SETTINGS}
    facts = [
        ("data", f"{ds.name}: {n} instances, {d} features, {ds.Y.shape[1]} labels"),
        ("content (SHA-256)", ds.fingerprint),
        ("method", recommendation.best.text),
        ("methods tried", ", ".join(result.text for result in recommendation.shortlist.results)),
        ("rule", settings.rule.text),
        ("protocol", ", ".join(f"{name} {value}" for name, value in protocol.items())),
        ("sizes", ", ".join(map(str, settings.measured.sizes_for(d)))),
        ("seed", str(settings.seed)),
        *(
            (name, ", ".join(ds.feature_names[j] for j in columns))
            for name, columns in (("always kept", constraints.always_keep), ("never used", constraints.never_use))
            if columns
        ),
        *(("group", ", ".join(ds.feature_names[j] for j in group)) for group in constraints.groups),
        ("versions", ", ".join(f"{name} {number}" for name, number in versions().items())),
    ]
    return [list(pair) for pair in facts]


def _figures(recommendation: Recommendation) -> list[tuple[str, go.Figure]]:
    level = recommendation.baseline.get(recommendation.settings.metric)
    figures = [
        ("How many", size_curve(recommendation.shortlist.results, recommendation.best, baseline=level)),
        ("Which: how often they were selected", frequency_bars(recommendation.selection)),
        ("What they tell about the labels", information_heatmap(recommendation.selection)),
    ]
    if recommendation.random is not None and recommendation.random.values:
        figures.append(("Compared with random features", chance_histogram(recommendation.random)))
    if recommendation.permutation is not None and recommendation.permutation.values:
        figures.append(("Compared with permuted labels", chance_histogram(recommendation.permutation)))
    return figures


def _feature_rows(recommendation: Recommendation) -> list[list[str]]:
    def other(neighbour: Any) -> str:
        return "–" if neighbour is None else f"{neighbour.name} ({neighbour.uncertainty:.2f})"

    return [
        [
            str(feature.rank),
            feature.name,
            f"{feature.score:.4g}",
            f"{feature.frequency:.0%}",
            other(feature.nearest_selected),
            other(feature.nearest_left_out),
        ]
        for feature in recommendation.selection.features
    ]


def _methods(recommendation: Recommendation) -> list[list[str]]:
    return [
        [
            result.text,
            str(result.choice.size),
            f"{result.choice.mean:.4f}",
            str(result.choice.best_size),
            f"{result.choice.best_mean:.4f}",
        ]
        for result in recommendation.shortlist.results
    ]


def _table(header: Sequence[str], rows: Sequence[Sequence[str]], left: int) -> str:
    """A table, the columns after the first `left` as numbers where there are more than two."""

    def line(cells: Sequence[str], tag: str) -> str:
        kinds = [' class="number"' if left <= place < 4 and len(header) > 2 else "" for place in range(len(cells))]
        pairs = zip(cells, kinds, strict=True)
        return f"<tr>{''.join(f'<{tag}{kind}>{_safe(cell)}</{tag}>' for cell, kind in pairs)}</tr>"

    head = line(header, "th") if any(header) else ""
    return f'<div class="scroll"><table>{head}{"".join(line(row, "td") for row in rows)}</table></div>'


def _safe(text: Any) -> str:
    return html.escape(str(text), quote=True)
