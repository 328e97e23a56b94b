"""Two kills of studies of the command line; `make fuzz ARGS=kill` has hundreds, of pages and papers too."""

from fuzz import kill
from mlfs.studies import Plan


def test_killed_studies_end_as_undisturbed_ones(monkeypatch):
    plan = Plan("to be killed", ["synthetic"], ["els", "random"], settings={"repeats": 3, "sizes": [1, 5]})
    monkeypatch.setattr(kill, "STUDY", plan)
    *problems, summary = [news for news in kill.trial("study", 2, seed=1) if news != "study: 2 kills"]
    assert problems == []
    assert summary == "study: 2 kills, 1 of them of two processes at once; 1 final tables compared"
