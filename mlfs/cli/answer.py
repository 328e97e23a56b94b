"""``mlfs answer``: which features to keep, how many, by which method, and is it real."""

from __future__ import annotations

import argparse
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mlfs.answer import RULES, SHORTLIST, Recommendation, SizeRule, answer, answer_protocol, answer_settings, parse_rule
from mlfs.answer.export import features_csv, features_document, features_json, reduced_dataset, versions
from mlfs.answer.recommendation import DRAWS
from mlfs.answer.report import report_html, sentences
from mlfs.cli.arguments import add_dataset, new_file, reading, sizes, whole
from mlfs.cli.output import Answer, figure, loss, notes, table, written
from mlfs.cli.parser import Parser, UsageError, describe
from mlfs.cli.progress import ProgressLine
from mlfs.cli.protocol_flags import add_protocol_settings, add_seed, changes_of, protocol_document
from mlfs.datasets import load_dataset, write_dataset
from mlfs.errors import DatasetError, ParameterError
from mlfs.metrics import METRICS, metric_title
from mlfs.recipes import pipeline_program
from mlfs.selectors.constraints import named_constraints, one_hot_groups


def build(parser: Parser) -> None:
    describe(
        parser,
        run,
        "which features to keep, how many, by which method, and whether that is better than chance",
        more="Methods are run on five folds; the best of them, at the number of features that the rule chooses,\n"
        "selects on all rows. Ctrl-C stops and keeps what is there. Names of features may be patterns: 'petal_*'.",
        examples="""
            mlfs answer emotions els fimf --report answer.html --write small.csv
            mlfs answer emotions els --rule tolerance=0.02 --permutations 5 --nested
            mlfs answer emotions els --keep-features BH_LowPeakAmp --never 'Std_*' --group '*_MFCC_1' '*_MFCC_2' --json
        """,
    )
    add_dataset(parser)
    parser.add_argument(
        "methods",
        nargs="*",
        metavar="METHOD",
        help=f"ids, or with parameters: grro:alpha=10 (default: {' '.join(SHORTLIST)})",
    )
    parser.add_argument(
        "--rule",
        type=_rule,
        default=SizeRule(),
        metavar="RULE",
        help=f"for the number of features: {', '.join(RULES)}; tolerance=0.02, number=10 (default: one_standard_error)",
    )
    parser.add_argument(
        "--metric", choices=tuple(METRICS), default="hamming_loss", metavar="NAME", help="to choose by (hamming_loss)"
    )
    parser.add_argument("--sizes", type=sizes, metavar="LIST", help="numbers of features to choose from: 1,2,5,10")
    parser.add_argument(
        "--budget", type=_seconds, metavar="SECONDS", help="seconds to spend on trying methods (default: no limit)"
    )
    group = parser.add_argument_group("features")
    group.add_argument("--keep-features", nargs="+", default=[], metavar="NAME", help="always keep these")
    group.add_argument("--never", nargs="+", default=[], metavar="NAME", help="never use these")
    group.add_argument(
        "--group", nargs="+", action="append", default=[], metavar="NAME", help="keep or drop these together"
    )
    group.add_argument("--one-hot", action="store_true", help="keep or drop the 0/1 columns of one category together")
    group = parser.add_argument_group("checks against chance")
    group.add_argument(
        "--draws",
        type=whole(0),
        default=DRAWS,
        metavar="N",
        help=f"random feature sets to compare with (default: {DRAWS})",
    )
    group.add_argument(
        "--permutations",
        type=whole(0),
        default=0,
        metavar="N",
        help="permutations of the labels, for a p-value (default: 0)",
    )
    group.add_argument(
        "--nested", action="store_true", help="an unbiased estimate: repeat the whole choice inside each training part"
    )
    group = parser.add_argument_group("files to save")
    group.add_argument("--report", type=new_file, metavar="FILE", help="a page of HTML with figures")
    group.add_argument("--write", type=new_file, metavar="FILE", help="the data set with the selected features only")
    group.add_argument("--features", type=new_file, metavar="FILE", help="the list of features, .csv or .json")
    group.add_argument("--program", type=new_file, metavar="FILE", help="a Python program that fits the pipeline again")
    add_seed(parser)
    add_protocol_settings(parser)


def run(arguments: argparse.Namespace) -> Answer:
    if arguments.features is not None and arguments.features.suffix not in (".csv", ".json"):
        raise UsageError(f"--features must be a file that ends in .csv or .json, not {arguments.features.name!r}.")
    ds = load_dataset(arguments.dataset, **reading(arguments))
    groups = [list(words) for words in arguments.group]
    if arguments.one_hot:
        groups += [[ds.feature_names[j] for j in group] for group in one_hot_groups(ds.X, ds.feature_names)]
    settings = answer_settings(
        arguments.methods or SHORTLIST,
        protocol=answer_protocol(**changes_of(arguments)),
        metric=arguments.metric,
        rule=arguments.rule,
        constraints=named_constraints(ds.feature_names, arguments.keep_features, arguments.never, groups),
        seed=arguments.seed,
    )
    with ProgressLine() as progress, _interruptible() as cancel:
        recommendation = answer(
            ds,
            settings,
            budget=arguments.budget,
            draws=arguments.draws,
            permutations=arguments.permutations,
            nested=arguments.nested,
            progress=progress,
            cancel=cancel,
        )
    files, problems = _export(recommendation, arguments)
    return Answer(_document(recommendation), _text(recommendation, files), problems)


@contextmanager
def _interruptible() -> Iterator[threading.Event]:
    """An event that the first Ctrl-C sets; the second interrupts as usual."""
    cancel = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield cancel
        return
    before = signal.getsignal(signal.SIGINT)

    def stop(*_: Any) -> None:
        cancel.set()
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, stop)
    try:
        yield cancel
    finally:
        signal.signal(signal.SIGINT, before)


def _export(recommendation: Recommendation, arguments: argparse.Namespace) -> tuple[list[str], tuple[str, ...]]:
    """Write what was asked for: the files, and what is wrong with those that could not be written."""
    texts: list[tuple[Path | None, Any]] = [
        (arguments.report, lambda: report_html(recommendation)),
        (arguments.program, lambda: pipeline_program(recommendation, arguments.dataset, labels=reading(arguments))),
        (
            arguments.features,
            lambda: (
                features_csv(recommendation) if arguments.features.suffix == ".csv" else features_json(recommendation)
            ),
        ),
    ]
    files: list[str] = []
    problems: list[str] = []
    for path, make in texts:
        if path is not None:
            unwritten = written(path, make())
            problems += unwritten
            files += [] if unwritten else [str(path)]
    if arguments.write is not None:
        try:
            files += [str(path) for path in write_dataset(reduced_dataset(recommendation), arguments.write)]
        except DatasetError as problem:
            problems.append(str(problem))
    return files, tuple(problems)


def _document(recommendation: Recommendation) -> dict[str, Any]:
    choice = recommendation.best.choice
    checks = {
        "random": recommendation.random
        and {"p_value": recommendation.random.p_value, "values": recommendation.random.values},
        "permutation": recommendation.permutation
        and {"p_value": recommendation.permutation.p_value, "values": recommendation.permutation.values},
        "nested": recommendation.nested
        and {
            "mean": recommendation.nested.mean,
            "standard_error": recommendation.nested.standard_error,
            "optimistic": recommendation.nested.optimistic,
            "values": recommendation.nested.values,
            "chosen": [{"method": method, "size": size} for method, size in recommendation.nested.chosen],
        },
    }
    return {
        "dataset": recommendation.ds.name,
        "protocol": protocol_document(recommendation.settings.measured, recommendation.settings.seed),
        "metric": choice.metric,
        "rule": choice.rule.text,
        "method": recommendation.best.text,
        "size": choice.size,
        "mean": choice.mean,
        "standard_error": choice.standard_error,
        "best_size": choice.best_size,
        "best_mean": choice.best_mean,
        "all_features": recommendation.baseline,
        "stability": recommendation.selection.stability,
        "features": features_document(recommendation),
        "methods": [
            {
                "method": result.text,
                "splits": len(result.explorations),
                "size": result.choice.size,
                "mean": result.choice.mean,
                "best_size": result.choice.best_size,
                "best_mean": result.choice.best_mean,
            }
            for result in recommendation.shortlist.results
        ],
        **checks,
        "stopped": recommendation.stopped,
        "notes": recommendation.notes,
        "versions": versions(),
    }


def _text(recommendation: Recommendation, files: list[str]) -> str:
    metric = metric_title(recommendation.settings.metric)
    methods = [
        [result.text, str(result.choice.size), loss(result.choice.mean), str(result.choice.best_size)]
        for result in recommendation.shortlist.results
    ]
    features = [
        [
            str(feature.rank),
            feature.name,
            f"{feature.frequency:.0%}",
            figure(sum(feature.information)),
            "–" if feature.nearest_selected is None else feature.nearest_selected.name,
        ]
        for feature in recommendation.selection.features
    ]
    parts = [
        f"{recommendation.ds.name}: {sentences(recommendation)[0]}",
        "\n".join(sentences(recommendation)[1:]),
        table(["method", "features", metric, "best size"], methods),
        table(["rank", "feature", "selected on", "bits", "nearest selected"], features, left=2),
        *notes(recommendation.notes),
    ]
    if recommendation.stopped:
        parts.append("Stopped early: these are the results so far.")
    if files:
        parts.append(f"written: {', '.join(files)}")
    return "\n\n".join(parts)


def _rule(word: str) -> SizeRule:
    try:
        return parse_rule(word)
    except ParameterError as problem:
        raise argparse.ArgumentTypeError(str(problem).rstrip(".")) from None


def _seconds(word: str) -> float:
    try:
        value = float(word)
    except ValueError:
        value = -1.0
    if not 0 < value < 1e9:
        raise argparse.ArgumentTypeError(f"must be a number of seconds above 0, not {word!r}")
    return value
