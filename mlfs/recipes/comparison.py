"""Compare again: many methods on some data sets by one protocol."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from mlfs.checks import checked
from mlfs.errors import ParameterError
from mlfs.evaluation.protocols import Protocol
from mlfs.recipes.writing import (
    UPLOADED,
    Labels,
    RankingFile,
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
# The results of another program are a file of the person.
RESULTS = "path/to/your-results.csv"


@checked
def comparison(
    datasets: Sequence[str],
    methods: Sequence[tuple[str, Mapping[str, Any]]],
    protocol: Protocol,
    seeds: Sequence[int],
    at: int | str | None,
    *,
    uploaded: Collection[str] = (),
    labels: Mapping[str, Labels] | None = None,
    rankings: Sequence[RankingFile] = (),
    joined: bool = False,
) -> Recipe:
    """The tables of mean ± standard deviation, one for each metric; `at` as `mlfs.tables.summary` takes the size.

    Parameters
    ----------
    uploaded : those of the data sets that are files of the person
    labels : of uploads, where the person had to say
    rankings : from elsewhere, after the methods
    joined : whether results of another program, a file of the person, stand in the tables too
    """
    if not len(seeds):
        raise ParameterError("A comparison needs at least one seed.")
    named = data_words(datasets, uploaded)
    words = list(named.values())
    label_columns = [(labels or {}).get(name) for name in datasets]
    placed = [(words.index(named[each.dataset]), each) for each in rankings]
    chosen = [method_text(method, parameters) for method, parameters in methods]
    return Recipe(
        _python(words, label_columns, methods, protocol, seeds, at, placed, joined),
        _command(words, label_columns, chosen, protocol, seeds, at, placed, joined),
    )


def _python(
    words: Sequence[str],
    labels: Sequence[Labels],
    methods: Sequence[tuple[str, Mapping[str, Any]]],
    protocol: Protocol,
    seeds: Sequence[int],
    at: int | str | None,
    rankings: Sequence[tuple[int, RankingFile]],
    joined: bool,
) -> str:
    data = ", ".join(
        repr(word) if columns is None and not rankings else load_call(word, columns)
        for word, columns in zip(words, labels, strict=True)
    )
    loaded = rankings or any(columns is not None for columns in labels)
    imports = ["from mlfs import load_dataset"] if loaded else []
    names = ["compare", "get_protocol", *(["read_ranking"] if rankings else [])]
    given, before = "", ""
    if rankings:
        by_name: dict[str, list[str]] = {}
        for place, each in rankings:
            by_name.setdefault(each.name, []).append(f"datasets[{place}].name: {each.call(f'datasets[{place}]')}")
        written = ", ".join(f"{name!r}: {{{', '.join(of)}}}" for name, of in by_name.items())
        given, before = ", rankings=rankings", f"rankings = {{{written}}}\n"
    run = f"compare(datasets, methods, protocol{given}, seed={seeds[0]})"
    if len(seeds) > 1:
        imports.insert(0, "import pandas as pd\n")
        of_a_seed = f"compare(datasets, methods, protocol{given}, seed=seed).assign(seed=seed)"
        run = f"pd.concat([{of_a_seed} for seed in {list(seeds)!r}])"
    first = "".join(f"{line}\n" for line in imports)
    shown, tables = f"for metric in protocol.metrics:\n    print(to_text(summary(results, metric, {at!r})))\n", ""
    if joined:
        first, tables = f"from pathlib import Path\n\n{first}", "from mlfs.tables.joining import join_summaries\n"
        shown = f"""\
summaries = [summary(results, metric, {at!r}) for metric in protocol.metrics]
for table in join_summaries(summaries, Path({RESULTS!r}).read_text()):  {UPLOADED}
    print(to_text(table))
"""
    return f"""\
{first}from mlfs.evaluation import {", ".join(names)}
from mlfs.tables import summary, to_text
{tables}
protocol = {protocol_call(protocol)}
datasets = [{data}]
methods = [{", ".join(selector_pair(method, parameters) for method, parameters in methods)}]
{before}results = {run}
{shown}"""


def _command(
    words: Sequence[str],
    labels: Sequence[Labels],
    chosen: Sequence[str],
    protocol: Protocol,
    seeds: Sequence[int],
    at: int | str | None,
    rankings: Sequence[tuple[int, RankingFile]],
    joined: bool,
) -> str:
    """``mlfs compare``, or a study where there are several seeds."""
    size = [] if at is None else ["--at", str(at)]
    lines: list[str] = []
    with_labels = label_options(labels[0]) if len(seeds) == len(words) == 1 else []
    if not with_labels:
        lines, words = with_labels_written(words, labels)
    methods_flag = ["--methods", *chosen] if chosen else []
    for place, each in rankings:
        methods_flag += each.options(words[place] if len(words) > 1 else "")
    if len(seeds) == 1:
        join = ["--join", RESULTS] if joined else []
        options = [*with_labels, *protocol_options(protocol, seeds[0]), "--summary", *size, *join]
        return "\n".join([*lines, command("compare", *words, *methods_flag, *options)])
    options = [*protocol_options(protocol, 0), "--seeds", ",".join(map(str, seeds)), "--name", STUDY]
    lines.append(command("study", "run", "--datasets", *words, *methods_flag, *options))
    lines += [command("study", "show", STUDY, "--metric", metric, *size) for metric in protocol.metrics]
    return "\n".join(lines)
