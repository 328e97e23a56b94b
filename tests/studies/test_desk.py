"""The desk: a queue in order, progress, cancel, resume, and sessions that do not see each other."""

import gc
import subprocess
import sys
import threading
import weakref

import pytest

from mlfs.datasets import make_synthetic
from mlfs.errors import StudyError
from mlfs.studies import Desk, Plan, Store, run
from mlfs.studies.workshop import Workshop
from tests.studies.support import DATASETS, PLAN, Here
from tests.waiting import GUARD, until


class Gate:
    """An engine that computes a cell each time it is let through."""

    def __init__(self):
        self.passes = threading.Semaphore(0)

    def compute(self, cells, datasets, cancel):
        workshop = Workshop()
        for cell in cells:
            while not self.passes.acquire(timeout=0.02):
                if cancel.is_set():
                    return
                yield None
            yield workshop.compute(cell, datasets[cell.dataset])


class Broken:
    def compute(self, cells, datasets, cancel):
        raise self.problem
        yield


def plan(name, method="els"):
    return Plan(name, ["emotions"], [method, "mim_br"], "given", {"sizes": [2]})


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "studies.db") as made:
        yield made


@pytest.fixture
def gate():
    return Gate()


@pytest.fixture
def desk(store, gate):
    made = Desk(store, at_once=1, engine=gate)
    yield made
    made.close()


def test_jobs_wait_in_order_and_tell_how_far_they_are(desk, gate):
    first, second, third = (
        desk.submit(plan(name, method)) for name, method in zip("abc", ("els", "pmu", "mfs"), strict=True)
    )
    until(lambda: desk.job(first).text != "")
    assert [(job.id, job.state, job.position) for job in desk.jobs()] == [
        (first, "running", None),
        (second, "waiting", 1),
        (third, "waiting", 2),
    ]
    assert desk.job(first).seconds_left is None
    assert desk.submit(plan("c", "mfs")) == third  # the same plan is the same job
    gate.passes.release()
    until(lambda: desk.job(first).done == 1)
    job = desk.job(first)
    assert (job.total, job.text, job.state) == (2, "els on emotions, split 1", "running")
    assert job.seconds_left > 0
    desk.cancel(second)
    gate.passes.release(3)
    until(lambda: desk.job(third).state == "done")
    assert [job.state for job in desk.jobs()] == ["done", "cancelled", "done"]


def test_cancel_and_resume(desk, gate, store):
    number = desk.submit(plan("a"))
    gate.passes.release()
    until(lambda: desk.job(number).done == 1)
    desk.cancel(number)
    until(lambda: desk.job(number).state == "cancelled")
    assert len(store.results(number)) == 2
    gate.passes.release()
    desk.resume(number)
    until(lambda: desk.job(number).state == "done")
    assert desk.job(number).done == 2


def test_a_restart_interrupts_and_an_upload_is_gone_with_its_session(desk, gate, store):
    shared = desk.submit(plan("shared"))
    mine = desk.submit(PLAN, "me", DATASETS)
    until(lambda: desk.job(shared).text != "")
    assert [job.id for job in desk.jobs()] == [shared]
    assert [job.id for job in desk.jobs("me")] == [shared, mine]
    assert [job.id for job in desk.jobs("you")] == [shared]
    desk.close()
    after = Desk(Store(store.path), engine=Here())
    assert [(job.id, job.state) for job in after.jobs("me")] == [(shared, "interrupted")]
    after.resume(shared)
    until(lambda: after.job(shared).state == "done")
    with pytest.raises(StudyError, match=f"There is no study {mine}"):
        after.resume(mine)
    after.close()


def test_two_at_once(store, gate):
    desk = Desk(store, at_once=2, engine=gate)
    numbers = [desk.submit(plan(name)) for name in "abc"]
    until(lambda: [desk.job(n).state for n in numbers] == ["running", "running", "waiting"])
    desk.close()


@pytest.mark.parametrize(
    ("problem", "sentence"),
    [
        (StudyError("The disk is full."), "The disk is full."),
        (KeyError("x"), "The study stopped for an unforeseen reason, KeyError: 'x'."),
    ],
)
def test_a_failure_is_a_sentence_and_the_next_job_runs(store, problem, sentence):
    engine = Broken()
    engine.problem = problem
    desk = Desk(store, engine=engine)
    first, second = desk.submit(plan("a")), desk.submit(plan("b"))
    until(lambda: desk.job(second).state == "failed")
    assert desk.job(first).error == sentence
    desk.engine = Here()
    desk.resume(first)
    until(lambda: desk.job(first).state == "done")


def test_many_threads_submit_and_look(store):
    desk = Desk(store, engine=Here())
    plans = [plan(f"p{i}") for i in range(8)]
    threads = [threading.Thread(target=lambda p=p: (desk.submit(p), desk.jobs())) for p in plans * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    until(lambda: all(job.state == "done" for job in desk.jobs()))
    assert len(desk.jobs()) == 8


def test_a_job_that_is_not_there(desk):
    with pytest.raises(StudyError, match="There is no study 9 here"):
        desk.job(9)
    with pytest.raises(StudyError, match="There is no study 9"):
        desk.cancel(9)


def test_a_removed_job_stops_and_is_forgotten(desk, gate, store):
    number = desk.submit(plan("first"))
    until(lambda: desk.job(number).state == "running")
    desk.remove(number)
    assert desk.jobs() == []
    assert store.studies() == []
    with pytest.raises(StudyError, match=f"There is no study {number} here"):
        desk.job(number)
    until(lambda: not desk._running)


def test_a_job_of_an_owner_is_not_told_to_others(desk):
    number = desk.submit(PLAN, owner="me", datasets=DATASETS)
    assert desk.job(number, "me").owner == "me"
    with pytest.raises(StudyError, match=f"There is no study {number} here"):
        desk.job(number)


def own_plan(name="of an upload"):
    return Plan(name, ["upload-1"], ["mfs", "mim_br"], settings={"sizes": [2]})


def small_upload():
    return {"upload-1": make_synthetic(n_instances=40, n_labels=3, seed=8)}


def test_the_data_of_an_upload_live_as_long_as_their_session(desk, gate):
    session = small_upload()
    first, second = desk.submit(own_plan("first"), "me", session), desk.submit(own_plan("second"), "me", session)
    gate.passes.release()
    until(lambda: desk.job(first, "me").done == 1)
    for number in (second, first):
        desk.cancel(number)
    until(lambda: desk.job(first, "me").state == "cancelled")
    desk.resume(first)
    gate.passes.release()
    until(lambda: desk.job(first, "me").state == "done")
    data = weakref.ref(session.pop("upload-1"))
    gc.collect()
    assert data() is None
    with pytest.raises(StudyError, match="The data of 'second' are gone with their session: upload them again"):
        desk.resume(second)
    desk.resume(first)  # nothing is left to do
    assert desk.job(first, "me").state == "done"


class Late:
    """An engine whose last cell comes after the study was removed."""

    def __init__(self):
        self.removed = threading.Event()

    def compute(self, cells, datasets, cancel):
        workshop = Workshop()
        yield workshop.compute(cells[0], datasets[cells[0].dataset])
        while not self.removed.wait(0.02):
            yield None
        yield workshop.compute(cells[1], datasets[cells[1].dataset])


def test_a_removed_study_of_an_upload_leaves_nothing_on_the_disk(store):
    data, plan, engine = small_upload(), own_plan("Secret name"), Late()
    desk = Desk(store, engine=engine)
    number = desk.submit(plan, "me", data)
    until(lambda: desk.job(number, "me").done == 1)
    desk.remove(number)
    engine.removed.set()
    until(lambda: not desk._running)
    assert not store.finished(cell.key for cell in plan.cells(data))
    assert b"Secret name" not in b"".join(file.read_bytes() for file in store.path.parent.iterdir())


def test_cells_that_everybody_shares_stay_when_a_private_study_goes(store):
    with Desk(store, engine=Here()).store:
        plan, data = own_plan(), small_upload()
        run(plan, store, engine=Here(), datasets=data, owner="me")
        shared = Plan("shared", ["upload-1"], ["mfs"], settings={"sizes": [2]})
        run(shared, store, engine=Here(), datasets=data)
        mine, public = (one.id for one in store.studies("me"))
        store.remove_study(mine)
        assert {cell.method for cell in plan.cells(data) if store.finished([cell.key])} == {"mfs"}
        store.remove_study(public)
        assert {cell.method for cell in plan.cells(data) if store.finished([cell.key])} == {"mfs"}


def test_a_server_that_starts_forgets_the_uploads_of_the_one_before(store):
    plan, data = own_plan("Secret name"), small_upload()
    run(plan, store, engine=Here(), datasets=data, owner="me")
    run(plan, store, engine=Here(), datasets=data, owner="alive elsewhere")
    store.begin(2)
    desk = Desk(Store(store.path), engine=Here())
    assert [study.owner for study in store.studies("me")] == []
    assert [study.owner for study in store.studies("alive elsewhere")] == ["alive elsewhere"]
    store.end(2)  # or killed, and then silent
    desk.submit(Plan("other", ["synthetic"], ["mfs"], settings={"sizes": [2]}))
    desk.close()
    assert store.studies("alive elsewhere")[0].owner is None
    assert not store.finished(cell.key for cell in plan.cells(data))
    desk.store.close()
    store.close()
    assert b"Secret name" not in store.path.read_bytes()


def test_idle_workers_do_not_keep_a_server_from_ending(tmp_path):
    script = (
        "import time\nfrom mlfs.studies import Desk, Plan, Store\n"
        f"desk = Desk(Store({str(tmp_path / 's.db')!r}), workers=1)\n"
        "job = desk.submit(Plan('one', ['synthetic'], ['mfs'], settings={'sizes': [2]}))\n"
        "while desk.job(job).state != 'done':\n    time.sleep(0.05)\n"
        "print('done', flush=True)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "done\n"
        assert process.wait(timeout=GUARD) == 0
    finally:
        process.kill()
