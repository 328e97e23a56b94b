"""Background work of pages: in turn, ended with its session, told in a sentence, and in nobody else's way."""

from __future__ import annotations

import gc
import threading
from types import SimpleNamespace

import pytest

from mlfs.background import REFINING
from mlfs.errors import StudyError
from mlfs.papers import QUESTIONS, get_experiment
from mlfs.stopping import current_stop
from pages.parts import background, papers_runs, questions, studies
from tests.waiting import GUARD, until


class Slow:
    """Work that goes on until it is told to stop."""

    def __init__(self):
        self.begun, self.stopped = threading.Event(), threading.Event()

    def __call__(self, *_, **how):
        self.begun.set()
        assert current_stop().wait(GUARD)
        self.stopped.set()
        raise StudyError("stopped")


@pytest.fixture
def slow(monkeypatch):
    work = Slow()
    monkeypatch.setattr(studies, "job_queue", lambda: SimpleNamespace(store=None, engine=None, workers=1))
    monkeypatch.setattr(papers_runs, "run_experiment", work)
    monkeypatch.setattr("mlfs.papers.question.Question.run", work)
    return work


@pytest.mark.parametrize(
    "made",
    [
        lambda: papers_runs.ExperimentRun(get_experiment("lee_kim_2016", 5)),
        lambda: questions.QuestionRun(QUESTIONS.named("label_columns")),
    ],
)
def test_a_run_ends_with_its_session(slow, made):
    here = made()
    here.start(["yeast", "scene"], 1)
    assert slow.begun.wait(GUARD)
    del here
    gc.collect()
    assert slow.stopped.wait(GUARD)


def test_what_feeds_a_closed_window_stops_and_begins_anew_when_it_is_back(monkeypatch):
    open_windows, state = {"a"}, {}
    monkeypatch.setattr(background.st, "session_state", state)
    monkeypatch.setattr(background, "get_script_run_ctx", lambda: SimpleNamespace(session_id="a"))
    server = SimpleNamespace(is_active_session=open_windows.__contains__)
    monkeypatch.setattr(background, "runtime", SimpleNamespace(exists=lambda: True, get_instance=lambda: server))
    slow, job = Slow(), background.live_job("curves")
    job.start("question", [slow])
    assert slow.begun.wait(GUARD)
    background.give_up_what_nobody_sees()
    assert not slow.stopped.is_set()
    open_windows.clear()
    background.give_up_what_nobody_sees()
    assert slow.stopped.wait(GUARD)
    assert background.live_job("curves") is job
    again = job.start("question", [lambda: "answer"])
    assert again.wait(1, GUARD)
    assert again.results == ["answer"]


def test_the_second_run_waits_for_the_first():
    slow, began, places = Slow(), threading.Event(), threading.BoundedSemaphore(1)
    first = background.start("One", slow, places=places)
    assert slow.begun.wait(GUARD)
    second = background.start("Two", lambda progress: began.set() or 7, places=places)
    until(lambda: second.job.progress.text == "waiting for another run to end")
    assert second.job.running
    assert not began.is_set()
    first.job.cancel()
    assert began.wait(GUARD)
    assert second.job.wait(1, GUARD)
    assert (second.job.result, second.job.failure) == (7, "")
    assert first.job.wait(1, GUARD)
    assert (first.job.result, first.job.failure) == (None, "stopped")


def test_what_others_refine_is_not_held_up(monkeypatch):
    arrived, go_on = threading.Event(), threading.Event()

    def measured(self, datasets, repeats, **how):
        if datasets == ["scene"]:
            arrived.set()
            go_on.wait(GUARD)
        return {}

    monkeypatch.setattr(studies, "job_queue", lambda: SimpleNamespace(store=None, engine=None, workers=1))
    monkeypatch.setattr("mlfs.papers.question.Question.run", measured)
    here = questions.QuestionRun(QUESTIONS.named("label_columns"))
    here.start(["yeast", "scene"], 1)
    assert arrived.wait(GUARD)
    assert here.done == ["yeast"]
    free = [REFINING.acquire(blocking=False) for _ in range(2)]
    for _ in range(sum(free)):
        REFINING.release()
    go_on.set()
    assert free == [True, True]
