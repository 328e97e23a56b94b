"""The queue: a queue in order, progress, cancel, going on, and sessions that do not see each other."""

import gc
import subprocess
import sys
import threading
import weakref

import pytest

from mlfs.datasets import make_synthetic
from mlfs.errors import StudyError
from mlfs.studies import JobQueue, Plan, Store, run
from mlfs.studies.cell_runner import CellRunner
from tests.studies.support import DATASETS, PLAN, Here
from tests.waiting import GUARD, until


class Gate:
    """An engine that computes a cell each time it is let through."""

    def __init__(self):
        self.passes = threading.Semaphore(0)

    def compute(self, cells, datasets, cancel):
        runner = CellRunner()
        for cell in cells:
            while not self.passes.acquire(timeout=0.02):
                if cancel.is_set():
                    return
                yield None
            yield runner.compute(cell, datasets[cell.dataset])


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
def queue(store, gate):
    made = JobQueue(store, at_once=1, engine=gate)
    yield made
    made.close()


def test_jobs_wait_in_order_and_tell_how_far_they_are(queue, gate):
    first, second, third = (
        queue.submit(plan(name, method)) for name, method in zip("abc", ("els", "pmu", "mfs"), strict=True)
    )
    until(lambda: queue.job(first).text != "")
    assert [(job.id, job.state, job.position) for job in queue.jobs()] == [
        (first, "running", None),
        (second, "waiting", 1),
        (third, "waiting", 2),
    ]
    assert queue.job(first).seconds_left is None
    assert queue.submit(plan("c", "mfs")) == third  # the same plan is the same job
    gate.passes.release()
    until(lambda: queue.job(first).done == 1)
    job = queue.job(first)
    assert (job.total, job.text, job.state) == (2, "els on emotions, split 1", "running")
    assert job.seconds_left > 0
    queue.cancel(second)
    gate.passes.release(3)
    until(lambda: queue.job(third).state == "done")
    assert [job.state for job in queue.jobs()] == ["done", "cancelled", "done"]


def test_who_waits_longest_is_the_next_to_run(queue, gate):
    first, *waiting = (
        queue.submit(plan(name, method)) for name, method in zip("abc", ("els", "pmu", "mfs"), strict=True)
    )
    gate.passes.release(2)
    until(lambda: queue.job(first).state == "done")
    until(lambda: any(queue.job(number).state == "running" for number in waiting))
    assert [queue.job(number).state for number in waiting] == ["running", "waiting"]


def test_cancel_and_go_on(queue, gate, store):
    number = queue.submit(plan("a"))
    gate.passes.release()
    until(lambda: queue.job(number).done == 1)
    queue.cancel(number)
    until(lambda: queue.job(number).state == "cancelled")
    assert len(store.results(number)) == 2
    gate.passes.release()
    assert queue.submit(plan("a")) == number
    until(lambda: queue.job(number).state == "done")
    assert queue.job(number).done == 2


def test_a_cancelled_job_stops_before_the_store_is_asked(queue, monkeypatch):
    # `mlfs.studies.run` is the function, by that name.
    monkeypatch.setattr(sys.modules["mlfs.studies.run"], "BEAT_SECONDS", float("inf"))
    number = queue.submit(plan("a"))
    until(lambda: queue.job(number).text != "")
    queue.cancel(number)
    until(lambda: queue.job(number).state == "cancelled")


def test_a_restart_interrupts_and_an_upload_is_gone_with_its_session(queue, gate, store):
    shared = queue.submit(plan("shared"))
    mine = queue.submit(PLAN, "me", DATASETS)
    until(lambda: queue.job(shared).text != "")
    assert [job.id for job in queue.jobs()] == [shared]
    assert [job.id for job in queue.jobs("me")] == [shared, mine]
    assert [job.id for job in queue.jobs("you")] == [shared]
    queue.close()
    after = JobQueue(Store(store.path), engine=Here())
    assert [(job.id, job.state) for job in after.jobs("me")] == [(shared, "interrupted")]
    assert after.submit(plan("shared")) == shared
    until(lambda: after.job(shared).state == "done")
    with pytest.raises(StudyError, match=f"There is no study {mine}"):
        after.job(mine, "me")
    after.close()


def test_two_at_once(store, gate):
    queue = JobQueue(store, at_once=2, engine=gate)
    numbers = [queue.submit(plan(name)) for name in "abc"]
    until(lambda: [queue.job(n).state for n in numbers] == ["running", "running", "waiting"])
    queue.close()


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
    queue = JobQueue(store, engine=engine)
    first, second = queue.submit(plan("a")), queue.submit(plan("b"))
    until(lambda: queue.job(second).state == "failed")
    assert queue.job(first).error == sentence
    queue.engine = Here()
    assert queue.submit(plan("a")) == first
    until(lambda: queue.job(first).state == "done")


def test_many_threads_submit_and_look(store):
    queue = JobQueue(store, engine=Here())
    plans = [plan(f"p{i}") for i in range(8)]
    threads = [threading.Thread(target=lambda p=p: (queue.submit(p), queue.jobs())) for p in plans * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    until(lambda: all(job.state == "done" for job in queue.jobs()))
    assert len(queue.jobs()) == 8


def test_a_job_that_is_not_there(queue):
    with pytest.raises(StudyError, match="There is no study 9 here"):
        queue.job(9)
    with pytest.raises(StudyError, match="There is no study 9"):
        queue.cancel(9)


def test_a_removed_job_stops_and_is_forgotten(queue, gate, store):
    number = queue.submit(plan("first"))
    until(lambda: queue.job(number).state == "running")
    queue.remove(number)
    assert queue.jobs() == []
    assert store.studies() == []
    with pytest.raises(StudyError, match=f"There is no study {number} here"):
        queue.job(number)
    until(lambda: not queue._running)


def test_a_job_of_an_owner_is_not_told_to_others(queue):
    number = queue.submit(PLAN, owner="me", datasets=DATASETS)
    assert queue.job(number, "me").owner == "me"
    with pytest.raises(StudyError, match=f"There is no study {number} here"):
        queue.job(number)


def own_plan(name="of an upload"):
    return Plan(name, ["upload-1"], ["mfs", "mim_br"], settings={"sizes": [2]})


def small_upload():
    return {"upload-1": make_synthetic(n_instances=40, n_labels=3, seed=8)}


def test_the_data_of_an_upload_live_as_long_as_their_session(queue, gate):
    session = small_upload()
    first, second = queue.submit(own_plan("first"), "me", session), queue.submit(own_plan("second"), "me", session)
    gate.passes.release()
    until(lambda: queue.job(first, "me").done == 1)
    for number in (second, first):
        queue.cancel(number)
    until(lambda: queue.job(first, "me").state == "cancelled")
    assert queue.submit(own_plan("first"), "me", session) == first
    gate.passes.release()
    until(lambda: queue.job(first, "me").state == "done")
    data = weakref.ref(session.pop("upload-1"))
    gc.collect()
    assert data() is None
    assert [queue.job(number, "me").state for number in (first, second)] == ["done", "cancelled"]


class Late:
    """An engine whose last cell comes after the study was removed."""

    def __init__(self):
        self.removed = threading.Event()

    def compute(self, cells, datasets, cancel):
        runner = CellRunner()
        yield runner.compute(cells[0], datasets[cells[0].dataset])
        while not self.removed.wait(0.02):
            yield None
        yield runner.compute(cells[1], datasets[cells[1].dataset])


def test_a_removed_study_of_an_upload_leaves_nothing_on_the_disk(store):
    data, plan, engine = small_upload(), own_plan("Secret name"), Late()
    queue = JobQueue(store, engine=engine)
    number = queue.submit(plan, "me", data)
    until(lambda: queue.job(number, "me").done == 1)
    queue.remove(number)
    engine.removed.set()
    until(lambda: not queue._running)
    assert not store.finished(cell.key for cell in plan.cells(data))
    assert b"Secret name" not in b"".join(file.read_bytes() for file in store.path.parent.iterdir())


def test_cells_that_everybody_shares_stay_when_a_private_study_goes(store):
    with JobQueue(store, engine=Here()).store:
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
    queue = JobQueue(Store(store.path), engine=Here())
    assert [study.owner for study in store.studies("me")] == []
    assert [study.owner for study in store.studies("alive elsewhere")] == ["alive elsewhere"]
    store.end(2)  # or killed, and then silent
    queue.submit(Plan("other", ["synthetic"], ["mfs"], settings={"sizes": [2]}))
    queue.close()
    assert store.studies("alive elsewhere")[0].owner is None
    assert not store.finished(cell.key for cell in plan.cells(data))
    queue.store.close()
    store.close()
    assert b"Secret name" not in store.path.read_bytes()


def test_idle_workers_do_not_keep_a_server_from_ending(tmp_path):
    script = (
        "import time\nfrom mlfs.studies import JobQueue, Plan, Store\n"
        f"queue = JobQueue(Store({str(tmp_path / 's.db')!r}), workers=1)\n"
        "job = queue.submit(Plan('one', ['synthetic'], ['mfs'], settings={'sizes': [2]}))\n"
        "while queue.job(job).state != 'done':\n    time.sleep(0.05)\n"
        "print('done', flush=True)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "done\n"
        assert process.wait(timeout=GUARD) == 0
    finally:
        process.kill()


def test_only_who_asked_for_a_study_stops_it_and_deletes_it(queue, gate, store):
    number = queue.submit(plan("first"), asker="ann")
    until(lambda: queue.job(number).state == "running")
    with pytest.raises(StudyError, match="Study 1 was started in another browser, and only that browser can stop it"):
        queue.cancel(number, "bob")
    with pytest.raises(StudyError, match="only that browser can delete it"):
        queue.remove(number, "bob")
    assert not store.beat(number)  # nobody's wish to stop has reached the run
    queue.cancel(number, "ann")
    until(lambda: queue.job(number).state == "cancelled")
    queue.submit(plan("first"), asker="bob")
    assert queue.job(number).askers == {"ann", "bob"}
    queue.cancel(number, "bob")
    until(lambda: queue.job(number).state == "cancelled")
    assert not store.study(number).may_delete("bob")
    queue.remove(number, "ann")


def test_a_restart_does_not_forget_who_asked(store):
    number = JobQueue(store, engine=Here()).submit(plan("first"), asker="ann")
    until(lambda: store.study(number).state == "done")
    with Store(store.path) as after:
        later = JobQueue(after, engine=Here())
        assert later.job(number).askers == {"ann"}
        with pytest.raises(StudyError, match="only that browser can stop it"):
            later.cancel(number, "bob")
        with pytest.raises(StudyError, match="only that browser can delete it"):
            later.remove(number, "bob")


def test_a_study_of_the_command_line_is_anybody_s(store):
    number = store.note_cells(plan("first"), plan("first").cells(DATASETS))
    assert JobQueue(store, engine=Here()).job(number).may_cancel("bob")
    assert store.study(number).may_delete("bob")


def test_a_second_server_leaves_the_studies_of_the_first_one_s_owners(tmp_path):
    now = [1000.0]

    def opened():
        return Store(tmp_path / "studies.db", clock=lambda: now[0])

    first = JobQueue(opened(), engine=Here())
    number = first.submit(own_plan(), "me", small_upload())
    until(lambda: first.job(number, "me").state == "done")
    now[0] += 100
    first.look(lambda owner: True)
    now[0] += 50
    second = JobQueue(opened(), engine=Here())
    second.look(lambda owner: True)
    assert first.store.study(number).state == "done"
    now[0] += 11  # the first one has been killed, and says no more that its owners may come back
    second.look(lambda owner: True)
    with pytest.raises(StudyError, match="There is no study 1"):
        first.store.study(number)


def test_a_server_that_ends_lets_go_of_its_owners_studies(tmp_path):
    first = JobQueue(Store(tmp_path / "studies.db"), engine=Here())
    number = first.submit(own_plan(), "me", small_upload())
    until(lambda: first.job(number, "me").state == "done")
    first.close()
    second = JobQueue(Store(tmp_path / "studies.db"), engine=Here())
    with pytest.raises(StudyError, match="There is no study 1"):
        second.store.study(number)


def test_studies_of_owners_who_do_not_come_back_are_forgotten(store):
    queue = JobQueue(store, engine=Here())
    theirs = queue.submit(own_plan(), "away", small_upload())
    mine = queue.submit(own_plan("mine"), "me", small_upload())
    everybody = queue.submit(plan("public"), asker="away")
    until(lambda: all(queue.job(number, "me").state == "done" for number in (mine, everybody)))
    queue.look(lambda owner: owner == "me")
    assert [job.id for job in queue.jobs("me")] == [mine, everybody]
    assert queue.jobs("away")[0].id == everybody
    assert theirs not in {job.id for job in queue.jobs("away")}
