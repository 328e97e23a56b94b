"""``mlfs curve``: how good the first features of a ranking are, against their number."""

from __future__ import annotations

import argparse

from mlfs.cli.answer import Answer
from mlfs.cli.arguments import add_dataset, add_method, add_repeat
from mlfs.cli.layout import figure, loss, notes, table
from mlfs.cli.parser import Parser, describe
from mlfs.cli.protocol_flags import add_measuring_flags, add_protocol_flags, add_seed, protocol_document, protocol_of
from mlfs.datasets import load_dataset
from mlfs.evaluation import explore
from mlfs.plots.wording import duration, metric_title
from mlfs.selectors.specification import method_text, parse_method

NOISE = {"redundancy": "R(F)", "residual_label_correlation": "C(F)"}


def build(parser: Parser) -> None:
    describe(
        parser,
        run,
        "losses, R(F) and C(F) of a method against the number of features",
        more="The method selects on the training rows of one split, and the losses are those of its test rows; the\n"
        "last row has all features. R(F), the redundancy, and C(F), the residual label correlation, are those of the\n"
        "selected features on the training rows.",
        examples="""
            mlfs curve emotions els:n_labels=2 --sizes 1,5,10
            mlfs curve emotions grro --split given --metrics hamming_loss,macro_f1 --sizes 5,10 --json
        """,
    )
    add_dataset(parser)
    add_method(parser)
    add_repeat(parser)
    add_seed(parser)
    add_protocol_flags(parser)
    add_measuring_flags(parser)


def run(arguments: argparse.Namespace) -> Answer:
    method, parameters = parse_method(arguments.method)
    protocol = protocol_of(arguments)
    ds = load_dataset(arguments.dataset, labels=arguments.labels)
    found = explore(ds, (method, parameters), protocol, seed=arguments.seed, repeat=arguments.repeat)
    points = [
        {**losses, **noise}
        for losses, noise in zip(found.curve.to_dict("records"), found.noise.to_dict("records"), strict=True)
    ]
    d = ds.X.shape[1]
    document = {
        "dataset": ds.name,
        "method": method,
        "parameters": parameters,
        "protocol": protocol_document(protocol, arguments.seed),
        "repeat": arguments.repeat,
        "curve": points,
        "baseline": {"size": d, **found.baseline},
        "ranking": [ds.feature_names[j] for j in found.selector.ranking_[: max(found.curve["size"])]],
        "seconds": found.seconds,
        "notes": found.selector.notes_,
    }
    cells = [
        [str(int(point["size"])), *(loss(point[name]) for name in protocol.metrics), *(figure(point[n]) for n in NOISE)]
        for point in points
    ]
    cells.append([f"all {d}", *(loss(found.baseline[name]) for name in protocol.metrics), *("" for _ in NOISE)])
    title = (
        f"{method_text(method, parameters)} on {ds.name}, protocol {protocol.name}, "
        f"split {arguments.repeat + 1} of {protocol.n_splits}: selected in {duration(found.seconds)}"
    )
    header = ["features", *map(metric_title, protocol.metrics), *NOISE.values()]
    return Answer(document, "\n\n".join([title, table(header, cells, left=0), *notes(found.selector.notes_)]))
