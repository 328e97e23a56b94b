"""Every paper has a tour of three to five steps, and a wrong step, data set or setting gets its sentence."""

import pandas as pd
import pytest

from mlfs.datasets import bundled_names
from mlfs.errors import ParameterError
from mlfs.papers import PAPERS, TOURS
from mlfs.papers.tour import means_in_words, take_step
from mlfs.selectors import SELECTORS


def test_every_paper_has_its_tour():
    assert list(TOURS) == list(PAPERS)
    for tour in TOURS.values():
        assert 3 <= len(tour.steps) <= 5
        assert tour.data in bundled_names()
        assert len({step.title for step in tour.steps}) == len(tour.steps)


def test_knobs_of_methods_are_those_the_methods_declare():
    for tour in TOURS.values():
        for key, knob in tour.knobs.items():
            assert knob.key == key
            if knob.method is not None:
                assert knob.parameter is SELECTORS[knob.method].parameters[knob.name]
        for step in tour.steps:
            # Settings go to the step's function by name.
            assert len({knob.name for knob in step.knobs}) == len(step.knobs)


def test_where_learn_opens_a_tour():
    assert TOURS["lee_kim_2016"].query() == {"tour": "lee_kim_2016"}
    assert TOURS["lee_kim_2016"].query(2) == {"tour": "lee_kim_2016", "step": "2"}


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        ((("lee_kim_2061", 1), {}), "There is no tour of the paper 'lee_kim_2061': did you mean 'lee_kim_2016'?"),
        ((("zhang_2020_grro", 5), {}), "The tour of zhang_2020_grro has the steps 1 to 4, not 5."),
        ((("zhang_2020_grro", 0), {}), "The tour of zhang_2020_grro has the steps 1 to 4, not 0."),
        (
            (("zhang_2020_grro", 1, "emotion"), {}),
            "Tours are made for the bundled data sets, not 'emotion': did you mean 'emotions'?",
        ),
        ((("zhang_2020_grro", 2), {"alfa": 1.0}), "This step has no parameter 'alfa': did you mean 'alpha'?"),
        (
            (("zhang_2020_grro", 1), {"alpha": 1.0}),
            "There is nothing to set in the step 'Relevance, redundancy, label distance': leave alpha out.",
        ),
        (
            (("lee_kim_2016", 1), {"n_labels": 15}),
            "n_labels must be a whole number from 0 to 14 (the number of labels)",
        ),
        ((("zhou_2023_mapd", 3), {"alpha": 0.5}), "alpha must be a number between 0.5 and 1, not 0.5."),
    ],
)
def test_mistakes_get_a_sentence(call, sentence):
    positional, settings = call
    with pytest.raises(ParameterError) as problem:
        take_step(*positional, **settings)
    assert str(problem.value).startswith(sentence)


def test_means_are_of_the_sizes_that_all_curves_have():
    long = pd.DataFrame({"size": [1, 2, 3], "hamming_loss": [0.4, 0.2, 0.0]})
    assert means_in_words({"els": long, "mfs": long[:2] + 0.0}, "hamming_loss").endswith(
        "2 sizes: ELS 0.3000, MFS 0.3000"
    )
