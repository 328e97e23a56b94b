"""Synthetic sets by name: one name for each, the same bits wherever it is loaded, and sentences for slips."""

from __future__ import annotations

import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlfs.datasets import SYNTHETIC, load_dataset, make_synthetic, parse_synthetic, synthetic_name
from mlfs.datasets.synthetic_names import MOST_VALUES
from mlfs.errors import DatasetError, ParameterError


def test_every_argument_is_declared_with_its_default():
    arguments = inspect.signature(make_synthetic).parameters
    assert {name: parameter.default for name, parameter in SYNTHETIC.items()} == {
        name: argument.default for name, argument in arguments.items()
    }


def test_a_name_makes_the_set_that_the_call_makes():
    ds = load_dataset("synthetic: seed=1, n_labels=4 ,sparse=True")
    assert ds.name == "synthetic:n_labels=4,sparse=True,seed=1"
    assert ds.fingerprint == make_synthetic(n_labels=4, sparse=True, seed=1).fingerprint
    assert len(ds.truth.relevant) == 10
    assert load_dataset(ds.name).fingerprint == ds.fingerprint


@given(st.integers(2, 1000), st.floats(0, 0.99), st.floats(0.001, 0.999), st.booleans(), st.integers(0, 2**31 - 1))
def test_there_and_back(n_instances, label_correlation, label_density, binary, seed):
    given = {
        "n_instances": n_instances,
        "label_correlation": label_correlation,
        "label_density": label_density,
        "binary": binary,
        "seed": seed,
    }
    told = parse_synthetic(synthetic_name(given))
    assert {name: told.get(name, SYNTHETIC[name].default) for name in given} == given


def test_defaults_are_left_out():
    assert synthetic_name({name: parameter.default for name, parameter in SYNTHETIC.items()}) == "synthetic"
    assert load_dataset("synthetic:").name == "synthetic"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("synthetic:labels=4", "synthetic has no parameter 'labels': did you mean 'n_labels'?"),
        ("synthetic:n_labels", "'n_labels' in 'synthetic:n_labels' is not a parameter: write name=value, with commas "),
        ("synthetic:seed=1,seed=2", "seed stands twice in 'synthetic:seed=1,seed=2': keep one of them."),
        ("synthetic:n_labels=1e3", "synthetic: n_labels must be a whole number from 1 to 100, not '1e3'."),
        ("synthetic:n_instances=20001", "synthetic: n_instances must be a whole number from 2 to 20000, not 20001."),
        ("synthetic:label_density=1", "synthetic: label_density must be a number between 0 and 1, not 1.0."),
        ("synthetic:sparse=yes", "synthetic: sparse must be one of False, True, not 'yes'"),
        (
            "synthetic:n_instances=20000,n_irrelevant=2000",
            "A synthetic set of 20000 instances with 2026 features and labels is too large: keep their product to "
            f"{MOST_VALUES:,}.",
        ),
    ],
)
def test_slips_are_sentences(name, sentence):
    with pytest.raises(ParameterError) as caught:
        load_dataset(name)
    assert str(caught.value).startswith(sentence)


def test_a_program_may_make_larger_ones():
    assert make_synthetic(n_instances=3, n_irrelevant=2001).X.shape[1] == 2021


def test_labels_are_not_asked_for():
    with pytest.raises(DatasetError, match="leave it out"):
        load_dataset("synthetic:seed=1", labels=-1)
