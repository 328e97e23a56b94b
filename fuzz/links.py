"""Hostile links on every page: the page opens, or says in a sentence what is wrong with the link; never a traceback."""

from __future__ import annotations

import logging
import os
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

PAGES = tuple(sorted(page.stem for page in Path(__file__).parents[1].glob("pages/*.py") if page.stem != "main"))
WORDS = (
    "data", "sets", "method", "methods", "metric", "metrics", "seed", "repeats", "repeat", "split", "test_share",
    "folds", "classifier", "study", "beside", "source", "paper", "result", "table", "lesson", "question", "vary",
    "most", "n", "value", "els.n_labels", "grro.alpha", "els.n_labels.steps", "step", "tour", "labels", "ranking",
    "rule", "shown",
)  # fmt: skip
VALUES = (
    "", "a", "0", "-1", "²", "1e999", "nan", "inf", "9" * 5000, "1.5", "none", "None", "../../etc/passwd",
    "/etc/passwd",
    "<img src=x onerror=alert(1)>", "**b**", "$x$", ":red[x]", "=cmd|' /c calc'!A1", "\x00", "\u202e", "🙂" * 500,
    "a,b,c", "els,els", "els:n_labels=99999999999999999999", "grro:alpha=nan", "synthetic:n_instances=10000000000",
    "synthetic:" + "a=1," * 500, "upload-0123456789abcdef", "{}", "[]", "true", "%00", "study", "1;2",
    "'; DROP TABLE studies",
    "emotions", "els", "quick", "lee_kim_2016", "table3", "+".join(map(str, range(2000))),
)  # fmt: skip
FAULT = "bug in mlfs"


@cache
def _prepare() -> None:
    """A store and a cache of the trials' own, and no word on what a browser would have."""
    logging.disable(logging.WARNING)
    folder = tempfile.mkdtemp(prefix="mlfs-fuzz-")
    os.environ.update(MLFS_STORE=str(Path(folder, "studies.sqlite")), MLFS_CACHE=folder)
    os.environ.pop("MLFS_DATA", None)


def make(seed: int) -> tuple[str, dict[str, str]]:
    """The page of a seed, and one to three words of its address."""
    rng = np.random.default_rng(seed)
    page = PAGES[rng.integers(len(PAGES))]
    words = rng.permutation(len(WORDS))[: rng.integers(1, 4)]
    return page, {WORDS[k]: VALUES[rng.integers(len(VALUES))] for k in words}


def check(seed: int) -> str | None:
    """What is wrong with the page that a link opens."""
    _prepare()
    from streamlit.testing.v1 import AppTest

    page, query = make(seed)
    app = AppTest.from_file(str(Path(__file__).parents[1] / "pages" / "main.py"), default_timeout=600)
    app.session_state["drawn"] = True
    app.switch_page(f"{page}.py")
    app.query_params.update(query)
    app.run()
    said = [*(each.value for each in app.exception), *(each.value for each in app.error if FAULT in each.value)]
    return f"{page} {query}: {said[0][:200]}" if said else None
