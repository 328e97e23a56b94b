"""``mlfs curve`` prints what `explore` finds, also by the command that the app offers to copy."""

import shlex

import pytest

from mlfs import load_dataset
from mlfs.answer.size import choose_size, size_sentence
from mlfs.evaluation import averaged, averaged_baseline, explore, explore_all, get_protocol
from mlfs.recipes import exploration


def expect(document, *explored):
    """The document holds the numbers of these splits, to the last bit."""
    points = averaged(explored).to_dict("records")
    assert [{k: v for k, v in row.items() if v is not None} for row in document["curve"]] == [
        {k: v for k, v in row.items() if v == v} for row in points
    ]
    assert {k: v for k, v in document["baseline"].items() if k != "size"} == averaged_baseline(explored)


def test_numbers_are_the_librarys(terminal):
    protocol = get_protocol(
        "quick", test_share=0.4, repeats=2, sizes=(1, 3, 0.25), metrics=("macro_f1", "hamming_loss"), scaling="unit"
    )
    explored = explore(load_dataset("emotions"), ("grro", {"alpha": 10.0}), protocol, seed=3, repeat=1)
    document = terminal.json(
        "curve emotions grro:alpha=10 --test-share 0.4 --repeats 2 --repeat 1 --sizes 1,3,0.25 "
        "--metrics macro_f1,hamming_loss --scaling unit --seed 3"
    )
    expect(document, explored)
    assert [row["size"] for row in document["curve"]] == [1, 3, 18]
    assert document["curve"][0]["residual_label_correlation"] is None  # C(F) of one feature is not defined


@pytest.mark.parametrize(
    ("protocol", "changes"),
    [
        ("quick", {}),
        ("quick", {"split": "folds", "folds": 3, "stratified": True, "classifier": "brlr", "sizes": (2, 4)}),
        ("sechidis_2014", {"sizes": (1, 5), "every_size": False, "repeats": 2}),
        ("zhang_2020_grro", {"sizes": (3,), "metrics": ("micro_f1",)}),
        ("zhou_2023_mapd", {"repeats": 1}),
    ],
    ids=["plain", "folds", "sizes for all", "given", "natural"],
)
def test_what_the_app_copies_as_a_command_gives_its_numbers(terminal, protocol, changes):
    used = get_protocol(protocol, **changes)
    recipe = exploration("emotions", ("els", {"n_labels": 2}), used, seed=1)
    program, *words = shlex.split(recipe.command)
    assert program == "mlfs"
    explored = explore_all(load_dataset("emotions"), ("els", {"n_labels": 2}), used, seed=1)
    expect(terminal.json(shlex.join(words)), *explored)


def test_text_ends_with_all_features(terminal):
    lines = terminal.run("curve emotions els --sizes 1,5").splitlines()
    assert lines[0].startswith("els on emotions, protocol quick, split 1 of 1: selected in ")
    assert lines[4].split() == ["features", "Hamming", "loss", "Ranking", "loss", "R(F)", "C(F)"]
    assert lines[6].split()[0] == "1"
    assert lines[6].split()[-1] == "–"
    assert lines[-1].split()[:2] == ["all", "72"]


def test_it_says_how_many_features_to_keep(terminal):
    """As the page Explore does, by the same rule."""
    explored = explore_all(load_dataset("emotions"), "els", get_protocol("quick", sizes=(1, 5, 10), repeats=3))
    choice = choose_size(averaged(explored), "hamming_loss", 3)
    expected = size_sentence(choice, 72, averaged_baseline(explored)["hamming_loss"])
    assert expected in terminal.run("curve emotions els --sizes 1,5,10 --repeats 3").splitlines()[2]


def test_where_splits_share_no_size_no_number_is_named(terminal):
    printed = terminal.run("curve emotions mapd --sizes natural --repeats 6 --seed 1")
    assert "Keep " not in printed
    assert "all 72" in printed


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        ("--test-share 2", "--test-share must be a number from 0.05 to 0.95, not 2.0."),
        ("--folds x", "--folds must be a whole number from 2 to 20, not 'x'."),
        (
            "--split givn",
            "--split must be one of 'random', 'given', 'folds', not 'givn' (did you mean 'given'?).",
        ),
        (
            "--sizes 1,0",
            "--sizes must be numbers of features such as 1,5,10, shares such as 0.1,0.5, or natural, not '1,0'.",
        ),
        ("--metrics hamming_los", "There is no metric 'hamming_los': did you mean 'hamming_loss'?"),
        (
            "--protocol quik",
            "--protocol must be one of quick, given, lee_kim_2016, wang_2020_elc, sechidis_2014, zhou_2023_mapd, "
            "zhang_2020_grro, not 'quik' (did you mean 'quick'?).",
        ),
    ],
)
def test_wrong_flags(terminal, flags, sentence):
    assert terminal.complaint(f"curve emotions els {flags}") == sentence


def test_text_of_several_splits_has_deviations(terminal):
    lines = terminal.run("curve emotions els --sizes 1,5 --repeats 3").splitlines()
    assert ", 3 splits: selected in " in lines[0]
    assert lines[7].count(" ± ") == 4
