"""Every help has an example, and every example runs as it stands."""

import argparse
from dataclasses import replace

import pytest

from mlfs.cli.entry import VERBS, _parser
from mlfs.datasets import make_synthetic
from mlfs.datasets.cache import store

# The examples of one verb are run in their order, for they go on where those before them ended.


def leaves(verb):
    """The words of each verb that does something: ("data", "list"), ("select",), …"""
    [action] = [action for action in _parser(verb)._actions if isinstance(action, argparse._SubParsersAction)]
    inner = [action for action in action.choices[verb]._actions if isinstance(action, argparse._SubParsersAction)]
    return [(verb, name) for name in inner[0].choices] if inner else [(verb,)]


def examples(help_text):
    """The commands that stand under "example:" or "examples:" of a help text."""
    _, _, rest = help_text.partition("\nexample")
    return [line.strip().removeprefix("mlfs ") for line in rest.splitlines() if line.startswith("  mlfs ")]


@pytest.mark.parametrize("verb", VERBS)
def test_examples_run(terminal, tmp_path, verb, request):
    if verb != "study":  # which runs on real workers
        request.getfixturevalue("one_process")
    # What a download would leave behind, so that none is made here.
    store(replace(make_synthetic(), name="birds"), tmp_path / "cache")
    for words in leaves(verb):
        commands = examples(terminal.run(f"{' '.join(words)} --help"))
        assert any(command.startswith(" ".join(words)) for command in commands), f"{words} has no example"
        for command in commands:
            assert terminal.run(command).strip()


def test_the_example_of_all_verbs_runs(terminal):
    commands = examples(terminal.run("--help"))
    assert commands == ["data list"]
