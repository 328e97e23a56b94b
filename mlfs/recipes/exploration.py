"""Explore again: one data set, one method, one split."""

from __future__ import annotations

from collections.abc import Mapping
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


def exploration(
    data: str,
    method: str,
    parameters: Mapping[str, Any],
    protocol: Protocol,
    seed: int,
    *,
    uploaded: bool = False,
    labels: Labels = None,
    ranking: RankingFile | None = None,
) -> Recipe:
    """The curve, R(F) and C(F), the level with all features, and the first features with their scores.

    Parameters
    ----------
    labels : of an upload of which the person had to say them
    ranking : from elsewhere, in the place of the method
    """
    pair = selector_pair(method, parameters) if ranking is None else ranking.call("ds")
    names = ["averaged", "averaged_baseline", "explore_all", "get_protocol", *(["read_ranking"] if ranking else [])]
    python = f"""\
from mlfs import load_dataset
from mlfs.evaluation import {", ".join(names)}

{loading(data, uploaded, labels)}
protocol = {protocol_call(protocol)}
runs = explore_all(ds, {pair}, protocol, seed={seed})
print(averaged(runs).to_string(index=False))

print("with all features:", averaged_baseline(runs))
first = runs[0]  # the features themselves differ from split to split
for feature in first.selector.ranking_[:20]:
    print(ds.feature_names[feature], first.selector.scores_[feature])
"""
    line = command(
        "curve",
        data_word(data, uploaded),
        *([method_text(method, parameters)] if ranking is None else ranking.options()),
        *label_options(labels),
        *protocol_options(protocol, seed),
    )
    return Recipe(python, line)
