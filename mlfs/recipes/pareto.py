"""Pareto again: the front of the features, what MAPD selects, and whole runs by loss, size and time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mlfs.evaluation.protocols import SPLITTING, Protocol
from mlfs.recipes.writing import (
    Labels,
    Recipe,
    changes,
    command,
    data_word,
    label_options,
    loading,
    protocol_call,
    protocol_options,
    selector_pair,
)
from mlfs.selectors.specification import method_text


def pareto(
    data: str,
    under: Sequence[str],
    parameters: Mapping[str, Any],
    methods: Sequence[tuple[str, Mapping[str, Any]]],
    protocol: Protocol,
    seed: int,
    *,
    uploaded: bool = False,
    labels: Labels = None,
) -> Recipe:
    """The features on the front or selected by MAPD with its `parameters`; then the losses of the runs of `methods`.

    Parameters
    ----------
    under : the labels of the front
    labels : which columns are labels, where of an upload the person had to say
    """
    runs = ""
    if methods:
        chosen = ", ".join(selector_pair(*method) for method in methods)
        runs = f"""
for method in [{chosen}]:
    run = explorer.explore(method, protocol, seed={seed})
    print(run.selector.id, run.seconds, "s")
    print(run.curve.to_string(index=False))
"""
    python = f"""\
from mlfs import load_dataset
from mlfs.evaluation import Explorer, compare_features, get_protocol

{loading(data, uploaded, labels)}
explorer, protocol = Explorer(ds), {protocol_call(protocol)}
found = compare_features(explorer, {list(under)!r}, {selector_pair("mapd", parameters)}, protocol, seed={seed})
print(found.table().to_string(index=False))
print(found.steps().to_string(index=False))
{runs}"""
    word, with_labels = data_word(data, uploaded), label_options(labels)
    split = Protocol("quick", **{name: value for name, value in changes(protocol).items() if name in SPLITTING})
    front = [f"--under={label}" for label in under]
    first = command(
        "pareto", word, method_text("mapd", parameters), *front, *with_labels, *protocol_options(split, seed)
    )
    options = [*with_labels, *protocol_options(protocol, seed)]
    if protocol.n_splits > 1:  # the page shows the first split, the command would take the mean over all
        options += ["--repeat", "0"]
    rest = [command("curve", word, method_text(*method), *options) for method in methods]
    return Recipe(python, "\n".join([first, *rest]))
