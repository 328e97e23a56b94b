"""A wheel as pip would install it: it holds what the repository does, and loads the bundled sets without it."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from mlfs.datasets import CATALOGUE, bundled_names, load_bundled
from mlfs.papers import PAPERS
from tests.waiting import GUARD

ROOT = Path(__file__).resolve().parents[1]
# The data sets alone: importing the whole of mlfs takes seconds and adds nothing here.
LOAD_ALL = """
import pathlib, sys, types
mlfs = sys.modules["mlfs"] = types.ModuleType("mlfs")
mlfs.__path__ = [str(pathlib.Path(entry, "mlfs")) for entry in sys.path if pathlib.Path(entry, "mlfs").is_dir()]
import mlfs.datasets as d
print(d.__file__)
for name in d.bundled_names():
    ds = d.load_dataset(name)
    print(name, *ds.X.shape, ds.Y.shape[1], ds.fingerprint)
print(len(d.CATALOGUE))
"""

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("hatchling") is None or importlib.util.find_spec("hatch_requirements_txt") is None,
    reason="needs hatchling and hatch-requirements-txt to build a wheel without the network",
)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=GUARD)
    (built,) = folder.glob("*.whl")
    return zipfile.ZipFile(built)


def test_it_loads_the_bundled_sets(wheel, tmp_path):
    site = tmp_path / "site"
    wheel.extractall(site)
    environment = {**os.environ, "PYTHONPATH": str(site)}
    environment.pop("MLFS_DATA", None)
    done = subprocess.run(
        [sys.executable, "-c", LOAD_ALL], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=GUARD
    )
    assert done.returncode == 0, done.stderr
    where, *loaded, n_catalogued, _ = done.stdout.split("\n")
    assert Path(where).is_relative_to(site)
    here = [load_bundled(name) for name in bundled_names()]
    assert loaded == [" ".join(map(str, (ds.name, *ds.sizes.values(), ds.fingerprint))) for ds in here]
    assert int(n_catalogued) == len(CATALOGUE) > 30


def test_it_holds_the_folders_of_the_papers_whole(wheel):
    files = [path for kind in ("toml", "csv") for path in (ROOT / "mlfs" / "papers").rglob(f"*.{kind}")]
    assert len(files) > 4 * len(PAPERS)
    assert {path.relative_to(ROOT).as_posix() for path in files} <= set(wheel.namelist())
