"""Compare again: many methods on some data sets by one protocol."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from mlfs.evaluation.protocols import Protocol
from mlfs.recipes.writing import (
    Recipe,
    command,
    data_word,
    method_text,
    protocol_call,
    protocol_options,
    selector_pair,
)


def comparison(
    datasets: Sequence[str],
    methods: Sequence[tuple[str, Mapping[str, Any]]],
    protocol: Protocol,
    seed: int,
    at: int | str | None,
    *,
    uploaded: Collection[str] = (),
) -> Recipe:
    """The tables of mean ± standard deviation, one for each metric; `at` as `mlfs.tables.summary` takes the size."""
    words = [data_word(name, name in uploaded) for name in datasets]
    python = f"""\
from mlfs.evaluation import compare, get_protocol
from mlfs.tables import summary, to_text

protocol = {protocol_call(protocol)}
methods = [{", ".join(selector_pair(method, parameters) for method, parameters in methods)}]
results = compare({words!r}, methods, protocol, seed={seed})
for metric in protocol.metrics:
    print(to_text(summary(results, metric, {at!r})))
"""
    line = command(
        "compare",
        *words,
        "--methods",
        *(method_text(method, parameters) for method, parameters in methods),
        *protocol_options(protocol, seed),
        "--summary",
        *([] if at is None else ["--at", str(at)]),
    )
    return Recipe(python, line)
