"""argparse with this project's manners: one sentence for a mistake, an example in every help, no abbreviations."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NoReturn

from mlfs.cli.output import Answer
from mlfs.errors import ParameterError, did_you_mean
from mlfs.wording import joined

REQUIRED = "the following arguments are required: "  # argparse's own words
HAS_NO = "has no verb "


class UsageError(ParameterError):
    """A command cannot be understood; the message says what to write instead."""


class Parser(argparse.ArgumentParser):
    """A parser whose mistakes are `UsageError`.

    Abbreviated options are refused: a script that uses one breaks when another option with the same beginning comes.
    """

    def __init__(self, **options: Any) -> None:
        options.setdefault("formatter_class", partial(argparse.RawDescriptionHelpFormatter, max_help_position=28))
        super().__init__(**{"allow_abbrev": False, **options})

    def error(self, message: str) -> NoReturn:
        see = f"run {self.prog} --help for an example."
        if message.startswith(REQUIRED):
            raise UsageError(f"{self.prog} needs {joined(message.removeprefix(REQUIRED).split(', '))}: {see}")
        named = message.startswith("argument ")
        name, _, said = message.removeprefix("argument ").partition(": ") if named else ("", "", message)
        if said.startswith(HAS_NO):
            raise UsageError(f"{self.prog} {said}")
        if said.startswith("must be "):
            raise UsageError(f"{name} {said}.")
        raise UsageError(f"{name}{': ' if named else ''}{said}; {see}")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        # argparse's own sentence lists all choices, without a guess at which was meant.
        if action.choices is None or value in action.choices:
            return
        choices = list(map(str, action.choices))
        hint = did_you_mean(str(value), choices)
        if isinstance(action, argparse._SubParsersAction):
            raise argparse.ArgumentError(action, f"{HAS_NO}{value!r}: {hint}")
        raise argparse.ArgumentError(action, f"must be one of {', '.join(choices)}, not {value!r} ({hint})")

    def unknown(self, words: Sequence[str]) -> UsageError:
        """What to say of words that nothing in the parser takes."""
        word = words[0].partition("=")[0]
        if word.startswith("-"):
            known = [option for action in self._actions for option in action.option_strings]
            return UsageError(f"{self.prog} has no option {word}: {did_you_mean(word, known)}")
        return UsageError(f"{self.prog} does not know what to do with {word!r}: run {self.prog} --help for an example.")


def add_verb(
    verbs: Any, name: str, run: Callable[[argparse.Namespace], Answer], summary: str, *, more: str = "", examples: str
) -> Parser:
    """Add a verb that does something to the subparsers `verbs`."""
    parser: Parser = verbs.add_parser(name, help=summary)
    describe(parser, run, summary, more=more, examples=examples)
    return parser


def describe(
    parser: Parser, run: Callable[[argparse.Namespace], Answer], summary: str, *, more: str = "", examples: str
) -> None:
    """Give a parser its words, what it runs, and the options that every verb has.

    `examples` are commands, one a line; the tests run them in order.
    """
    parser.description = "\n\n".join(filter(None, (_sentence(summary), more)))
    lines = [line.strip() for line in examples.strip().splitlines()]
    parser.epilog = "\n".join(["examples:" if len(lines) > 1 else "example:", *(f"  {line}" for line in lines)])
    parser.add_argument("--json", action="store_true", help="print one JSON document, numbers in full precision")
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error, and warnings")
    parser.set_defaults(run=run, parser=parser)


def add_family(parser: Parser, summary: str) -> Any:
    """Make a parser one of verbs (``mlfs data list``); returns what `add_verb` takes."""
    parser.description = _sentence(summary)
    return parser.add_subparsers(dest="verb", metavar="VERB", required=True, parser_class=Parser, title="verbs")


def _sentence(summary: str) -> str:
    """A capital first, and a full stop where there is no question mark.

    >>> _sentence("rank the features"), _sentence("which is best?")
    ('Rank the features.', 'Which is best?')
    """
    return f"{summary[0].upper()}{summary[1:]}" + "." * (not summary.endswith("?"))
