"""Noise again: R(F) and C(F) of several methods at tenths of the features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mlfs.evaluation.protocols import Protocol
from mlfs.recipes.writing import (
    Labels,
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
) -> Recipe:
    """One row per method and size; `labels` are for an upload of which the person had to say them."""
    chosen = ", ".join(selector_pair(*method) for method in methods)
    python = f"""\
from mlfs import load_dataset
from mlfs.evaluation import get_protocol, noise_table

{loading(data, uploaded, labels)}
protocol = {protocol_call(protocol)}
print(noise_table(ds, [{chosen}], protocol, seed={seed}).to_string(index=False))
"""
    words = [method_text(*method) for method in methods]
    options = [*label_options(labels), *protocol_options(protocol, seed)]
    line = command("noise", data_word(data, uploaded), "--methods", *words, *options)
    return Recipe(python, line)
