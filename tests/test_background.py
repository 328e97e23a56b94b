"""Results that arrive one after another, and requests that take each other's place."""

import threading
from functools import partial

import pytest

from mlfs import load_dataset
from mlfs.background import Gradual
from mlfs.errors import ParameterError
from mlfs.evaluation import Workbench
from mlfs.stopping import checkpoint
from tests.waiting import GUARD


def test_results_arrive_in_order():
    work = Gradual(pause=0)
    work.ask("a", [lambda: 1, lambda: 2, lambda: 3])
    assert work.wait(3, GUARD)
    assert work.results == [1, 2, 3]
    assert work.total == 3
    assert not work.running


def test_the_same_question_is_not_asked_twice():
    asked = []
    work = Gradual(pause=0)
    for _ in range(3):
        work.ask("a", [lambda: asked.append(1)])
        work.wait(1, GUARD)
    assert asked == [1]


def test_a_new_question_drops_the_old_one():
    work, begun = Gradual(pause=0), threading.Event()

    def endless():
        begun.set()
        while True:
            checkpoint()

    work.ask("old", [endless])
    assert begun.wait(GUARD)
    work.ask("new", [lambda: "new"])
    assert work.wait(1, GUARD)
    assert work.results == ["new"]


def test_cancelled_work_keeps_what_has_arrived():
    work, begun = Gradual(pause=0), threading.Event()

    def endless():
        begun.set()
        while True:
            checkpoint()

    work.ask("a", [lambda: 1, endless])
    assert begun.wait(GUARD)
    work.cancel()
    assert work.wait(2, GUARD)  # ended, though a result is missing
    assert work.results == [1]
    assert work.cancelled
    assert not work.running


def test_an_error_reaches_whoever_looks_at_the_results():
    work = Gradual(pause=0)

    def wrong():
        raise ParameterError("alpha must be positive.")

    work.ask("a", [wrong])
    assert work.wait(1, GUARD)
    with pytest.raises(ParameterError, match="alpha must be positive"):
        _ = work.results


def test_time_runs_out_where_nothing_arrives():
    work, gate = Gradual(), threading.Event()
    work.ask("a", [gate.wait])
    assert not work.wait(1, 0.05)
    gate.set()
    assert work.wait(1, GUARD)


def test_many_moves_of_a_slider_leave_no_thread_behind():
    bench, work = Workbench(load_dataset("emotions")), Gradual(pause=0)
    for step in range(40):
        choice = ("grro", {"alpha": 1.0 + step})
        work.ask(step, [partial(bench.explore, choice, seed=step, repeat=0)] * 2)
        work.wait(1, 0.005)
    assert work.wait(2, GUARD)
    assert len(work.results) == 2
    for thread in threading.enumerate():
        if thread.name == "mlfs-gradual":
            thread.join(GUARD)
            assert not thread.is_alive()


def test_work_ends_when_whoever_asked_is_gone():
    work, begun, ended = Gradual(pause=0), threading.Event(), threading.Event()

    def endless():
        begun.set()
        try:
            while True:
                checkpoint()
        finally:
            ended.set()

    work.ask("a", [endless])
    assert begun.wait(GUARD)
    del work
    assert ended.wait(GUARD)
