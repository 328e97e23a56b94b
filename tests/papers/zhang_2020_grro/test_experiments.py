"""Table 2 on the bundled sets comes out as printed, digit by digit."""

import numpy as np
import pytest

from mlfs import load_dataset
from mlfs.evaluation.protocols import get_protocol
from mlfs.evaluation.split_evaluator import SplitEvaluator
from mlfs.papers.published import as_grid
from mlfs.papers.zhang_2020_grro.experiments import COMPUTED_BY, OTHERS, PAPER, arranged
from mlfs.selectors.specification import parse_method

METRICS = ("macro_f1", "micro_f1")
#: Those of least ACR on the paper's grid.
CHOSEN = {
    "emotions": ("grro:alpha=1,beta=1,variant=authors", "grro_ls:alpha=1,beta=1,k=5,variant=authors"),
    "yeast": ("grro:alpha=0.1,beta=0.1,variant=authors", "grro_ls:alpha=0.1,beta=0.1,k=40,variant=authors"),
}
EXACT = [setting for setting in OTHERS if setting != "mico"]


@pytest.fixture(scope="module")
def evaluators():
    arranged_sets = {name: arranged(load_dataset(name)) for name in CHOSEN}
    return {name: SplitEvaluator(ds, ds.split) for name, ds in arranged_sets.items()}


@pytest.mark.parametrize(
    ("dataset", "setting"), [(name, setting) for name, chosen in CHOSEN.items() for setting in (*chosen, *EXACT)]
)
def test_to_the_last_printed_digit(evaluators, dataset, setting):
    choice = parse_method(setting)
    row = {method: printed for printed, method in COMPUTED_BY.items()}.get(choice[0], choice[0])
    printed = [as_grid(PAPER, 2, metric).loc[dataset, row] for metric in METRICS]
    result = evaluators[dataset].compute(choice, get_protocol(PAPER, metrics=METRICS), 0, 0)
    assert np.round(result.values.mean(axis=0), 4).tolist() == printed


def test_yeast_is_parted_in_the_printed_sizes_and_has_one_row_twice():
    yeast = load_dataset("yeast")
    train, test = arranged(yeast).split
    assert (len(train), len(test)) == (1499, 918)
    assert set(yeast.split[0]) - set(train) == {yeast.split[0][-1]}
    assert test[-2:].tolist() == [yeast.split[1][-1]] * 2
    assert set(test) == set(yeast.split[1])
    assert arranged(load_dataset("emotions")).split[0].tolist() == load_dataset("emotions").split[0].tolist()
