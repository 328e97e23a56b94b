"""Methods within a time: the same numbers as plain runs, and something usable at any moment."""

import threading
from itertools import count

import pytest

from mlfs.answer import SizeRule, answer_settings, choose_size, run_methods
from mlfs.errors import ParameterError
from mlfs.evaluation import Explorer, averaged, explore_all
from mlfs.stopping import GivenUp, stoppable
from tests.answer.data import settings, small


def test_each_method_is_what_exploring_it_gives():
    ds, asked = small(), settings()
    *_, state = run_methods(Explorer(ds), asked)
    assert (state.ended, [result.method for result in state.results]) == ("done", ["els", "scls"])
    for result in state.results:
        runs = explore_all(ds, result.method, asked.measured)
        expected = choose_size(averaged(runs), "hamming_loss", 3)
        assert (result.choice.size, result.choice.best_size) == (expected.size, expected.best_size)
        assert result.choice.mean == pytest.approx(expected.mean, rel=1e-12)
        assert result.choice.limit == pytest.approx(expected.limit, rel=1e-12)
        assert result.complete
    means = {result.method: result.choice.mean for result in state.results}
    assert state.best.method == min(means, key=means.get)


def test_a_state_after_every_split():
    states = list(run_methods(Explorer(small()), settings()))
    assert [sum(len(result.explorations) for result in state.results) for state in states] == [1, 2, 3, 4, 5, 6]
    assert all(state.best for state in states)
    # A method that has not had all splits does not go before one that has.
    assert states[3].best.method == states[4].best.method == "els"


def test_the_time_ends_it_with_what_is_there():
    ticks = count()
    *_, state = run_methods(Explorer(small()), settings(), budget=1e-9, clock=lambda: float(next(ticks)))
    assert (state.ended, state.best.method, len(state.best.explorations)) == ("budget", "els", 1)


def test_enough_time_changes_nothing():
    *_, free = run_methods(Explorer(small()), settings())
    *_, timed = run_methods(Explorer(small()), settings(), budget=1.0, clock=lambda: 0.0)
    assert [result.choice for result in free.results] == [result.choice for result in timed.results]
    assert timed.ended == "done"


def test_stopping_keeps_what_is_there():
    cancel, states = threading.Event(), []
    for state in run_methods(Explorer(small()), settings(), cancel=cancel):
        states.append(state)
        if len(states) == 2:
            cancel.set()
    assert (states[-1].ended, len(states[-1].best.explorations)) == ("cancelled", 2)


def test_what_a_job_gives_up_is_given_up():
    stop = threading.Event()
    stop.set()
    with stoppable(stop), pytest.raises(GivenUp):
        list(run_methods(Explorer(small()), settings()))


def test_a_method_that_fails_does_not_stop_the_others():
    *_, state = run_methods(Explorer(small()), settings(["els:n_labels=9", "scls"]))
    assert state.best.method == "scls"
    assert state.failures["els:n_labels=9"].startswith("n_labels must be a whole number from 0 to 2")
    *_, state = run_methods(Explorer(small()), settings(["scls", "els:n_labels=9"]))
    assert (state.best.method, state.ended) == ("scls", "done")
    *_, state = run_methods(Explorer(small()), settings(["els:n_labels=9"]))
    with pytest.raises(ParameterError, match=r"^No method gave a result\. els:n_labels=9: n_labels must be"):
        state.best  # noqa: B018


def test_a_number_is_measured_where_the_sizes_lack_it():
    *_, state = run_methods(Explorer(small()), settings(["els"], rule=SizeRule("number", number=4)))
    assert state.best.choice.size == 4


@pytest.mark.parametrize(
    ("methods", "more", "sentence"),
    [
        (["esl"], {}, "There is no method 'esl': did you mean 'els'?"),
        ([], {}, "The answer needs at least one method."),
        (["els"], {"metric": "hamming"}, "There is no metric 'hamming': did you mean 'hamming_loss'?"),
    ],
)
def test_what_is_asked_is_checked(methods, more, sentence):
    with pytest.raises(ParameterError) as problem:
        answer_settings(methods, **more)
    assert str(problem.value) == sentence
