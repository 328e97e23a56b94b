"""What holds for every test: nothing of the user's takes part, and random examples are the same in every run."""

from __future__ import annotations

import os
import sys

import pytest
from hypothesis import HealthCheck, settings

# What the tests themselves read: where the shared folder is, and how many new examples to try.
KEPT = {"MLFS_SHARED", "MLFS_FUZZ"}

for name in os.environ.keys() - KEPT:
    if name.startswith("MLFS_"):
        del os.environ[name]
os.environ["no_proxy"] = "localhost,127.0.0.1"  # servers of the tests are on this machine

# Neither the deadline nor the check for slow examples: both would fail on a loaded machine.
settings.register_profile(
    "suite", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("suite")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests in a browser come first: one worker then has them all, with one server and one browser for them."""
    items.sort(key=lambda item: not item.nodeid.startswith("tests/browser/"))


@pytest.fixture
def one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Studies are computed in the process of the test: workers take seconds to start, and have tests of their own."""
    from tests.studies.support import Remembering

    monkeypatch.setattr("mlfs.studies.engines.local.LocalEngine", lambda workers=None, keep=False: Remembering())


@pytest.fixture(autouse=True)
def own_main(monkeypatch: pytest.MonkeyPatch) -> None:
    """AppTest leaves the app in the place of ``__main__``, and processes that are started later would run it."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Downloaded sets and studies are kept apart from the user's."""
    os.environ["MLFS_CACHE"] = str(tmp_path_factory.mktemp("cache"))
