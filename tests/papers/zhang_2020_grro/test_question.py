"""What labels without positives count, and other draws of the rows: by hand, and the kept numbers again."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from mlfs import load_dataset
from mlfs.evaluation.protocols import configured_selector, get_protocol
from mlfs.evaluation.split_evaluator import SplitEvaluator
from mlfs.papers.findings import Finding
from mlfs.papers.published import as_grid
from mlfs.papers.question import RunContext
from mlfs.papers.zhang_2020_grro import question
from mlfs.papers.zhang_2020_grro.experiments import PAPER, RELEASED, arranged
from mlfs.papers.zhang_2020_grro.question import COUNTED, DRAWN, QUESTION, TIED
from mlfs.selectors.external import ExternalSelector
from mlfs.studies import Store
from tests.datasets.formats.support import SHARED


@pytest.fixture
def context(tmp_path):
    with Store(tmp_path / "cells.sqlite") as store:
        yield RunContext(store, repeats=2)


@pytest.fixture(scope="module")
def kept():
    return QUESTION.stored().tables


def values(rows):
    return dict(zip(rows["metric"], rows["value"], strict=True))


def test_a_label_that_nobody_has_counts_0_instead_of_1(context):
    """It is never predicted, so that macro-F1 over six labels falls by a sixth; micro-F1 does not see it."""
    emotions = load_dataset("emotions")
    without = np.flatnonzero(emotions.Y[:, 0] == 0)
    ds = replace(emotions, split=(without[:250], without[250:]))
    found = values(question.measure(ds, context)["numbers"])
    protocol = get_protocol(PAPER, metrics=question.METRICS)
    usual = SplitEvaluator(ds, ds.split).compute("pmu", protocol, 0, 0).values.mean(axis=0)
    assert found["macro_f1"] == pytest.approx(usual[0] - 1 / 6)
    assert found["micro_f1"] == pytest.approx(usual[1])


def test_other_draws_are_of_the_same_sizes_and_not_ours(context, monkeypatch):
    """The stand-in has so few rows that all methods run at once."""
    rng = np.random.default_rng(0)
    emotions = load_dataset("emotions")
    rows = rng.permutation(593)[:120]
    ds = replace(emotions, X=emotions.X[rows, :6], Y=emotions.Y[rows], feature_names=emotions.feature_names[:6],
                 name="llog", split=None)  # fmt: skip
    found = question.measure(ds, context)["numbers"]
    assert set(found["change"]) == {DRAWN}
    assert found.groupby(["setting", "metric"])["repeat"].apply(list).tolist() == [[0, 1]] * 14
    assert set(found["setting"]) == {"grro", "grro_ls", "pmu", "mdmr", "fimf", "scls", "mico"}
    splits = list(question._splits(ds, 2))
    ours = arranged(ds).split
    for split in splits:
        assert [len(part) for part in split] == [len(part) for part in ours] == [80, 40]
        assert not np.array_equal(split[1], ours[1])
    protocol = get_protocol(PAPER, metrics=question.METRICS)
    scls = SplitEvaluator(ds, splits[1]).compute("scls", protocol, 0, 0).values.mean(axis=0)
    second = found[(found["setting"] == "scls") & (found["repeat"] == 1)]
    assert values(second) == pytest.approx(dict(zip(question.METRICS, scls, strict=True)))


def test_only_features_of_equal_score_change_places(context, monkeypatch):
    """Of two copies of a feature either may come first; the distance between others is far from rounding."""
    emotions = load_dataset("emotions")
    X = np.hstack([emotions.X[:, :6], emotions.X[:, [2]]])
    ds = replace(emotions, X=X, feature_names=[*emotions.feature_names[:6], "copy"], name="birds")
    monkeypatch.setattr(question, "_searched", lambda name: [("grro", {"alpha": 1.0, "beta": 0.01, **RELEASED})])
    orders, measure = [], SplitEvaluator.measure
    monkeypatch.setattr(
        SplitEvaluator, "measure",
        lambda self, selector, protocol: orders.append(selector.order) or measure(self, selector, protocol),
    )  # fmt: skip
    found = question.measure(ds, context)["numbers"]
    assert set(found["change"]) == {TIED}
    assert found["repeat"].tolist() == [0, 0, 1, 1]
    assert len(orders) == len(set(orders)) == 2
    assert {tuple({2: "copy", 6: "copy"}.get(i, i) for i in order) for order in orders} == {
        tuple({2: "copy", 6: "copy"}.get(i, i) for i in orders[0])
    }


def test_the_printed_values_of_grro_on_birds_lie_between_those_of_other_orders(kept):
    tied = kept["numbers"].query("change == @TIED and setting == 'grro'", local_dict={"TIED": TIED})
    for metric, values in tied.groupby("metric")["value"]:
        assert values.min() < as_grid(PAPER, "table2", metric).loc["birds", "grro"] < values.max()


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (1, [(2,), (3,)]),
        (3, [(2, 3, 0), (3, 2, 0)]),
        (4, [(2, 3, 0, 1), (2, 3, 0, 4), (3, 2, 0, 1), (3, 2, 0, 4)]),
    ],
)
def test_orders_of_equal_scores(size, expected):
    """A group that the size cuts gives each choice of its features once, in each order."""
    scores = np.array([2.0, 1.0, 3.0, 3.0 + 1e-14, 1.0])
    assert list(question.orders(scores, size)) == expected


def test_one_order_gives_both_printed_values_of_grro_ls_on_birds(kept):
    [found] = [each for each in QUESTION.findings(kept) if "order of equal scores" in each.claim]
    assert found.claim == "On birds, 2 of 2 methods have an order of equal scores that gives both printed values"
    assert found.evidence == (
        "At α=1, β=0.001: GRRO Macro-F1 0.1318 and Micro-F1 0.5045 in 3 of 720 orders; GRRO-LS Macro-F1 0.1222 and "
        "Micro-F1 0.4890 in 1 of 6 orders."
    )


BIRDS = SHARED / "data" / "mat"


@pytest.mark.skipif(not (BIRDS / "birds.mat").is_file(), reason="needs mat/birds.mat of the shared data")
@pytest.mark.parametrize(
    ("method", "order", "printed"),
    [
        ("grro", (253, 257, 255, 252, 258, 254, 256, 251), [(0.1318, 0.5045), (0.0236, 0.0344)]),
        ("grro_ls", (257, 253, 255), [(0.1222, 0.489), (0.0246, 0.0322)]),
    ],
)
def test_in_one_order_birds_is_as_printed_with_its_deviations(method, order, printed):
    ds = load_dataset("birds", folder=BIRDS)
    choice = (method, {**question.TIED_AT, **RELEASED, **({"k": 5} if method == "grro_ls" else {})})
    protocol = get_protocol(PAPER, metrics=question.METRICS)
    scores = configured_selector(choice, protocol, ds).fit(ds.X[ds.split[0]], ds.Y[ds.split[0]]).scores_
    [wanted] = [each for each in question.orders(scores, 50) if tuple(f for f in each if f in order) == order]
    values = SplitEvaluator(ds, ds.split).measure(ExternalSelector(order=wanted), protocol).values
    assert np.round([values.mean(axis=0), values.std(axis=0, ddof=1)], 4).tolist() == [list(row) for row in printed]


def test_the_range_is_what_is_explained():
    rows = [("llog", DRAWN, "scls", repeat, "macro_f1", value) for repeat, value in enumerate((0.1, 0.3, 0.2))]
    table = {"numbers": pd.DataFrame(rows, columns=list(question.COLUMNS))}
    [found] = question.explains(table, PAPER).to_dict("records")
    assert found == {
        "dataset": "llog", "setting": "scls", "metric": "macro_f1", "low": 0.1, "high": 0.3, "result": "table2"
    }  # fmt: skip
    table["numbers"] = pd.concat([table["numbers"], table["numbers"].assign(metric="micro_f1", value=0.5)])
    assert QUESTION.findings(table) == [
        Finding("On llog, Macro-F1 of 3 draws of the rows differs by up to 0.200", "It lies within: SCLS 0.100–0.300."),
        Finding("On llog, Micro-F1 of 3 draws of the rows differs by up to 0.000", "It lies within: SCLS 0.500–0.500."),
    ]


def test_a_printed_number_is_told(kept):
    table = {"numbers": kept["numbers"].query("dataset == 'health'")}
    [found] = QUESTION.findings(table)
    assert found.claim.endswith("is the printed one on 1 of 1 data set")
    [other] = QUESTION.findings({"numbers": table["numbers"].assign(value=table["numbers"]["value"] + 0.001)})
    assert other.claim.endswith("is the printed one on 0 of 1 data set")


def test_with_0_pmu_is_as_printed_digit_by_digit(kept):
    counted = kept["numbers"].query("change == @COUNTED and metric == 'macro_f1'", local_dict={"COUNTED": COUNTED})
    assert counted["dataset"].tolist() == ["business", "health", "reference"]
    printed = as_grid(PAPER, "table2", "macro_f1")["pmu"]
    for row in counted.itertuples():
        assert round(row.value, 4) == printed[row.dataset]


@pytest.mark.skipif(not (SHARED / "data" / "business").is_dir(), reason="needs business of the shared data")
def test_a_kept_number_comes_out_again(kept, context):
    again = question.measure(load_dataset("business", folder=SHARED / "data"), context)["numbers"]
    business = kept["numbers"][kept["numbers"]["dataset"] == "business"]
    assert values(again) == pytest.approx(values(business), abs=1e-6)
