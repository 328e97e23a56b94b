"""What is kept, for how long, and who waits for whom."""

import threading

import numpy as np
import pytest
from scipy import sparse

from mlfs.memo import Budget, Memo, array_bytes
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


def test_memos_with_one_budget_make_room_for_each_other():
    budget = Budget(10)
    one, other = Memo(9, size=lambda result: 4, budget=budget), Memo(9, size=lambda result: 3, budget=budget)
    one.once("a", lambda: 1)
    other.once("b", lambda: 2)
    one.get("a")  # asked for again: b is now the oldest
    other.once("c", lambda: 3)
    assert budget.total == 10
    one.once("d", lambda: 4)
    # b went first, and then a, which is older than c.
    assert (other.get("b"), one.get("a"), other.get("c"), one.get("d")) == (None, None, 3, 4)
    assert budget.total == 7


def test_a_result_beyond_the_budget_is_kept_alone():
    budget = Budget(10)
    memo = Memo(9, size=lambda result: 4, budget=budget)
    large = Memo(9, size=lambda result: 40, budget=budget)
    memo.once("a", lambda: 1)
    assert large.once("b", lambda: 2) == 2
    assert (memo.get("a"), large.get("b"), budget.total) == (None, 2, 40)


def test_what_a_memo_drops_or_takes_along_is_given_back():
    budget = Budget(100)
    memo = Memo(2, size=lambda result: 4, budget=budget)
    for key in "abc":
        memo.once(key, lambda: 1)
    assert budget.total == 8
    del memo
    assert budget.total == 0


def test_a_result_that_grows_is_counted_as_it_is_when_it_is_asked_for():
    budget = Budget(10)
    memo = Memo(9, size=len, budget=budget, grows=True)
    memo.once("a", lambda: [1, 2])
    memo.once("b", lambda: [1] * 6)
    memo.get("b").append(1)
    memo.get("b")
    assert budget.total == 9
    memo.get("b").extend([1, 1])
    memo.get("b")
    assert (memo.get("a"), budget.total) == (None, 9)


def test_the_size_of_a_result_that_stays_as_it_is_is_asked_once():
    asked, budget = [], Budget(10)
    memo = Memo(9, size=lambda result: asked.append(result) or 4, budget=budget)
    memo.once("a", lambda: 1)
    memo.once("b", lambda: 2)
    assert (memo.get("a"), memo.once("a", lambda: 0), memo.get("b"), memo.get("a")) == (1, 1, 2, 1)
    assert (asked, budget.total) == ([1, 2], 8)
    memo.once("c", lambda: 3)  # b has not been asked for longest
    assert (memo.get("a"), memo.get("b"), memo.get("c"), budget.total) == (1, None, 3, 8)


def test_a_result_that_had_to_make_room_while_it_was_asked_for_is_not_counted_again():
    budget = Budget(10)
    memo = Memo(9, size=lambda result: 4, budget=budget)
    memo.once("a", lambda: 1)
    budget.release(id(memo), "a")
    memo.get("a")
    assert budget.total == 0


def test_arrays_are_found_wherever_an_object_holds_them_and_counted_once():
    class Holder:
        def __init__(self):
            self.table = np.zeros((4, 5))
            self.view = self.table[1:]
            self.more = {"sparse": sparse.csr_matrix(np.eye(3)), "itself": self, "text": "no array"}

    matrix = sparse.csr_matrix(np.eye(3))
    expected = 8 * 20 + matrix.data.nbytes + matrix.indices.nbytes + matrix.indptr.nbytes
    assert array_bytes(Holder()) == expected
    assert array_bytes([Holder], 3, None) == 0


def test_results_of_different_size_make_room_by_their_bytes():
    budget = Budget(10)
    memo = Memo(9, size=len, budget=budget)
    for text in ("aaaa", "bb", "cccc"):
        memo.once(text[0], lambda text=text: text)
    assert budget.total == 10
    memo.once("d", lambda: "ddd")
    assert [memo.get(key) for key in "abcd"] == [None, "bb", "cccc", "ddd"]
    assert budget.total == 9
