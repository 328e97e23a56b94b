"""Noise again: R(F) and C(F) of several methods at tenths of the features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mlfs.evaluation.protocols import Protocol
from mlfs.recipes.writing import (
    Labels,
    RankingFile,
    Recipe,
    command,
    data_word,
    label_options,
    loading,
    protocol_call,
    protocol_options,
    selector_pair,
)
from mlfs.selectors.specification import method_text


def noise(
    data: str,
    methods: Sequence[tuple[str, Mapping[str, Any]]],
    protocol: Protocol,
    seed: int,
    *,
    uploaded: bool = False,
    labels: Labels = None,
    rankings: Sequence[RankingFile] = (),
) -> Recipe:
    """One row per method and size.

    Parameters
    ----------
    labels : of an upload of which the person had to say them
    rankings : from elsewhere, after the methods
    """
    chosen = ", ".join([*(selector_pair(*method) for method in methods), *(each.call("ds") for each in rankings)])
    names = ["get_protocol", "noise_table", *(["read_ranking"] if rankings else [])]
    python = f"""\
from mlfs import load_dataset
from mlfs.evaluation import {", ".join(names)}

{loading(data, uploaded, labels)}
protocol = {protocol_call(protocol)}
print(noise_table(ds, [{chosen}], protocol, seed={seed}).to_string(index=False))
"""
    words = [method_text(*method) for method in methods]
    options = [*label_options(labels), *protocol_options(protocol, seed)]
    chosen_methods = ["--methods", *words] if words else []
    from_elsewhere = [word for each in rankings for word in each.options()]
    line = command("noise", data_word(data, uploaded), *chosen_methods, *from_elsewhere, *options)
    return Recipe(python, line)
