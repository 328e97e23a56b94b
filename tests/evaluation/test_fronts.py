"""Fronts of features by brute force, and runs as tables."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from mlfs import load_dataset
from mlfs.errors import ParameterError
from mlfs.evaluation import Explorer, compare_features, explore, get_protocol, runs_of, runs_of_study
from mlfs.information import discretize, symmetrical_uncertainty


@pytest.fixture(scope="module")
def explorer():
    return Explorer(load_dataset("emotions"))


def test_front_and_selection_by_brute_force(explorer):
    ds = explorer.ds
    labels = ["quiet-still", "sad-lonely", "amazed-suprised"]
    found = compare_features(explorer, labels, ("mapd", {"alpha": 0.7, "n_bins": 3}), "given")
    train, _ = ds.split
    SU = symmetrical_uncertainty(discretize(ds.X[train], n_bins=3, method="equal_width"), ds.Y[train])
    np.testing.assert_allclose(found.uncertainty, SU, atol=1e-12)
    columns = [ds.label_names.index(label) for label in labels]
    more = SU[:, None, :] > SU[None, :, :] + 1e-9  # [j, i, label]: j tells more than i
    np.testing.assert_array_equal(found.on_front, ~more[:, :, columns].all(axis=2).any(axis=0))
    dominated = (more.sum(axis=2) > 0.7 * 6).any(axis=0)
    assert set(found.selected) == set(np.flatnonzero(~dominated))
    table = found.table()
    assert table["selected"].sum() == len(found.selected)
    assert table["on the front"].sum() == found.on_front.sum()
    assert found.selected_on_front == (table["on the front"] & table["selected"]).sum()
    kept = table.set_index("feature").loc[ds.feature_names[int(found.selected[0])]]
    assert kept["SU with quiet-still"] == found.uncertainty[found.selected[0], columns[0]]
    # Selected first, and nothing that is neither.
    assert table["selected"].tolist() == sorted(table["selected"], reverse=True)
    assert (table["selected"] | table["on the front"]).all()


@pytest.mark.parametrize("alpha", [0.55, 0.7, 0.9])
def test_a_feature_and_its_strongest_rival_by_brute_force(explorer, alpha):
    ds = explorer.ds
    found = compare_features(explorer, ["quiet-still"], ("mapd", {"alpha": alpha}), "given")
    more = found.uncertainty[:, None, :] > found.uncertainty[None, :, :] + 1e-9
    for feature in (0, 5, 71):
        rival, better = found.dominance.strongest_rival(feature)
        assert rival != feature
        assert better.sum() == more[:, feature].sum(axis=1).max()
        np.testing.assert_array_equal(better, more[rival, feature])
        told = found.about_feature(feature, alpha, ds.label_names)
        assert ds.feature_names[rival] in told
        assert f"tells more about {better.sum()} of 6 labels" in told
        kept = feature in found.selected
        assert told.endswith("MAPD keeps the feature." if kept else "MAPD leaves the feature out.")
        assert kept == (better.sum() <= alpha * 6)
        assert f"about {ds.label_names[found.uncertainty[feature].argmax()]} (SU" in told


def test_steps_are_what_each_alpha_selects(explorer):
    found = compare_features(explorer, ["quiet-still"], "mapd", "given")
    for start, features in found.steps().itertuples(index=False):
        again = compare_features(explorer, ["quiet-still"], ("mapd", {"alpha": start + 0.01}), "given")
        assert len(again.selected) == features


def test_what_cannot_be_compared(explorer):
    with pytest.raises(ParameterError, match="There is no label 'quiet-stil': did you mean 'quiet-still'"):
        compare_features(explorer, ["quiet-stil"])
    with pytest.raises(ParameterError, match="Features are compared by mapd or parfs, not by 'els'"):
        compare_features(explorer, ["quiet-still"], "els")


def test_runs_are_methods_at_sizes(explorer):
    one = explore(explorer.ds, "els", "given")
    runs = runs_of([("els", "{}", one), ("els", '{"n_labels": 2}', one)])
    assert list(runs.columns) == ["method", "size", "seconds", "hamming_loss", "ranking_loss"]
    assert list(runs["method"].unique()) == ["els", "els:n_labels=2"]
    assert runs["hamming_loss"].tolist() == one.curve["hamming_loss"].tolist() * 2
    assert set(runs["seconds"]) == {one.seconds}
    assert runs_of([]).empty


def test_runs_of_a_study_are_means_over_repeats():
    rows = pd.DataFrame(
        [
            ("flags", "els", "{}", repeat, size, metric, size + repeat, 2.0 * repeat)
            for repeat in (0, 1)
            for size in (1, 2)
            for metric in ("hamming_loss", "macro_f1")
        ]
        + [("yeast", "els", "{}", 0, 1, "hamming_loss", 99.0, 1.0)],
        columns=["dataset", "method", "parameters", "repeat", "size", "metric", "value", "seconds"],
    )
    found = runs_of_study(rows, "flags", "hamming_loss")
    assert found.to_dict("list") == {
        "method": ["els", "els"],
        "size": [1, 2],
        "seconds": [1.0, 1.0],
        "hamming_loss": [1.5, 2.5],
    }


def test_the_answer_says_none_where_there_is_none(explorer):
    found = compare_features(explorer, ["quiet-still", "sad-lonely"], ("mapd", {"alpha": 0.7}))
    apart = replace(found, on_front=~np.isin(np.arange(72), found.selected))
    assert apart.sentence(0.7).endswith("MAPD keeps 3 at α = 0.7, none of them on this front.")


def test_the_answer_counts_features_by_hand(explorer):
    found = compare_features(explorer, ["quiet-still", "sad-lonely"], ("mapd", {"alpha": 0.7}))
    train = next(get_protocol("quick").splits(explorer.ds, 0))[0]
    su = symmetrical_uncertainty(discretize(explorer.ds.X[train], 5), explorer.ds.Y[train])
    pair = su[:, [explorer.ds.label_names.index(name) for name in ("quiet-still", "sad-lonely")]]
    on_front = [not any((other > own).all() for other in pair) for own in pair]
    beaten = [max(np.mean(other > own) for other in su) > 0.7 for own in su]
    kept = [not lost for lost in beaten]
    both = sum(front and keep for front, keep in zip(on_front, kept, strict=True))
    assert found.sentence(0.7) == (
        f"{sum(on_front)} of 72 features {'is' if sum(on_front) == 1 else 'are'} on the front of quiet-still and "
        "sad-lonely: no other feature tells more "
        f"about both. Judged by all 6 labels, MAPD keeps {sum(kept)} at α = 0.7, {both} of them on this front."
    )
