"""Table 2 on emotions comes out as printed, digit by digit."""

import numpy as np
import pytest

from mlfs import load_dataset
from mlfs.evaluation.protocols import get_protocol
from mlfs.evaluation.split_evaluator import SplitEvaluator
from mlfs.papers.published import as_grid
from mlfs.papers.zhang_2020_grro.experiments import COMPUTED_BY, OTHERS, PAPER
from mlfs.selectors.specification import parse_method

METRICS = ("macro_f1", "micro_f1")
#: Those of least ACR on the paper's grid.
CHOSEN = ("grro:alpha=1,beta=1,variant=authors", "grro_ls:alpha=1,beta=1,k=5,variant=authors")


@pytest.fixture(scope="module")
def evaluator():
    emotions = load_dataset("emotions")
    return SplitEvaluator(emotions, emotions.split)


@pytest.mark.parametrize("setting", [*CHOSEN, *(setting for setting in OTHERS if setting != "mico")])
def test_emotions_to_the_last_printed_digit(evaluator, setting):
    choice = parse_method(setting)
    row = {method: printed for printed, method in COMPUTED_BY.items()}.get(choice[0], choice[0])
    printed = [as_grid(PAPER, 2, metric).loc["emotions", row] for metric in METRICS]
    result = evaluator.compute(choice, get_protocol(PAPER, metrics=METRICS), 0, 0)
    assert np.round(result.values.mean(axis=0), 4).tolist() == printed
