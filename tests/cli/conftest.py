"""Every test of the command line starts in an empty folder, without anybody's data."""

import pytest

from tests.cli.commands import Terminal


@pytest.fixture(autouse=True)
def empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MLFS_DATA", raising=False)
    monkeypatch.setenv("MLFS_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def terminal(capsys):
    return Terminal(capsys)
