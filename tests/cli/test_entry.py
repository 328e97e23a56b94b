"""Exit codes, one sentence for every mistake, quiet ends, quick starts."""

import os
import signal
import subprocess
import sys
import tomllib
import warnings
from importlib import import_module
from pathlib import Path

import pytest

import mlfs
from mlfs.cli import data, main
from mlfs.cli.entry import VERBS
from mlfs.errors import DatasetError, ParameterError
from tests.waiting import GUARD

ROOT = Path(mlfs.__file__).resolve().parents[1]


def start(*words, **variables):
    """Python in a process of its own, with pipes."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([sys.executable, *words], text=True, env=environment, **pipes)


def test_help_tells_verbs_and_exit_codes(terminal):
    printed = terminal.run("--help")
    for word in (*VERBS, "exit codes:", "130", "mlfs data list"):
        assert word in printed


def test_no_words_give_the_help_and_say_that_it_was_no_command(terminal):
    assert terminal.run("", code=2) == terminal.run("--help") + "\n"


def test_version(terminal):
    assert terminal.run("--version") == f"mlfs {mlfs.__version__}\n"


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("slect", "mlfs has no verb 'slect': did you mean 'select'?"),
        ("data lst", "mlfs data has no verb 'lst': did you mean 'list'?"),
        ("data", "mlfs data needs VERB: run mlfs data --help for an example."),
        ("--json", "mlfs needs VERB: run mlfs --help for an example."),
        ("select emotions", "mlfs select needs METHOD or --ranking: run mlfs select --help for an example."),
        ("compare", "mlfs compare needs DATASET: run mlfs compare --help for an example."),
        ("compare emotions", "mlfs compare needs --methods or --ranking: run mlfs compare --help for an example."),
        ("curve emotions", "mlfs curve needs METHOD or --ranking: run mlfs curve --help for an example."),
        ("curve emotions els --sed 1", "mlfs curve has no option --sed: did you mean '--seed'?"),
        ("curve emotions els --see 1", "mlfs curve has no option --see: did you mean '--seed'?"),
        (
            "curve emotions els extra",
            "mlfs curve does not know what to do with 'extra': run mlfs curve --help for an example.",
        ),
        ("curve emotions els --seed", "--seed: expected one argument; run mlfs curve --help for an example."),
        ("curve emotions els --seed x", "--seed must be a whole number from 0, not 'x'."),
        ("select emotions els --rows trian", "--rows must be one of all, train, not 'trian' (did you mean 'train'?)."),
        ("select emotions esl", "There is no method 'esl': did you mean 'els'?"),
    ],
)
def test_wrong_usage_gets_one_sentence(terminal, command, sentence):
    assert terminal.complaint(command) == sentence


def test_failed_work_is_told_from_wrong_usage(terminal):
    assert terminal.complaint("data show emotion", code=1) == "There is no data set 'emotion': did you mean 'emotions'?"


@pytest.mark.parametrize(
    ("problem", "code", "sentence"),
    [
        (DatasetError("The file is empty."), 1, "The file is empty."),
        (ParameterError("alpha must be above 0."), 2, "alpha must be above 0."),
        (
            MemoryError(),
            1,
            "There is not enough memory for this: take a smaller data set, fewer features or fewer workers.",
        ),
        (
            PermissionError(13, "Permission denied", "a.csv"),
            1,
            "a.csv: Permission denied; check the path and your permissions.",
        ),
        (ValueError("X must be finite."), 1, "X must be finite."),
        (
            ZeroDivisionError("division by zero"),
            1,
            "Something went wrong that mlfs did not foresee (ZeroDivisionError): run it again with --debug.",
        ),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else None,
)
def test_whatever_is_raised_ends_in_a_sentence(terminal, monkeypatch, problem, code, sentence):
    def fail(arguments):
        raise problem

    monkeypatch.setattr(data, "run_list", fail)
    assert terminal.complaint("data list", code) == sentence


def test_debug_shows_the_traceback(monkeypatch, capsys):
    monkeypatch.setattr(data, "run_list", lambda arguments: 1 / 0)
    assert main(["data", "list", "--debug"]) == 1
    printed = capsys.readouterr().err
    assert "Traceback" in printed
    assert "run_list" in printed


def test_warnings_of_libraries_stay_inside(terminal, monkeypatch):
    listed = data.run_list

    def warn(arguments):
        warnings.warn("scales differ", UserWarning, stacklevel=1)
        return listed(arguments)

    monkeypatch.setattr(data, "run_list", warn)
    assert terminal.both("data list", 0)[1] == ""
    with pytest.warns(UserWarning, match="scales differ"):
        terminal.run("data list --debug")


def test_ctrl_c_ends_quietly_and_at_once():
    script = (
        "import signal, sys, time, mlfs.cli.data as data\n"
        # A job in the background ignores Ctrl-C, and so would whatever it starts.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        # Registered first, called last: whether Python would still look through all that is alive.
        "import atexit, gc; atexit.register(lambda: print(len(gc.get_objects()) < 1000))\n"
        "data.run_list = lambda a: (print('ready', file=sys.stderr, flush=True), time.sleep(600))\n"
        "from mlfs.cli import main\n"
        "sys.exit(main(['data', 'list']))\n"
    )
    running = start("-c", script)
    assert running.stderr.readline() == "ready\n"
    running.send_signal(signal.SIGINT)
    assert running.communicate(timeout=GUARD) == ("True\n", "")
    assert running.returncode == 130


def test_closed_pipe_ends_quietly():
    running = start("-m", "mlfs", "data", "list")
    running.stdout.close()
    assert running.stderr.read() == ""
    assert running.wait(timeout=GUARD) == 0


def test_a_terminal_without_the_letters_gets_question_marks():
    running = start("-X", "utf8=0", "-m", "mlfs", "data", "list", PYTHONIOENCODING="ascii")
    out, err = running.communicate(timeout=GUARD)
    assert (running.returncode, err) == (0, "")
    assert "?" in out  # the dash for sizes that are not known


@pytest.mark.parametrize(
    ("words", "absent"),
    [(["--help"], {"numpy", "pandas", "sklearn"}), (["data", "list"], {"pandas", "sklearn", "plotly"})],
    ids=["help", "list"],
)
def test_quick_verbs_import_little(words, absent):
    script = f"import sys; from mlfs.cli import main; main({words}); print(sorted({absent} & set(sys.modules)))"
    running = start("-c", script)
    out, err = running.communicate(timeout=GUARD)
    assert out.splitlines()[-1] == "[]", err


def test_the_command_is_installed_under_its_name():
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    module, _, name = scripts["mlfs"].partition(":")
    assert getattr(import_module(module), name) is main
