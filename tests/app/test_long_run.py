"""Long runs of a page: one at a time, ended with their session, and in nobody else's way."""

from __future__ import annotations

import gc
import threading
from types import SimpleNamespace

import pytest

from mlfs.background import REFINING
from mlfs.errors import StudyError
from mlfs.papers import QUESTIONS, get_experiment
from mlfs.stopping import current_stop
from pages.parts import papers_runs, questions, studies
from pages.parts.long_run import LongRun
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


def test_the_second_run_waits_for_the_first():
    first, second, began = Slow(), LongRun(), threading.Event()
    before = LongRun()
    before.start("One", first)
    assert first.begun.wait(GUARD)
    second.start("Two", lambda progress: began.set() or 7)
    until(lambda: second.progress.text == "waiting for another run to end")
    assert second.running
    assert not began.is_set()
    before.cancel()
    assert began.wait(GUARD)
    assert second._work.wait(1, GUARD)
    assert (second.result, second.problem) == (7, "")


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
