"""Compare again: many methods on some data sets by one protocol."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from mlfs.evaluation.protocols import Protocol
from mlfs.recipes.writing import (
    Labels,
    Recipe,
    command,
    data_words,
    label_options,
    load_call,
    protocol_call,
    protocol_options,
    selector_pair,
    with_labels_written,
)
from mlfs.selectors.specification import method_text

# What a study of several seeds is called in its store.
STUDY = "comparison"


def comparison(
    datasets: Sequence[str],
    methods: Sequence[tuple[str, Mapping[str, Any]]],
    protocol: Protocol,
    seeds: Sequence[int],
    at: int | str | None,
    *,
    uploaded: Collection[str] = (),
    labels: Mapping[str, Labels] | None = None,
) -> Recipe:
    """The tables of mean ± standard deviation, one for each metric; `at` as `mlfs.tables.summary` takes the size.

    Parameters
    ----------
    uploaded : those of the data sets that are files of the person
    labels : of uploads, where the person had to say
    """
    words = list(data_words(datasets, uploaded).values())
    told = [(labels or {}).get(name) for name in datasets]
    data = ", ".join(
        repr(word) if columns is None else load_call(word, columns) for word, columns in zip(words, told, strict=True)
    )
    imports = "" if all(columns is None for columns in told) else "from mlfs import load_dataset\n"
    run = f"compare(datasets, methods, protocol, seed={seeds[0]})"
    if len(seeds) > 1:
        imports = f"import pandas as pd\n\n{imports}"
        each = "compare(datasets, methods, protocol, seed=seed).assign(seed=seed)"
        run = f"pd.concat([{each} for seed in {list(seeds)!r}])"
    python = f"""\
{imports}from mlfs.evaluation import compare, get_protocol
from mlfs.tables import summary, to_text

protocol = {protocol_call(protocol)}
datasets = [{data}]
methods = [{", ".join(selector_pair(method, parameters) for method, parameters in methods)}]
results = {run}
for metric in protocol.metrics:
    print(to_text(summary(results, metric, {at!r})))
"""
    chosen = [method_text(method, parameters) for method, parameters in methods]
    return Recipe(python, _command(words, told, chosen, protocol, seeds, at))


def _command(
    words: Sequence[str],
    labels: Sequence[Labels],
    chosen: Sequence[str],
    protocol: Protocol,
    seeds: Sequence[int],
    at: int | str | None,
) -> str:
    """``mlfs compare``, or a study where there are several seeds."""
    size = [] if at is None else ["--at", str(at)]
    lines: list[str] = []
    with_labels = label_options(labels[0]) if len(seeds) == len(words) == 1 else []
    if not with_labels:
        lines, words = with_labels_written(words, labels)
    if len(seeds) == 1:
        options = [*with_labels, *protocol_options(protocol, seeds[0]), "--summary", *size]
        return "\n".join([*lines, command("compare", *words, "--methods", *chosen, *options)])
    options = [*protocol_options(protocol, 0), "--seeds", ",".join(map(str, seeds)), "--name", STUDY]
    lines.append(command("study", "run", "--datasets", *words, "--methods", *chosen, *options))
    lines += [command("study", "show", STUDY, "--metric", metric, *size) for metric in protocol.metrics]
    return "\n".join(lines)
