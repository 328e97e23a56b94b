"""Kill -9 at any moment: no finished cell is lost, none is half written, the next run goes on."""

import contextlib
import itertools
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mlfs.studies import MethodGrid, Plan, Store, run
from tests.studies.support import DATASETS, Here, numbers
from tests.waiting import until

KILLS = 12
MOST = 12  # words of a study until it is killed
GRID = [0.01, 0.1, 1, 10]
PLAN = Plan(
    "to be killed",
    ["small"],
    [MethodGrid("grro", grid={"alpha": GRID, "beta": GRID}), "pmu", "els"],
    settings={"repeats": 20, "sizes": [1, 3, 6]},
)
ROWS = 3 * 2  # of a cell: sizes and metrics


def study(path, told):
    """Run the plan here, telling each cell that is done; after some it waits to be killed, so that cells remain."""
    words = itertools.count(1)

    def progress(done, *_):
        told.send_bytes(b"%d" % done)
        if next(words) == MOST:
            told.recv_bytes()

    run(PLAN, Store(path), engine=Here(), datasets=DATASETS, progress=progress)


def test_killed_again_and_again(tmp_path, monkeypatch):
    # Processes that begin with everything imported: the moments to be killed at are those of the work.
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.studies.warm"])
    path, rng, done = tmp_path / "studies.db", random.Random(0), 0
    for _ in range(KILLS):
        ours, theirs = context.Pipe()
        process = context.Process(target=study, args=(path, theirs))
        process.start()
        theirs.close()
        done = max(done, _told(ours, 1 + rng.randrange(MOST)))
        time.sleep(rng.random() * 0.02)
        process.kill()
        process.join()
        assert process.exitcode == -signal.SIGKILL
        done = max(done, _told(ours, len(PLAN)))
        with Store(path) as store:
            # Every cell that was told is there, and each that is there is whole.
            assert store.study(1).done >= done
            assert len(store.results(1)) == store.study(1).done * ROWS
            assert store.results(1)["value"].notna().all()
    with Store(path) as store, Store(tmp_path / "undisturbed.db") as other:
        engine = Here()
        assert run(PLAN, store, engine=engine, datasets=DATASETS).known >= done
        assert len(engine.computed) <= len(PLAN) - done
        run(PLAN, other, engine=Here(), datasets=DATASETS)
        assert numbers(store.results(PLAN)).equals(numbers(other.results(PLAN)))


def _told(connection, words):
    """The last of so many words that came, or of fewer where there are no more."""
    done = 0
    with contextlib.suppress(EOFError):
        for _ in range(words):
            done = int(connection.recv_bytes())
    return done


LOCAL = """
import sys
from mlfs.studies import Plan, Store, run
def progress(done, total, text):
    print(done, flush=True)
    if done == 4:
        sys.stdin.read()
run(Plan.read(sys.argv[1]), Store(sys.argv[2]), workers=2, progress=progress)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="looks for processes as Linux lists them")
def test_workers_do_not_outlive_a_killed_parent(tmp_path):
    path = tmp_path / "studies.db"
    plan = Plan("p", ["emotions"], ["els", "mim_br"], settings={"repeats": 50})
    command = [sys.executable, "-c", LOCAL, str(plan.write(tmp_path / "plan.toml")), str(path)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    told = 0
    while told < 4:
        told = int(process.stdout.readline())
    with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="ascii") as listed:
        workers = [int(child) for child in listed.read().split()]
    assert len(workers) >= 2
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    until(lambda: not any(map(_alive, workers)))
    with Store(path) as store:
        assert told <= store.study(1).done < len(plan)


def _alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
