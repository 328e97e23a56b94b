"""The Dask engine: a real scheduler and real workers, one of them killed, and the numbers of the local engine."""

import contextlib
import os
import re
import select
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from mlfs.errors import StudyError
from mlfs.studies import MethodGrid, Plan, Store, run
from mlfs.studies.engines import make_engine
from tests.ports import reserved_port
from tests.studies.support import DATASETS, PLAN, Here, numbers
from tests.studies.test_local import Poisoned, of_class
from tests.waiting import GUARD

ROOT = Path(__file__).parents[2]


PAGE = (ROOT / "docs" / "cluster.md").read_text(encoding="utf-8").split("## On one machine")[1].split("\n## ")[0]
COMMANDS = [line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.S) for line in block.splitlines()]
[PROGRAM] = re.findall(r"```python\n(.*?)```", PAGE, re.S)
PORT = "8786"  # of the page
# A worker without a nanny that would start it anew.
ONE_WORKER = [COMMANDS[0], f"dask worker tcp://127.0.0.1:{PORT} --nthreads 1 --no-nanny &"]


class Cluster:
    """A scheduler and workers as processes of their own, by commands as docs/cluster.md has them, on a free port."""

    def __init__(self, folder, path=str(ROOT), commands=COMMANDS):
        self.held = contextlib.ExitStack()
        self.port = self.held.enter_context(reserved_port())
        self.address = f"tcp://127.0.0.1:{self.port}"
        environment = {
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": path,
            # One death is enough to suspect a piece: every further one would cost a test the start of a worker.
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0",
            "DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "error",
            "DASK_TEMPORARY_DIRECTORY": str(folder),
        }
        self.processes = [
            # Each with those that it starts is a group, and they end together.
            subprocess.Popen(
                [*self.here(command).rstrip("& ").split(), "--no-dashboard"],
                env=environment,
                cwd=folder,
                process_group=0,
            )
            for command in commands
        ]

    def here(self, text):
        """What the page says, with the port of this cluster."""
        return text.replace(PORT, str(self.port))

    def workers(self):
        """The processes that compute, by the scheduler's own list."""
        from distributed import Client

        with Client(self.address, timeout=GUARD, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=GUARD)
            return list(client.run(os.getpid).values())

    def kill(self):
        # The workers first: they would write of a scheduler that is gone.
        while self.processes:
            process = self.processes.pop()
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self.held.close()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    made = Cluster(tmp_path_factory.mktemp("dask"))
    yield made
    made.kill()


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """A scheduler that is there answers, if late on a loaded machine."""
    monkeypatch.setattr("mlfs.studies.engines.dask.CONNECT_SECONDS", GUARD)


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "studies.db") as made:
        yield made


def expected(plan, tmp_path, datasets=None):
    with Store(tmp_path / "here.db") as other:
        run(plan, other, engine=Here(), datasets=datasets)
        return numbers(other.results(plan))


def test_data_in_memory_are_shipped_and_the_bits_are_the_same(cluster, store, tmp_path):
    summary = run(PLAN, store, engine=cluster.address, datasets=DATASETS)
    assert (summary.computed, summary.failed) == (12, 0)
    assert numbers(store.results(PLAN)).equals(expected(PLAN, tmp_path, DATASETS))


def test_a_worker_killed_in_the_middle(cluster, store, tmp_path):
    grid = {"alpha": [0.01, 0.1, 1, 10], "beta": [0.01, 0.1, 1, 10]}
    plan = Plan("p", ["emotions"], [MethodGrid("grro", grid=grid), "pmu"], settings={"repeats": 2})
    victims = cluster.workers()
    assert len(victims) == 2

    def progress(done, total, text):
        if done == 3:
            os.kill(victims[0], signal.SIGKILL)

    summary = run(plan, store, engine=cluster.address, progress=progress)
    assert (summary.computed, summary.failed, summary.cancelled) == (34, 0, False)
    assert numbers(store.results(plan)).equals(expected(plan, tmp_path))


def test_a_cell_that_keeps_killing_workers_is_failed_and_the_study_finishes(cluster, store):
    datasets = {**DATASETS, "poisoned": of_class(Poisoned, "poisoned")}
    plan = Plan("p", ["poisoned", "small"], ["els"], settings={"sizes": [2]})
    summary = run(plan, store, engine=cluster.address, datasets=datasets)
    assert (summary.computed, summary.failed, summary.cancelled) == (2, 1, False)
    errors = store.results(plan)["error"].tolist()
    assert errors[0].startswith("The worker process ended again and again on this cell")
    assert errors[1:] == ["", ""]


def test_cancel(cluster, store):
    stop = threading.Event()
    plan = Plan("p", ["emotions"], ["els", "pmu"], settings={"repeats": 40})

    def progress(done, total, text):
        if done:
            stop.set()

    summary = run(plan, store, engine=f"dask:{cluster.address}", progress=progress, cancel=stop)
    assert summary.cancelled
    assert summary.computed < len(plan)
    assert store.study(1).done == summary.computed


def test_another_version_on_the_workers_is_said(cluster, store, monkeypatch):
    monkeypatch.setattr("mlfs.studies.engines.dask.VERSION", "9.9/1")
    with pytest.raises(StudyError, match=r"has another mlfs \(.*\) than the study needs \(9.9/1\): install the same"):
        run(PLAN, store, engine=cluster.address, datasets=DATASETS)


@pytest.fixture
def another_cluster(tmp_path):
    """Makes a small cluster that a test may spoil."""
    made = []

    def make(**how):
        made.append(Cluster(tmp_path, **{"commands": ONE_WORKER, **how}))
        return made[0]

    yield make
    for cluster in made:
        cluster.kill()


def test_a_scheduler_that_goes_is_told_without_a_traceback(another_cluster, store, monkeypatch, capfd):
    from distributed import Client

    class Impatient(Client):
        """Gives a lost connection up soon, and waits for the first as long as it takes."""

        async def _reconnect(self):
            self._timeout = 1
            await super()._reconnect()

    monkeypatch.setattr("distributed.Client", Impatient)
    cluster = another_cluster()
    plan = Plan("p", ["emotions"], ["els", "pmu"], settings={"repeats": 20})

    def progress(done, total, text):
        if done == 3:
            cluster.kill()
            capfd.readouterr()

    gone = "The Dask scheduler at .* no longer answers: start it again, then resume the study"
    with pytest.raises(StudyError, match=gone):
        run(plan, store, engine=cluster.address, progress=progress)
    assert store.study(1).done >= 3
    assert "Traceback" not in capfd.readouterr().err


def test_a_cluster_without_mlfs_is_told(another_cluster, store, tmp_path):
    (tmp_path / "mlfs.py").write_text("raise ImportError('not the mlfs that is meant')", encoding="utf-8")
    cluster = another_cluster(path=str(tmp_path))
    with pytest.raises(StudyError, match=r"cannot run cells of mlfs .*: install the same mlfs for the scheduler and"):
        run(PLAN, store, engine=cluster.address, datasets=DATASETS)


def test_without_workers_it_says_so_and_ends_when_told(another_cluster, tmp_path):
    """In a terminal, for progress is shown to people only."""
    from distributed import Client

    cluster = another_cluster(commands=COMMANDS[:1])
    Client(cluster.address, timeout=GUARD, set_as_default=False).close()  # it is there
    words = ["study", "run", "--datasets", "emotions", "--methods", "els", "--dask", cluster.address]
    # A job in the background ignores Ctrl-C, and so would whatever it starts.
    script = "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    script += "from mlfs.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", script, *words, "--store", str(tmp_path / "studies.db")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200"}
    for sent, code in (signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM):
        ours, theirs = os.openpty()
        process = subprocess.Popen(command, stderr=theirs, stdout=subprocess.DEVNULL, env=environment, process_group=0)
        os.close(theirs)
        said = b""
        try:
            while b"waiting for workers" not in said:
                assert select.select([ours], [], [], GUARD)[0], said
                said += os.read(ours, 4096)
            process.send_signal(sent)
            assert process.wait(GUARD) == code
        finally:
            process.kill()
            process.wait()
            os.close(ours)
        assert b"Traceback" not in said
        with Store(tmp_path / "studies.db") as store:
            assert store.study(1).done == 0


def test_messages(store, monkeypatch):
    monkeypatch.setattr("mlfs.studies.engines.dask.CONNECT_SECONDS", 1)
    with pytest.raises(StudyError, match=r"No Dask scheduler answers at tcp://127.0.0.1:1: start one with"):
        run(PLAN, store, engine="tcp://127.0.0.1:1", datasets=DATASETS)
    with pytest.raises(StudyError, match="needs the address of a scheduler"):
        make_engine("dask")
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(StudyError, match="Dask is not installed here: run pip install"):
        run(PLAN, store, engine="tcp://127.0.0.1:1", datasets=DATASETS)


def test_the_program_of_the_page_on_clusters(cluster, tmp_path):
    """What docs/cluster.md says for one machine: its commands have started the cluster."""
    assert [command.split()[:2] for command in COMMANDS] == [["dask", "scheduler"], ["dask", "worker"]]
    done = subprocess.run(
        [sys.executable, "-c", cluster.here(PROGRAM)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=GUARD,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "computed=8" in done.stdout
