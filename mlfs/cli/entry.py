"""From the words of a command to an exit code: which verb, and what a person is told when something goes wrong."""

from __future__ import annotations

import atexit
import gc
import io
import os
import sys
import threading
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from importlib import import_module

from mlfs import __version__
from mlfs.cli.output import show
from mlfs.cli.parser import Parser
from mlfs.errors import MlfsError, ParameterError
from mlfs.terminal import printable

FINE, FAILED, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130

# Each is a module of this package with `build(parser)`. Their parsers say more; this is the list of `mlfs --help`.
VERBS = {
    "data": "list, show, download and convert data sets",
    "select": "rank the features of a data set by a method",
    "splits": "which rows train and which test, for a program elsewhere",
    "curve": "losses, R(F) and C(F) of a method against the number of features",
    "compare": "many methods on many data sets under one protocol",
    "answer": "which features to keep, how many, by which method, and whether that is better than chance",
    "noise": "R(F) and C(F) of several methods at tenths of the features",
    "pareto": "the front of the features under some labels, and what MAPD selects",
    "significance": "do the methods of a table of results really differ?",
    "study": "plan, run, resume and export studies",
    "benchmark": "every method on every data set under one protocol, and which is best",
    "paper": "the published tables of the papers, and the same computed again",
}

EXIT_CODES = f"""\
exit codes:
  {FINE}    all went well
  {FAILED}    the work failed, or a part of it; the reason is on the standard error
  {WRONG_USAGE}    wrong usage: a verb, an option or a parameter that is not right
  {INTERRUPTED}  interrupted (Ctrl-C)

example:
  mlfs data list

Every verb has its own help: mlfs select --help.
A method is written as its id, or with parameters: grro:alpha=1,beta=0.1."""


def main(words: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; nothing that goes wrong leaves as an exception."""
    words = sys.argv[1:] if words is None else list(words)
    debug = "--debug" in words
    _write_any_letter()
    # At its end Python would look through all that is alive, which after Ctrl-C is most of what a person waits for.
    atexit.register(gc.freeze)
    try:
        with nullcontext() if debug else _quiet():
            return _run(words)
    except SystemExit as end:  # argparse, after --help and --version
        return end.code if isinstance(end.code, int) else FINE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return _nobody_reads()
    except Exception as error:
        if debug:
            traceback.print_exc()
        print(printable(_sentence(error)), file=sys.stderr)
        return WRONG_USAGE if isinstance(error, ParameterError) else FAILED


def _run(words: Sequence[str]) -> int:
    parser = _parser(next((word for word in words if not word.startswith("-")), None))
    if not words:
        print(parser.format_help())
        return WRONG_USAGE
    arguments, rest = parser.parse_known_args(words)
    if rest:
        raise arguments.parser.unknown(rest)
    answer = arguments.run(arguments)
    show(answer, arguments.json)
    return FAILED if answer.problems else FINE


def _parser(verb: str | None) -> Parser:
    """The parser of all verbs, of which only the one asked for is imported."""
    parser = Parser(
        prog="mlfs",
        description="Multi-label feature selection: the work of the app without a browser, with the same numbers.",
        epilog=EXIT_CODES,
    )
    parser.add_argument("--version", action="version", version=f"mlfs {__version__}")
    verbs = parser.add_subparsers(metavar="VERB", required=True, parser_class=Parser, title="verbs")
    for name, summary in VERBS.items():
        of_verb = verbs.add_parser(name, help=summary)
        if name == verb:
            import_module(f"mlfs.cli.{name}").build(of_verb)
    return parser


@contextmanager
def _quiet() -> Iterator[None]:
    """No warnings of libraries, with file names and line numbers: what concerns the user is in the answer's notes.

    Nor do threads complain, as those that watch over worker processes do when an interruption ends these.
    """
    hook, threading.excepthook = threading.excepthook, lambda _: None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            yield
        except KeyboardInterrupt:
            raise  # those threads may still be about to
        except BaseException:
            threading.excepthook = hook
            raise
    threading.excepthook = hook


def _sentence(error: Exception) -> str:
    """What to tell the user: never more than one line, never a traceback."""
    said = " ".join(str(error).split())
    if isinstance(error, MlfsError):
        return said
    if isinstance(error, MemoryError):
        return "There is not enough memory for this: take a smaller data set, fewer features or fewer workers."
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror or said or type(error).__name__}; check the path and your permissions."
    if isinstance(error, ValueError) and said.endswith((".", "?")):  # the selectors' own, in scikit-learn's manner
        return said
    return f"Something went wrong that mlfs did not foresee ({type(error).__name__}): run it again with --debug."


def _write_any_letter() -> None:
    """A terminal that lacks a letter of some feature's name gets a question mark, not an error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _nobody_reads() -> int:
    """The reader of our output has closed it, as head does. What Python would still flush at its end goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return FINE
