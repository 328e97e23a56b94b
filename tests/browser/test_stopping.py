"""A server that is told to end while a study runs: it ends soon, takes its workers along, and the study can go on."""

import os
import signal
from pathlib import Path

import pytest

from mlfs.studies import Store
from tests.browser.conftest import settle
from tests.browser.server import started
from tests.browser.slow import slowed
from tests.waiting import GUARD, until

LONG = "/compare?sets=scene&methods=els,grro,mifs&repeats=20"


def children(pid):
    """The processes that a process has started, and those that they have."""
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in map(int, (task / "children").read_text().split()):
            found += [child, *children(child)]
    return found


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path(f"/proc/{os.getpid()}/task").exists(), reason="processes are looked up in /proc")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_stopped_server_ends_and_its_study_can_be_resumed(known_tab, tmp_path, how):
    place = tmp_path / "studies.sqlite"
    with started(log=tmp_path / "log.txt", MLFS_STORE=str(place)) as (direct, process), slowed(direct) as address:
        known_tab.goto(address + LONG)
        settle(known_tab)
        known_tab.locator(".st-key-run button").click()
        known_tab.wait_for_function(
            r"() => /^[1-9]\d* of/.test(document.querySelector('[data-testid=stProgress]')?.innerText ?? '')",
        )
        workers = children(process.pid)
        process.send_signal(how)
        process.wait(timeout=GUARD)
        known_tab.goto("about:blank")
    assert len(workers) > 1
    until(lambda: not any(map(is_alive, workers)))
    with Store(place) as store:
        [study] = store.studies()
    assert study.state == "interrupted"
    assert 0 < study.done < study.cells
    assert "Traceback" not in (tmp_path / "log.txt").read_text()
