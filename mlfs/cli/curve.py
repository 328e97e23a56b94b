"""``mlfs curve``: how good the first features of a ranking are, against their number."""

from __future__ import annotations

import argparse
import math
from collections.abc import Hashable, Mapping, Sequence
from contextlib import suppress

import pandas as pd

from mlfs.answer.size import size_of, size_words
from mlfs.cli.arguments import add_dataset, add_method, add_repeat, reading
from mlfs.cli.output import Answer, figure, loss, notes, table
from mlfs.cli.parser import Parser, UsageError, describe
from mlfs.cli.progress import ProgressLine
from mlfs.cli.protocol_flags import add_measuring_flags, add_protocol_flags, add_seed, protocol_document, protocol_of
from mlfs.cli.rankings import add_rankings, choice_text, need_a_choice, ranking_notes, read_rankings
from mlfs.datasets import load_dataset
from mlfs.errors import ParameterError
from mlfs.evaluation import Exploration, Explorer, averaged, averaged_baseline
from mlfs.evaluation.protocols import Choice, method_and_parameters
from mlfs.metrics import metric_title
from mlfs.selectors.specification import parse_method
from mlfs.wording import duration

NOISE = {"redundancy": "R(F)", "residual_label_correlation": "C(F)"}


def build(parser: Parser) -> None:
    describe(
        parser,
        run,
        "losses, R(F) and C(F) of a method against the number of features",
        more="The method selects on the training rows of each split, and the losses are those of its test rows, mean\n"
        "± standard deviation where there are several; the last row has all features. R(F), the redundancy, and C(F),\n"
        "the residual label correlation, are those of the selected features on the training rows.",
        examples="""
            mlfs curve emotions els:n_labels=2 --repeats 3 --sizes 1,5,10
            mlfs curve emotions grro --split given --metrics hamming_loss,macro_f1 --sizes 5,10 --json
        """,
    )
    add_dataset(parser)
    add_method(parser, required=False)
    add_repeat(parser, default=None)
    add_seed(parser)
    add_rankings(parser)
    add_protocol_flags(parser)
    add_measuring_flags(parser)


def run(arguments: argparse.Namespace) -> Answer:
    need_a_choice(arguments, arguments.method, "METHOD")
    if len(arguments.ranking) + bool(arguments.method) > 1:
        raise UsageError("A curve is of one method or of one --ranking: mlfs compare takes several.")
    protocol = protocol_of(arguments)
    ds = load_dataset(arguments.dataset, **reading(arguments))
    rankings = read_rankings(arguments, {arguments.dataset: ds})
    choice: Choice = rankings[0] if rankings else parse_method(arguments.method)
    method, parameters = method_and_parameters(choice)
    explorer, explorations = Explorer(ds), []
    splits = range(protocol.n_splits) if arguments.repeat is None else [arguments.repeat]
    with ProgressLine() as progress:
        for repeat in splits:
            explorations.append(explorer.explore(choice, protocol, seed=arguments.seed, repeat=repeat))
            progress(len(explorations), len(splits), f"{method} on {ds.name}, split {repeat + 1}")
    points, baseline, first = averaged(explorations), averaged_baseline(explorations), explorations[0]
    seconds = sum(exploration.seconds for exploration in explorations) / len(explorations)
    remarks = ranking_notes(rankings) or first.selector.notes_
    document = {
        "dataset": ds.name,
        "method": method,
        "parameters": parameters,
        "protocol": protocol_document(protocol, arguments.seed),
        "splits": list(splits),
        "curve": points.to_dict("records"),
        "baseline": {"size": ds.X.shape[1], **baseline},
        "ranking": [ds.feature_names[j] for j in first.selector.ranking_[: max(first.curve["size"])]],
        "seconds": seconds,
        "notes": remarks,
    }
    of = f"{len(splits)} splits" if len(splits) > 1 else f"split {splits[0] + 1} of {protocol.n_splits}"
    took = "selected elsewhere" if rankings else f"selected in {duration(seconds)}"
    title = f"{choice_text(choice)} on {ds.name}, protocol {protocol.name}, {of}: {took}"
    header = ["features", *map(metric_title, protocol.metrics), *NOISE.values()]
    rows = table(header, _cells(points, baseline, ds.X.shape[1]), left=0)
    return Answer(document, "\n\n".join([title, *_keep(explorations, protocol.metrics[0]), rows, *notes(remarks)]))


def _keep(explorations: Sequence[Exploration], metric: str) -> list[str]:
    """How many features to keep, as the page Explore says it; nothing where the splits share no size."""
    with suppress(ParameterError):
        return [" ".join(size_words(size_of(explorations, metric), explorations))]
    return []


def _cells(points: pd.DataFrame, baseline: Mapping[str, float], d: int) -> list[list[str]]:
    """One row per size, mean ± deviation where there is one; the last row has all features."""

    def cell(point: Mapping[Hashable, float], name: str) -> str:
        show = figure if name in NOISE else loss
        spread = point[f"{name}_std"]
        return show(point[name]) + (f" ± {show(spread)}" if math.isfinite(spread) else "")

    rows = [
        [str(int(point["size"])), *(cell(point, name) for name in (*baseline, *NOISE))]
        for point in points.to_dict("records")
    ]
    return [*rows, [f"all {d}", *(loss(value) for value in baseline.values()), *("" for _ in NOISE)]]
