"""Plans: what they mean, what a file holds, and a sentence for every slip."""

import json

import numpy as np
import pytest

from mlfs import SELECTORS, make_selector
from mlfs.errors import MlfsError
from mlfs.evaluation import get_protocol
from mlfs.studies import MethodGrid, Plan
from mlfs.studies.cell import addresses as cell_addresses
from tests.studies.support import DATASETS, PLAN, QUICK, SMALL


def test_cells_are_every_combination():
    cells = PLAN.cells(DATASETS)
    assert len(cells) == len(PLAN) == 2 * (1 + 1 + 4)
    assert [cell.method for cell in cells[:6]] == ["els", "random", "grro", "grro", "grro", "grro"]
    assert [dict(cell.parameters) for cell in cells[2:6]] == [
        {"alpha": alpha, "beta": beta} for alpha in (0.1, 1.0) for beta in (0.1, 10.0)
    ]
    assert [cell.repeat for cell in cells] == [0] * 6 + [1] * 6
    assert {cell.seed for cell in cells} == {3}
    assert cells[0].text == "els on small, split 1"


def test_folds_seeds_and_sets_multiply():
    plan = Plan(
        "p", ["emotions", "yeast"], ["els"], settings={"split": "folds", "folds": 3, "repeats": 2}, seeds=[0, 1]
    )
    assert len(plan) == 2 * 2 * 6


def test_methods_as_text_or_table():
    as_text = Plan("p", "emotions", "grro:alpha=1,rank=none")
    as_table = Plan("p", ["emotions"], [{"method": "grro", "parameters": {"alpha": 1, "rank": "none"}}])
    assert as_text == as_table
    assert as_text.methods[0].parameters == {"alpha": 1.0, "rank": None}
    assert as_text.id == as_table.id
    assert as_text.id != Plan("p", "emotions", "grro:alpha=2,rank=none").id


@pytest.mark.parametrize("suffix", [".toml", ".json"])
def test_a_file_there_and_back(tmp_path, suffix):
    plan = Plan(
        'a "quoted"\\ name\x7f',
        ["emotions", "folder/my set.arff"],
        [
            "els",
            MethodGrid("grro", {"variant": "authors"}, {"alpha": [1e-3, 1, 1000], "rank": [None, 5]}),
        ],
        "lee_kim_2016",
        {"sizes": [1, 0.5], "stratified": True, "metrics": ["macro_f1"], "selector_parameters": {"n_bins": 3}},
        [0, 7],
    )
    path = plan.write(tmp_path / f"plan{suffix}")
    assert Plan.read(path) == plan
    assert Plan.read(path).id == plan.id


def test_a_plan_written_by_hand(tmp_path):
    path = tmp_path / "sweep.toml"
    path.write_text(
        'datasets = ["emotions"]\nmethods = ["els:n_labels=2", {method = "grro", grid = {alpha = [0.1, 1]}}]\n'
        "[settings]\nrepeats = 2\n",
        encoding="utf-8",
    )
    plan = Plan.read(path)
    assert plan.name == "sweep"
    assert len(plan) == 2 * 3


def addresses(plan, datasets=DATASETS):
    return [cell.key for cell in plan.cells(datasets)]


def test_the_address_is_of_what_matters_and_of_nothing_else():
    base = {"name": "a", "datasets": ["small"], "methods": ["mim_br"], "settings": QUICK}
    one = addresses(Plan.from_dict(base))
    assert len(set(one)) == 2
    assert addresses(Plan.from_dict({**base, "name": "b"})) == one
    # More repeats begin with the same ones; a default spelled out is the same; so is another name for the data.
    assert addresses(Plan.from_dict({**base, "settings": {**QUICK, "repeats": 5}}))[:2] == one
    assert addresses(Plan.from_dict({**base, "methods": ["mim_br:n_bins=7"]})) != one
    n_bins = SELECTORS["mim_br"].parameters["n_bins"].default
    assert addresses(Plan.from_dict({**base, "methods": [f"mim_br:n_bins={n_bins}"]})) == one
    assert addresses(Plan.from_dict({**base, "datasets": ["other"]}), {"other": SMALL}) == one
    assert addresses(Plan.from_dict({**base, "settings": {**QUICK, "sizes": [1, 3, 6]}})) == one  # half of 12 is 6
    for other in ({"scaling": "unit"}, {"classifier": "brlr"}, {"metrics": ["macro_f1"]}, {"sizes": [1]}):
        assert not set(addresses(Plan.from_dict({**base, "settings": {**QUICK, **other}}))) & set(one)
    assert not set(addresses(Plan.from_dict({**base, "seeds": [1]}))) & set(one)


def another_value(parameter):
    if parameter.kind == "choice":
        return next(choice for choice in parameter.choices if choice != parameter.default)
    return 1 if parameter.default is None else parameter.default + 1


@pytest.mark.parametrize("method", SELECTORS)
def test_every_parameter_is_part_of_the_address_but_those_that_change_no_number(method):
    names = set(SELECTORS[method].parameters) - {"n_features_to_select", "categorical_features", "n_jobs"}
    changes = [{}, *({name: another_value(SELECTORS[method].parameters[name])} for name in names)]
    keys = {
        cell_addresses(SMALL, make_selector(method, **change), get_protocol("quick"), seed=0, repeat=0)[0]
        for change in changes
    }
    assert len(keys) == len(changes)


def test_a_number_has_one_address_however_it_is_spelled():
    spellings = [("grro", "alpha", (2, 2.0, np.float32(2), np.int64(2))), ("els", "n_labels", (2, np.int64(2)))]
    for method, name, values in spellings:
        selectors = [make_selector(method, **{name: value}) for value in values]
        keys = {cell_addresses(SMALL, selector, get_protocol("quick"), seed=0, repeat=0)[0] for selector in selectors}
        assert len(keys) == 1


def test_the_version_of_the_results_is_part_of_the_address(monkeypatch):
    before = addresses(PLAN)
    monkeypatch.setattr("mlfs.studies.cell.VERSION", "another")
    assert not set(before) & set(addresses(PLAN))


def test_a_given_split_has_no_seed_unless_lots_are_drawn():
    plan = Plan("p", ["emotions"], ["mim_br", "random"], "given", seeds=[0, 1])
    (a, x), (b, y) = addresses(plan, None)[:2], addresses(plan, None)[2:]
    assert a == b
    assert x != y


def test_groups_share_data_split_and_preparation():
    cells = PLAN.cells(DATASETS)
    groups = {cell.group for cell in cells if cell.method in ("els", "grro")}
    assert len(groups) == 2  # one for each split: both methods look at the same information
    assert not groups & {cell.group for cell in cells if cell.method == "random"}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"name": " "}, r"A plan needs a name\."),
        ({"datasets": []}, "datasets must be a list with at least one entry"),
        ({"datasets": [3]}, "datasets must be a list of names or paths"),
        ({"methods": ["esl"]}, r"There is no method 'esl': did you mean 'els'\?"),
        ({"methods": [{"grid": {}}]}, "A method must be a text such as"),
        ({"methods": [{"method": "els", "grids": {}}]}, r"has no 'grids': did you mean 'grid'\?"),
        ({"methods": [{"method": "grro", "grid": {"alpha": 1}}]}, "the grid needs a list of values for alpha, not 1"),
        ({"methods": [{"method": "grro", "grid": {"alpha": []}}]}, "list of values for alpha is empty"),
        ({"methods": [{"method": "grro", "grid": {"alhpa": [1]}}]}, r"no parameter 'alhpa': did you mean 'alpha'\?"),
        ({"methods": [{"method": "grro", "grid": {"alpha": [1, -1]}}]}, "alpha must be a number from .* not -1"),
        ({"methods": [{"method": "grro:alpha=1", "grid": {"alpha": [1]}}]}, "alpha is both fixed and varied"),
        ({"methods": ["els:n_features_to_select=3"]}, "n_features_to_select is not for a plan"),
        ({"protocol": "quik"}, r"There is no protocol 'quik': did you mean 'quick'\?"),
        ({"settings": {"repeat": 2}}, r"no setting 'repeat': did you mean 'repeats'\?"),
        ({"settings": {"test_share": 2}}, "test_share must be a number"),
        ({"settings": {"sizes": [0]}}, "sizes must be a list of whole numbers from 1"),
        ({"settings": {"metrics": ["hamming"]}}, "There is no metric 'hamming'"),
        ({"settings": {"metrics": []}}, "There is no metric ''"),
        ({"settings": {"natural_size_of": "x"}}, "There is no method 'x'"),
        ({"seeds": [-1]}, r"seeds must be whole numbers from 0, not \[-1\]"),
        ({"seed": [0]}, r"A plan has no 'seed': did you mean 'seeds'\?"),
    ],
)
def test_messages(change, sentence):
    with pytest.raises(MlfsError, match=sentence):
        Plan.from_dict({"name": "a", "datasets": ["emotions"], "methods": ["els"], **change})


def test_what_the_data_cannot_do_is_said_before_anything_runs():
    with pytest.raises(MlfsError, match="There is no data set 'nonesuch'"):
        Plan("p", ["nonesuch"], ["els"]).cells()
    with pytest.raises(MlfsError, match="no train/test split of its own"):
        Plan("p", ["small"], ["els"], "given").cells(DATASETS)


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("none.toml", None, "cannot be read: no such file"),
        ("plan.yaml", "a: 1", "plan.yaml is neither"),
        ("plan.toml", "a = ", "is not valid TOML"),
        ("plan.json", "{", "is not valid JSON"),
        ("plan.json", "[]", "must be a table"),
        ("plan.toml", "name = 'x'", "The plan has no datasets: add it"),
    ],
)
def test_files_that_are_no_plans(tmp_path, name, content, sentence):
    if content is not None:
        (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(MlfsError, match=sentence):
        Plan.read(tmp_path / name)


def test_a_plan_is_plain_data():
    assert json.loads(json.dumps(PLAN.to_dict())) == PLAN.to_dict()
    assert Plan.from_dict(PLAN.to_dict()) == PLAN
