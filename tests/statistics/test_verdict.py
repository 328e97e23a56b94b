"""One call for all tests: the same numbers as each test by itself, and sentences that say no more than was shown."""

import numpy as np
import pandas as pd
import pytest

from mlfs.errors import ParameterError
from mlfs.statistics import bonferroni_dunn, conclusion, friedman, judge, nemenyi, wilcoxon_holm


@pytest.fixture
def table():
    """Losses of five methods on fifteen data sets: a is best, b and c are alike, d and e are far behind."""
    noise = np.random.default_rng(3).normal(0, 0.3, (15, 5))
    return pd.DataFrame(noise + np.array([0, 1.5, 1.5, 4, 5]), columns=list("abcde"))


def test_nemenyi_and_wilcoxon_pairs_are_those_of_the_tests(table):
    ranked = friedman(table)
    for test, alone, p_values in (
        ("nemenyi", nemenyi(ranked), nemenyi(ranked).p_values),
        ("wilcoxon_holm", wilcoxon_holm(table), wilcoxon_holm(table).adjusted_p_values),
    ):
        verdict = judge(table, test)
        assert len(verdict.pairs) == 10
        for _, pair in verdict.pairs.iterrows():
            a, b = pair["method"], pair["against"]
            assert pair["p_value"] == p_values.loc[a, b]
            assert pair["differs"] == alone.significant.loc[a, b]
            assert verdict.average_ranks[a] <= verdict.average_ranks[b]
        assert verdict.pairs["p_value"].is_monotonic_increasing
        assert verdict.groups == alone.cliques
        assert verdict.means.to_dict() == {name: table[name].mean() for name in verdict.average_ranks.index}


def test_bonferroni_dunn_compares_with_the_control(table):
    verdict, alone = (
        judge(table, "bonferroni_dunn", control="c", alpha=0.01),
        bonferroni_dunn(friedman(table), "c", 0.01),
    )
    assert verdict.pairs.set_index("against")["p_value"].to_dict() == alone.p_values.to_dict()
    assert verdict.critical_difference == alone.critical_difference
    assert set(verdict.pairs["method"]) == {"c"}


def test_higher_is_better_turns_the_order_round(table):
    assert list(judge(table).average_ranks.index) == list(judge(-table, lower_is_better=False).average_ranks.index)


def test_methods_with_the_same_inferiors_are_told_together(table):
    assert conclusion(judge(table)) == (
        "At α = 0.05 a ranks better than d and e; b and c rank better than e; no other difference is significant."
    )


def test_the_control_may_be_worse(table):
    # Average ranks near 1, 2.5, 2.5, 4 and 5; the critical difference is 2.498 · √(5·6 / (6·15)) = 1.44.
    said = conclusion(judge(table, "bonferroni_dunn", control="d"), str.upper)
    assert said == "At α = 0.05 D ranks worse than A, B and C; its difference from E is not significant."


def test_wilcoxon_says_nothing_of_ranks(table):
    said = conclusion(judge(table, "wilcoxon_holm"))
    assert said.startswith("At α = 0.05 a differs from b, c, d and e; ")
    assert "rank" not in said


def test_where_friedman_finds_nothing_pairs_are_not_read():
    noise = pd.DataFrame(np.random.default_rng(0).normal(size=(6, 4)), columns=list("abcd"))
    verdict = judge(noise)
    assert verdict.friedman.p_value > 0.05
    assert conclusion(verdict) == (
        f"At α = 0.05 no difference is significant: Friedman's test finds none between the methods "
        f"(p = {verdict.friedman.p_value:.3g}), so that Nemenyi's verdicts on pairs do not count."
    )


def test_two_methods_are_compared_by_wilcoxon_alone(table):
    verdict = judge(table[["a", "b"]], "wilcoxon_holm")
    assert verdict.friedman is None
    assert conclusion(verdict) == "At α = 0.05 a differs from b."


def test_what_is_asked_wrongly(table):
    with pytest.raises(ParameterError, match="Unknown test 'nemeny': did you mean 'nemenyi'"):
        judge(table, "nemeny")
    with pytest.raises(ParameterError, match="name it as the control"):
        judge(table, "bonferroni_dunn")
    with pytest.raises(ParameterError, match="name it as the control"):
        judge(table, "nemenyi", control="a")
