"""The papers' rank tests, from their printed numbers: what agrees with the papers, and how far off the rest is."""

from __future__ import annotations

import pytest

from mlfs.errors import ParameterError
from mlfs.papers import PAPERS, published_ranks


@pytest.mark.parametrize(("table", "F", "printed"), [(5, 5.735, 5.506), (6, 4.378, 4.868)])
def test_lee_kim(table, F, printed):
    found = published_ranks("lee_kim_2016", table)
    assert (found.test, found.control, found.friedman.k, found.friedman.n) == ("bonferroni_dunn", "els", 7, 8)
    # The paper ranked before it rounded to three decimals, which tie; both lie far beyond the critical value.
    assert round(found.friedman.F, 3) == F
    assert found.printed_F == printed
    assert found.friedman.critical_value() == pytest.approx(found.printed_critical_value, abs=5e-4)
    # With q = 2.638, as printed, the difference is 2.8494; with more digits of q it is 2.8496.
    assert found.critical_difference == pytest.approx(found.printed_critical_difference, abs=1e-3)
    # "Significantly better than the baseline", and similar to all others.
    assert found.differing == (("els", "all_features"),)
    assert any(f"{F:.3f}" in slip for slip in PAPERS["lee_kim_2016"].slips)


def test_zhang_micro_f1_agrees_in_every_digit():
    found = published_ranks("zhang_2020_grro", 2, "micro_f1")
    assert round(found.friedman.F, 4) == found.printed_F == 77.3768
    assert found.average_ranks.round(4).to_dict() == {
        "grro": 2.05,
        "grro_ls": 1.55,
        "pmu": 6.7,
        "mdmr": 5.2,
        "fimf": 5.75,
        "scls": 3.6,
        "mico": 3.15,
    }
    assert found.critical_difference == pytest.approx(found.printed_critical_difference, abs=1e-3)
    assert found.printed_critical_difference == 2.0146
    assert found.friedman.critical_value() == pytest.approx(found.printed_critical_value, abs=0.01)
    # What the text says: better than PMU, FIMF and MDMR both; GRRO-LS also than SCLS.
    beaten = {better: {b for a, b in found.differing if a == better} for better in ("grro", "grro_ls")}
    assert beaten == {"grro": {"pmu", "fimf", "mdmr"}, "grro_ls": {"pmu", "fimf", "mdmr", "scls"}}


def test_zhang_macro_f1_is_near():
    found = published_ranks("zhang_2020_grro", 2, "macro_f1")
    assert round(found.friedman.F, 3) == 35.564
    assert found.printed_F == 33.388
    assert {b for a, b in found.differing if a == "grro_ls"} == {"pmu", "fimf", "mdmr", "mico"}


@pytest.mark.parametrize(
    ("paper", "table", "sentence"),
    [
        ("lee_kim_2016", 3, "lee_kim_2016 makes no rank test of its table 3: choose table 5 or 6."),
        ("zhou_2023_mapd", "IV", "zhou_2023_mapd makes no rank test of its table IV: none of its tables has one."),
    ],
)
def test_no_test_is_told_in_a_sentence(paper, table, sentence):
    with pytest.raises(ParameterError) as caught:
        published_ranks(paper, table)
    assert str(caught.value) == sentence
