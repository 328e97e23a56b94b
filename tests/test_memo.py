"""What is kept, for how long, and who waits for whom."""

import threading

import pytest

from mlfs.memo import Memo
from tests.waiting import GUARD


def test_a_thing_is_computed_once():
    asked = []
    memo = Memo(2)
    assert [memo.once("a", lambda: asked.append(1) or len(asked)) for _ in range(3)] == [1, 1, 1]


def test_what_was_not_asked_for_longest_goes_first():
    memo = Memo(2)
    for key in ("a", "b", "a", "c"):
        memo.once(key, lambda key=key: key)
    assert len(memo) == 2
    assert memo.once("a", lambda: "again") == "a"
    assert memo.once("b", lambda: "again") == "again"


def test_a_failure_leaves_nothing_behind():
    memo = Memo(2)
    with pytest.raises(ZeroDivisionError):
        memo.once("a", lambda: 1 / 0)
    assert memo.once("a", lambda: "fine") == "fine"


def test_threads_wait_for_the_same_thing_and_not_for_another():
    memo, gate, asked, answers = Memo(4), threading.Event(), [], []

    def slow():
        asked.append(1)
        gate.wait(GUARD)
        return "slow"

    threads = [threading.Thread(target=lambda: answers.append(memo.once("slow", slow))) for _ in range(4)]
    for thread in threads:
        thread.start()
    assert memo.once("other", lambda: "other") == "other"  # while the slow one is under way
    gate.set()
    for thread in threads:
        thread.join(GUARD)
    assert answers == ["slow"] * 4
    assert asked == [1]


def test_a_look_computes_nothing_and_keeps_what_was_looked_at():
    memo = Memo(2)
    assert memo.get("a") is None
    memo.once("a", lambda: 1)
    memo.once("b", lambda: 2)
    assert memo.get("a") == 1
    memo.once("c", lambda: 3)  # b has not been asked for longest
    assert (memo.get("a"), memo.get("b"), memo.get("c")) == (1, None, 3)


def test_what_is_not_worth_keeping_is_given_and_forgotten():
    memo = Memo(2)
    assert memo.once("a", lambda: "large", keep=lambda result: False) == "large"
    assert memo.get("a") is None
