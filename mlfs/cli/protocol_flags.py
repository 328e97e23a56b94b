"""The flags that say how an experiment is run, made from the declarations in `mlfs.evaluation.SETTINGS`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from mlfs.cli.arguments import sizes, whole, words
from mlfs.cli.parser import Parser
from mlfs.errors import ParameterError, did_you_mean
from mlfs.evaluation import PROTOCOLS, SETTINGS, Protocol, get_protocol
from mlfs.metrics import METRICS
from mlfs.parameters import Parameter


def add_protocol_flags(parser: Parser, settings: Sequence[str] = tuple(SETTINGS)) -> None:
    """Add --protocol and one flag for each of the settings; what is not given stays as the protocol has it."""
    group = parser.add_argument_group("protocol")
    group.add_argument(
        "--protocol",
        default="quick",
        choices=tuple(PROTOCOLS),
        metavar="NAME",
        help=f"one of {', '.join(PROTOCOLS)}; the flags below change it (default: quick)",
    )
    for name in settings:
        _add_setting(group, SETTINGS[name])


def add_protocol_settings(parser: Parser) -> None:
    """Add the flags of the settings alone, for a verb that has a protocol of its own."""
    group = parser.add_argument_group("protocol")
    for setting in SETTINGS.values():
        _add_setting(group, setting)


def add_seed(parser: Parser) -> None:
    parser.add_argument(
        "--seed", type=whole(0), default=0, metavar="N", help="for splits and random methods (default: 0)"
    )


def add_measuring_flags(parser: Parser) -> None:
    """Add --sizes, --every-size and --metrics."""
    group = parser.add_argument_group("measuring")
    group.add_argument(
        "--sizes",
        type=sizes,
        metavar="LIST",
        help="numbers of features (1,5,10), shares of them (0.1,0.5), or natural: what a method selects itself",
    )
    group.add_argument(
        "--every-size", action=argparse.BooleanOptionalAction, default=None, help="1, 2, … all features instead"
    )
    group.add_argument("--metrics", type=words, metavar="LIST", help=f"of {', '.join(METRICS)}")


def protocol_of(arguments: argparse.Namespace) -> Protocol:
    """The protocol that the flags describe."""
    return get_protocol(arguments.protocol, **changes_of(arguments))


def changes_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """What the flags change about the protocol they name."""
    given = vars(arguments)
    changes = {name: given[name] for name in SETTINGS if given.get(name) is not None}
    if given.get("sizes") is not None:
        changes.update(sizes=given["sizes"], every_size=False)
    if given.get("every_size") is not None:
        changes["every_size"] = given["every_size"]
    if metrics := given.get("metrics"):
        for name in metrics:
            if name not in METRICS:
                raise ParameterError(f"There is no metric {name!r}: {did_you_mean(name, METRICS)}")
        changes["metrics"] = metrics
    return changes


def protocol_document(protocol: Protocol, seed: int) -> dict[str, Any]:
    """A protocol as a JSON document shows it."""
    return {
        "name": protocol.name,
        **{name: getattr(protocol, name) for name in SETTINGS},
        "sizes": protocol.sizes,
        "every_size": protocol.every_size,
        "metrics": protocol.metrics,
        "selector_parameters": dict(protocol.selector_parameters),
        "seed": seed,
    }


def _add_setting(group: Any, setting: Parameter) -> None:
    flag = "--" + setting.name.replace("_", "-")
    if set(setting.choices) == {False, True}:
        group.add_argument(flag, action=argparse.BooleanOptionalAction, default=None, help=setting.meaning)
        return
    ranged = f"{setting.meaning}: {setting.describe_range()}".replace("%", "%%")
    group.add_argument(flag, type=_converter(setting), metavar=setting.name.split("_")[-1].upper(), help=ranged)


def _converter(setting: Parameter) -> Callable[[str], Any]:
    def convert(word: str) -> Any:
        value: Any = word
        if setting.kind in ("integer", "number"):
            with suppress(ValueError):  # the check below finds the sentence
                value = int(word) if setting.kind == "integer" else float(word)
        try:
            setting.check(value)
        except ParameterError as error:
            raise argparse.ArgumentTypeError(str(error).removeprefix(f"{setting.name} ").rstrip(".")) from None
        return value

    return convert
