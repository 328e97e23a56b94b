"""``mlfs select`` prints what the library ranks."""

import numpy as np

from mlfs import load_dataset, make_selector
from mlfs.evaluation import random_splits


def test_ranking_is_the_librarys_on_all_rows(terminal):
    ds = load_dataset("emotions")
    expected = make_selector("grro", alpha=10.0).fit(ds.X, ds.Y)
    first = expected.ranking_[:7]
    document = terminal.json("select emotions grro:alpha=10 --features 7")
    assert [row["index"] for row in document["features"]] == first.tolist()
    assert [row["score"] for row in document["features"]] == expected.scores_[first].tolist()
    assert [row["name"] for row in document["features"]] == [ds.feature_names[j] for j in first]
    assert (document["parameters"], document["n_rows"], document["repeat"]) == ({"alpha": 10.0}, 593, None)


def test_training_rows_of_one_split(terminal):
    ds = load_dataset("emotions")
    train, _ = list(random_splits(ds.Y, 0.3, 3, seed=5))[2]
    expected = make_selector("els", n_features_to_select=4).fit(ds.X[train], ds.Y[train])
    document = terminal.json(
        "select emotions els --features 4 --rows train --test-share 0.3 --repeats 3 --repeat 2 --seed 5"
    )
    assert [row["index"] for row in document["features"]] == expected.ranking_[:4].tolist()
    assert (document["n_rows"], document["repeat"]) == (len(train), 2)


def test_the_method_may_say_how_many(terminal):
    assert len(terminal.json("select emotions els:n_features_to_select=3")["features"]) == 3
    natural = terminal.json("select emotions mapd")["features"]
    ds = load_dataset("emotions")
    assert len(natural) == make_selector("mapd").fit(ds.X, ds.Y).n_selected_


def test_a_method_that_draws_lots_obeys_the_seed(terminal):
    drawn = [
        tuple(row["index"] for row in terminal.json(f"select emotions random --features 9 --seed {seed}")["features"])
        for seed in (1, 1, 2)
    ]
    assert drawn[0] == drawn[1] != drawn[2]


def test_categories_are_not_taken_for_numbers(terminal, tmp_path):
    rng = np.random.default_rng(0)
    words = rng.choice(["red", "green", "blue"], 60)
    rows = [f"{w},{rng.random():.3f},{int(w == 'green')},{int(rng.random() < 0.5)}" for w in words]
    (tmp_path / "toy.csv").write_text("\n".join(["colour,noise,a,b", *rows]))
    ds = load_dataset("./toy.csv", labels=-2)
    expected = make_selector("els", categorical_features=ds.categorical).fit(ds.X, ds.Y)
    document = terminal.json("select ./toy.csv els --labels -2")
    assert [row["score"] for row in document["features"]] == expected.scores_[expected.ranking_].tolist()


def test_a_ranking_from_elsewhere_is_listed_by_name(terminal, tmp_path):
    (tmp_path / "theirs.csv").write_text("72\n1\n3\n")
    names = load_dataset("emotions").feature_names
    document = terminal.json("select emotions --ranking theirs=theirs.csv --features 2")
    assert [row["name"] for row in document["features"]] == [names[71], names[0]]
    assert document["notes"][0].startswith("theirs: Read as feature indices, counted from 1")
    printed = terminal.run("select emotions --ranking theirs=theirs.csv --features 2")
    assert printed.startswith("theirs (saw test rows) on emotions, 593 rows: selected elsewhere")
    (tmp_path / "parts.csv").write_text("72,1\n1,2\n3,3\n")
    told = "select emotions --ranking parts=parts.csv --repeats 2 --features 1"
    assert "give --rows train" in terminal.complaint(told)
    second = terminal.json(f"{told} --rows train --repeat 1")
    assert [row["name"] for row in second["features"]] == [names[0]]
    assert "one method or by one --ranking" in terminal.complaint("select emotions els --ranking a=theirs.csv")


def test_text_has_the_names(terminal):
    printed = terminal.run("select emotions els:n_labels=2 --features 2")
    assert printed.startswith("els:n_labels=2 on emotions, 593 rows: selected in ")
    assert printed.splitlines()[4].split() == ["1", "Mean_Acc1298_Mean_Mem40_MFCC_1", "4", "3.721"]


def test_what_the_data_do_not_allow(terminal):
    sentence = terminal.complaint("select emotions els:n_labels=9")
    assert sentence.startswith("n_labels must be a whole number from 0 to 6 (the number of labels)")
    assert terminal.complaint("select emotions els --rows train --repeat 1").startswith("repeat must be below ")
