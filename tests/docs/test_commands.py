"""Every command of the documentation is one, and those of the README run as they stand."""

from __future__ import annotations

import re
import shlex

import pytest

from mlfs.cli.entry import _parser
from tests.cli.commands import Terminal
from tests.docs.pages import DOCS, ROOT, commands

README = (ROOT / "README.md").read_text(encoding="utf-8")
ALL = [(page.name, command) for page in DOCS for command in commands(page.read_text(encoding="utf-8"))]


@pytest.fixture(autouse=True)
def empty_folder(tmp_path, monkeypatch, one_process):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MLFS_DATA", raising=False)
    monkeypatch.setenv("MLFS_CACHE", str(tmp_path / "cache"))


def test_the_commands_are_found():
    found = {name for name, _ in ALL}
    assert found >= {"README.md", "add-a-method.md", "add-a-metric.md", "add-a-data-set.md"}


@pytest.mark.parametrize(("page", "command"), ALL)
def test_its_words_are_understood(page, command):
    words = shlex.split(command)[1:]
    if words[0].startswith("-"):
        assert words == ["--help"]
        return
    # Of files and names nothing is asked here: only which verbs and options there are.
    arguments, rest = _parser(words[0]).parse_known_args(words)
    assert rest == []
    assert callable(arguments.run)


def readme_block() -> list[str]:
    [block] = re.findall(r"^## The command line\n\n```\n(.*?)```", README, flags=re.M | re.S)
    return commands(block)


@pytest.mark.parametrize("command", readme_block())
def test_a_command_of_the_readme_runs(capsys, command):
    told = Terminal(capsys).run(command.removeprefix("mlfs "))
    assert told.strip()
    for word in re.findall(r"emotions|yeast", command):
        assert word in told
