"""Two kills of studies of the command line; `make fuzz ARGS=kill` has hundreds, of pages and papers too."""

import re

from fuzz import kill
from mlfs.studies import Plan

PROGRESS = re.compile(r"study: \d kills")


def test_killed_studies_end_as_undisturbed_ones(monkeypatch):
    plan = Plan("to be killed", ["synthetic"], ["els", "random"], settings={"repeats": 3, "sizes": [1, 5]})
    monkeypatch.setattr(kill, "STUDY", plan)
    *problems, summary = [news for news in kill.trial("study", 2, seed=1) if not PROGRESS.fullmatch(news)]
    assert problems == []
    # How many processes a kill meets, and how far they were, depends on the machine.
    assert re.fullmatch(r"study: 2 kills, \d of them of two processes at once; [12] final tables compared", summary)
