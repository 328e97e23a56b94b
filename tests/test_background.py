"""Results that arrive one after another, and jobs that take each other's place."""

import gc
import threading
import weakref
from collections import deque
from functools import partial
from types import SimpleNamespace

import pytest

from mlfs import load_dataset
from mlfs.background import BackgroundJob, Gate, LatestJob, Progress, in_turn, other_requests
from mlfs.errors import ParameterError
from mlfs.evaluation import Explorer
from mlfs.stopping import checkpoint
from tests.waiting import GUARD, until


def test_results_arrive_in_order():
    work = LatestJob(pause=0)
    job = work.start("a", [lambda: 1, lambda: 2, lambda: 3])
    assert job.wait(3, GUARD)
    assert job.results == [1, 2, 3]
    assert job.total == 3
    assert not job.running


def test_the_same_question_is_not_asked_twice():
    asked = []
    work = LatestJob(pause=0)
    for _ in range(3):
        job = work.start("a", [lambda: asked.append(1)])
        job.wait(1, GUARD)
    assert asked == [1]


def test_a_new_question_drops_the_old_one():
    work, begun = LatestJob(pause=0), threading.Event()

    def endless():
        begun.set()
        while True:
            checkpoint()

    old = work.start("old", [endless])
    assert begun.wait(GUARD)
    job = work.start("new", [lambda: "new"])
    assert job.wait(1, GUARD)
    assert job.results == ["new"]
    assert old.wait(1, GUARD)
    assert (old.cancelled, old.results) == (True, [])


def test_cancelled_work_keeps_what_has_arrived():
    work, begun = LatestJob(pause=0), threading.Event()

    def endless():
        begun.set()
        while True:
            checkpoint()

    job = work.start("a", [lambda: 1, endless])
    assert begun.wait(GUARD)
    job.cancel()
    assert job.wait(2, GUARD)  # ended, though a result is missing
    assert job.results == [1]
    assert job.cancelled
    assert not job.running


def test_an_error_reaches_whoever_looks_at_the_results():
    work = LatestJob(pause=0)

    def wrong():
        raise ParameterError("alpha must be positive.")

    job = work.start("a", [wrong])
    assert job.wait(1, GUARD)
    with pytest.raises(ParameterError, match="alpha must be positive"):
        _ = job.results
    assert (job.result, job.failure) == (None, "alpha must be positive.")


def test_a_job_notes_how_far_it_is():
    progress, half, go_on = Progress("asking"), threading.Event(), threading.Event()

    def task():
        progress.note(2, 4, "half")
        half.set()
        go_on.wait(GUARD)
        progress.note(5, 4, "more than all")
        return "done"

    job = BackgroundJob([task], progress=progress)
    assert half.wait(GUARD)
    assert (job.progress.share, job.progress.text, job.result, job.failure) == (0.5, "half", None, "")
    go_on.set()
    assert job.wait(1, GUARD)
    assert (job.progress.share, job.result, job.failure) == (1.0, "done", "")


def test_what_an_older_job_found_is_not_kept():
    class Result:
        """Something that can be looked for."""

    work = LatestJob(pause=0)
    first = work.start("a", [Result])
    assert first.wait(1, GUARD)
    found = weakref.ref(first.result)
    assert work.start("b", [lambda: 2]).wait(1, GUARD)
    del first
    until(lambda: gc.collect() >= 0 and found() is None)  # once its thread has ended


def test_work_with_a_queue_of_its_own_takes_nobodys_place(monkeypatch):
    monkeypatch.setattr("mlfs.background.FIRST", Gate(places=0, lease=GUARD))
    job = BackgroundJob([lambda: 1, lambda: 2], queued=False)
    assert job.wait(2, GUARD)
    assert job.results == [1, 2]


def test_time_runs_out_where_nothing_arrives():
    work, gate = LatestJob(), threading.Event()
    job = work.start("a", [gate.wait])
    assert not job.wait(1, 0.05)
    gate.set()
    assert job.wait(1, GUARD)


def test_many_moves_of_a_slider_leave_no_thread_behind():
    explorer, work = Explorer(load_dataset("emotions")), LatestJob(pause=0)
    for step in range(40):
        choice = ("grro", {"alpha": 1.0 + step})
        job = work.start(step, [partial(explorer.explore, choice, seed=step, repeat=0)] * 2)
        job.wait(1, 0.005)
    assert job.wait(2, GUARD)
    assert len(job.results) == 2
    for thread in threading.enumerate():
        if thread.name == "mlfs-background":
            thread.join(GUARD)
            assert not thread.is_alive()


def test_work_ends_when_whoever_asked_is_gone():
    work, begun, ended = LatestJob(pause=0), threading.Event(), threading.Event()

    def endless():
        begun.set()
        try:
            while True:
                checkpoint()
        finally:
            ended.set()

    work.start("a", [endless])
    assert begun.wait(GUARD)
    del work
    assert ended.wait(GUARD)


def test_what_is_known_is_there_at_once():
    work = LatestJob()
    job = work.start("a", [lambda: 1, lambda: 2], ready=lambda: [1, 2])
    assert job.results == [1, 2]
    assert not job.running
    job = work.start("b", [lambda: 1 / 0, lambda: 2], ready=lambda: [1])
    assert job.results[0] == 1
    assert job.wait(2, GUARD)
    assert job.results == [1, 2]


def test_who_is_no_longer_wanted_stops_waiting_for_a_place():
    places = threading.Semaphore(1)
    waiting, stopped = threading.Event(), threading.Event()

    def wait():
        waiting.set()
        try:
            with in_turn(places):
                pass
        finally:
            stopped.set()

    work = LatestJob(pause=0)
    with places:
        job = work.start("a", [wait])
        assert waiting.wait(GUARD)
        job.cancel()
        assert stopped.wait(GUARD)
    assert places.acquire(timeout=GUARD)  # nobody took it along


def test_refinements_rest_while_others_ask(monkeypatch):
    """The more requests arrived within the last second, the longer: but none for a single one."""
    monkeypatch.setattr("mlfs.background._arrivals", deque([0.0, 0.4, 0.7, 0.9]))
    monkeypatch.setattr("mlfs.background.time", SimpleNamespace(monotonic=lambda: 1.2))
    assert other_requests() == 2
    monkeypatch.setattr("mlfs.background.time", SimpleNamespace(monotonic=lambda: 5.0))
    assert other_requests() == 0


def test_who_asked_keeps_its_own_results():
    work = LatestJob(pause=0)
    first = work.start("a", [lambda: 1])
    assert first.wait(1, GUARD)
    second = work.start("b", [lambda: 2])
    assert second.wait(1, GUARD)
    assert (first.results, second.results, work.job.results) == ([1], [2], [2])


def test_refinements_wait_for_a_calm_moment_and_answers_do_not(monkeypatch):
    calm = threading.Event()
    monkeypatch.setattr("mlfs.background.WAITING_SECONDS", 0.01)
    monkeypatch.setattr("mlfs.background.other_requests", lambda: 0 if calm.is_set() else 1000)
    one, other = LatestJob(pause=0, yields=True), LatestJob(pause=0)
    refining = one.start("a", [lambda: 1, lambda: 2])
    answering = other.start("a", [lambda: 1, lambda: 2])
    assert answering.wait(2, GUARD)
    assert answering.results == [1, 2]
    assert refining.wait(1, GUARD)
    assert refining.results == [1]
    calm.set()
    assert refining.wait(2, GUARD)
    assert refining.results == [1, 2]


def test_a_gate_counts_nobody_who_stays_too_long():
    gate, done = Gate(places=1, lease=0.2), []

    def enter(name):
        with gate.entered():
            done.append(name)

    with gate.entered():  # longer than a lease
        threads = [threading.Thread(target=enter, args=(name,)) for name in "ab"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(GUARD)
    assert sorted(done) == ["a", "b"]


def test_who_waits_outside_a_gate_lets_others_in_and_comes_back_first():
    gate, order = Gate(places=1, lease=GUARD), []
    outside, back = threading.Event(), threading.Event()

    def one():
        with gate.entered():
            with gate.outside():
                outside.set()
                back.wait(GUARD)
            order.append("one")

    def other(name):
        with gate.entered():
            order.append(name)

    threads = [threading.Thread(target=one)]
    threads[0].start()
    assert outside.wait(GUARD)
    other("meanwhile")
    with gate.entered():
        threads.append(threading.Thread(target=other, args=("later",)))
        threads[1].start()
        until(lambda: len(gate._queue) == 1)
        back.set()
        until(lambda: len(gate._queue) == 2)
    for thread in threads:
        thread.join(GUARD)
    assert order == ["meanwhile", "one", "later"]
    with gate.outside():  # without a place there is none to give
        pass
