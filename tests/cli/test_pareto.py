"""``mlfs pareto`` prints what `compare_features` finds."""

from mlfs import load_dataset
from mlfs.evaluation import Explorer, compare_features, get_protocol


def test_front_selection_and_steps(terminal):
    document = terminal.json("pareto emotions mapd:alpha=0.9 --under quiet-still sad-lonely --split given")
    front = compare_features(
        Explorer(load_dataset("emotions")),
        ["quiet-still", "sad-lonely"],
        ("mapd", {"alpha": 0.9}),
        get_protocol("quick", split="given"),
    )
    assert document["features"] == front.table().to_dict("records")
    assert document["steps"] == front.steps().to_dict("records")
    assert document["selected"] == len(front.selected)
    said = terminal.run("pareto emotions parfs --split given")
    assert "are on the front of amazed-suprised, happy-pleased" in said


def test_sentences(terminal):
    assert terminal.complaint("pareto emotions els", 2) == "Features are compared by mapd or parfs, not by 'els'."
    assert (
        terminal.complaint("pareto emotions --under quiet", 2)
        == "There is no label 'quiet': did you mean 'quiet-still'?"
    )
