"""What holds for every test: nothing of the user's takes part, and random examples are the same in every run."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings

from tests.prepared_python import PreparedPython

if TYPE_CHECKING:
    from tests.disks import Disk

# What the tests themselves read: where the shared folder is, how many new examples to try, and what a browser has slow.
KEPT = {"MLFS_SHARED", "MLFS_FUZZ", "MLFS_SLOW"}

for name in os.environ.keys() - KEPT:
    if name.startswith("MLFS_"):
        del os.environ[name]
os.environ["no_proxy"] = "localhost,127.0.0.1"  # servers of the tests are on this machine

# Neither the deadline nor the check for slow examples: both would fail on a loaded machine.
settings.register_profile(
    "suite", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("suite")


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Examples in docstrings are those of mlfs: to look for them here would import every helper of the tests."""
    found = yield
    return [collector for collector in found if not isinstance(collector, DoctestModule)]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests in a browser come first: one worker then has them all, with one server and one browser for them.

    They are done one after the other, and last longest: the other workers let them go first.
    """
    items.sort(key=lambda item: not is_in_a_browser(item))


def is_in_a_browser(item: pytest.Item) -> bool:
    return item.nodeid.startswith("tests/browser/")


let_go_first = hasattr(os, "nice") and "PYTEST_XDIST_WORKER" in os.environ


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Any worker may be the one with a browser: the first to be ready has the first tests."""
    global let_go_first
    if let_go_first and not is_in_a_browser(item):
        let_go_first = False
        os.nice(5)


@pytest.hookimpl(tryfirst=True)
def pytest_collection() -> None:
    """Whatever tests are made of stays alive: Python need not look for garbage among it."""
    gc.disable()


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """What is alive before the first test stays so: Python's collections need not walk through it again and again.

    Nor need they come so often; those that are asked for (`gc.collect`) come as ever.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20)
    gc.enable()


@pytest.fixture(scope="session")
def prepared_python(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PreparedPython]:
    """For programs that need a process of their own, but not one that imports everything anew."""
    folder = tmp_path_factory.getbasetemp()
    with PreparedPython(folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) as python:
        yield python


@pytest.fixture
def one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Studies are computed in the process of the test: workers take seconds to start, and have tests of their own."""
    from tests.studies.support import Remembering

    monkeypatch.setattr("mlfs.studies.engines.local.LocalEngine", lambda *_, **__: Remembering())


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """One that can be filled, and protected."""
    from tests.disks import small_disk

    with small_disk(tmp_path / "disk") as made:
        yield made


@pytest.fixture(autouse=True)
def own_main(monkeypatch: pytest.MonkeyPatch) -> None:
    """AppTest leaves the app in the place of ``__main__``, and processes that are started later would run it."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])


@pytest.fixture
def forgotten_modules(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Modules that a test has written are forgotten after it, and no others: a package imported twice is broken."""
    yield
    written = str(tmp_path_factory.getbasetemp())
    for name, module in list(sys.modules.items()):
        if (getattr(module, "__file__", None) or "").startswith(written):
            del sys.modules[name]


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Downloaded sets and studies are kept apart from the user's."""
    os.environ["MLFS_CACHE"] = str(tmp_path_factory.mktemp("cache"))
