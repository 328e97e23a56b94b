"""Files of kept runs: whole or as before."""

import os

import numpy as np
import pytest

from mlfs import __version__
from mlfs.errors import DatasetError
from mlfs.papers.measured_files import check_writable, versions, write


def test_what_ran_is_named_with_its_version():
    assert list(versions()) == ["mlfs", "python", "numpy", "scikit-learn"]
    assert (versions()["mlfs"], versions()["numpy"]) == (__version__, np.__version__)


def test_a_write_that_fails_leaves_the_file_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "new" / "runs.csv"
    write(path, "a\n1\n")
    write(path, "a\n2\n")

    def full(*_):
        raise OSError("no space left")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(DatasetError) as caught:
        write(path, "a\n3\n")
    assert str(caught.value) == f"{path} cannot be written: give a folder that may be written to and has room."
    assert [(file.name, file.read_text()) for file in path.parent.iterdir()] == [("runs.csv", "a\n2\n")]


def test_a_folder_that_cannot_be_is_told(tmp_path):
    check_writable(tmp_path / "not" / "yet")
    (tmp_path / "file").write_text("")
    with pytest.raises(DatasetError, match="cannot be written: give a folder that may be written to and has room"):
        check_writable(tmp_path / "file" / "folder")
