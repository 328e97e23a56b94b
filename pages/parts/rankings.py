"""Rankings from elsewhere: a file that another program made becomes a ranking of this session alone.

In the link a ranking is named by its content, as an upload is: whoever follows it needs the same file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import streamlit as st

from mlfs.errors import MlfsError, RankingError
from mlfs.evaluation import Explorer, ExternalRanking, Protocol, split_table
from mlfs.evaluation.external_ranking import LONGEST_NAME
from mlfs.evaluation.ranking_files import KINDS, SUFFIXES, name_of, parse_ranking
from mlfs.recipes.writing import RankingFile
from mlfs.results import saw_test_rows_notes
from mlfs.tables import to_csv
from mlfs.wording import listing, sentence_case
from pages.parts import controls, exports, link
from pages.parts.data import explorer_of, titles
from pages.parts.methods import MethodChoice, choose_method
from pages.parts.words import literal

BOX = "Ranking from elsewhere"
WORD, HASH = "ranking-", 16
MOST_RANKINGS, MEGABYTES = 20, 8
AS_SHOWN = "As the file shows"
BASES = {AS_SHOWN: None, "0, as in Python": 0, "1, as in MATLAB and R": 1}
CONTENTS = {AS_SHOWN: None, **{kind: kind for kind in KINDS}}
ROWS = {
    AS_SHOWN: None,
    "All rows": "all",
    "The training rows of each split": "train",
}
FORMS = """
CSV, text or MAT, best feature first: indices (counted from 0 or 1) or names; or a score for each feature, the highest
the best. One ranking, or one for each split: in columns, in rows, or in variables rank1, rank2, …
"""
ROWS_HELP = (
    "A single ranking of all rows has seen the test rows, and every table and figure says so. "
    "Rankings of the training rows of each split are in the order of the splits."
)
_KEPT, _ROUND, _REFUSED = "rankings-kept", "ranking-round", "ranking-refused"


@dataclass(frozen=True)
class KeptRanking:
    """A ranking of this session, whose data set is named as in the link, and the file it came from."""

    ranking: ExternalRanking
    file: RankingFile


@dataclass(frozen=True)
class RankingChoice:
    """A ranking from elsewhere in the place of a method; `MethodChoice` says what each of its parts is for."""

    ranking: ExternalRanking
    methods: tuple[()] = ()

    @property
    def choice(self) -> ExternalRanking:
        return self.ranking

    @property
    def setting(self) -> str:
        return self.ranking.setting

    @property
    def title(self) -> str:
        return self.ranking.setting

    @property
    def name(self) -> str:
        return self.ranking.name

    @property
    def content(self) -> str:
        return self.ranking.fingerprint

    @property
    def recipe(self) -> RankingFile:
        return file_of(self.ranking)

    def most_repeats(self, protocol: Protocol, most: int) -> int:
        """As often as there are orders for it."""
        each = replace(protocol, repeats=1).n_splits
        return most if self.ranking.rows == "all" else max(1, min(most, len(self.ranking.orders) // each))

    def check_splits(self, n_splits: int) -> None:
        self.ranking.check_splits(n_splits)

    def notes(self, seed: int) -> list[str]:
        return notes([self.ranking], seed)

    def time_text(self, seconds: float) -> str:
        return ""  # that of its program is not known

    def show_about(self) -> None:
        """Nothing: how its file was understood stands in the box that took it."""


def kept() -> dict[str, KeptRanking]:
    """This session's rankings, by their name in the link. No other session sees them."""
    return st.session_state.setdefault(_KEPT, {})


def is_own(ranking: ExternalRanking) -> bool:
    """Whether it is this session's own, and nobody else's to see."""
    return any(each.ranking == ranking for each in kept().values())


def file_of(ranking: ExternalRanking) -> RankingFile:
    """What a recipe calls for: the file it came from, where this session has uploaded it."""
    uploaded = (each.file for each in kept().values() if each.ranking == ranking)
    return next(uploaded, RankingFile(ranking.name, ranking.dataset, f"{ranking.name}.csv", rows=ranking.rows))


def choose_rankings(datasets: Sequence[str], key: str = "rankings") -> list[ExternalRanking]:
    """Those of this session's rankings that take part; only those of the given data sets are offered."""
    offered = _of(datasets)
    controls.forget_unless(key, offered)
    chosen: list[str] = link.current().control(key, [], partial(_words, offered), ",".join, widget=True)
    if offered:
        link.current().show(st.multiselect, "Rankings from elsewhere", key, chosen, options=offered, format_func=_title)
    return [kept()[word].ranking for word in chosen]


def choose_ranker(dataset: str, sizes: Mapping[str, int], key: str = "ranking") -> MethodChoice | RankingChoice:
    """What ranks the features: a method, or one of this session's rankings of the data set in its place."""
    offered = _of([dataset])
    controls.forget_unless(key, ["", *offered])

    def parse(text: str) -> str:
        return _words(offered, text)[0]

    word: str = link.current().control(key, "", parse, widget=True)
    if offered:
        with st.sidebar:
            link.current().show(
                st.selectbox,
                "Ranked by",
                key,
                word,
                options=["", *offered],
                format_func=lambda word: _title(word) if word else "A method",
            )
    return RankingChoice(kept()[word].ranking) if word else choose_method(sizes)


def offer(explorers: Mapping[str, Explorer], protocol: Protocol, seed: int, key: str) -> None:
    """A closed box: the rows of the splits, an uploader, and this session's rankings; `key` takes what is uploaded."""
    with controls.closed_box(BOX, "ranking-box") as box:
        if not box.open:
            return
        _offer_rows(explorers, protocol, seed)
        _offer_upload(explorers, key)
        for word, each in tuple(kept().items()):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.text(f"{each.ranking.name} ({titles([each.ranking.dataset])[each.ranking.dataset]})")
                st.button("Remove", key=f"remove-{word}", on_click=kept().pop, args=(word, None), width="content")
            for note in each.ranking.notes:
                st.caption(literal(note))


def fitting(rankings: Iterable[ExternalRanking], protocol: Protocol) -> list[ExternalRanking]:
    """Those that have an order for each split; of the others it is said why they are left out."""
    fit = []
    for ranking in rankings:
        try:
            ranking.check_splits(protocol.n_splits)
        except RankingError as problem:
            st.warning(literal(str(problem)))
        else:
            fit.append(ranking)
    return fit


def notes(rankings: Sequence[ExternalRanking], seed: int) -> list[str]:
    """What has to be said of rankings beside their results."""
    of_splits = list(dict.fromkeys(ranking.name for ranking in rankings if ranking.rows == "train"))
    said = saw_test_rows_notes(ranking.setting for ranking in rankings)
    if of_splits:
        said.append(
            f"{listing(of_splits)}: one ranking for each split, taken to be of the training rows of these splits (seed "
            f"{seed}), whose numbers the box '{BOX}' has."
        )
    return said


def _of(datasets: Sequence[str]) -> list[str]:
    return [word for word, each in kept().items() if each.ranking.dataset in datasets]


def _words(offered: Sequence[str], text: str) -> list[str]:
    words = [word for word in text.split(",") if word]
    for word in words:
        if word not in offered:
            raise RankingError(
                f"This link shows a ranking (content {word.removeprefix(WORD)}) of these data that this session does "
                f"not have: upload the same file in the box '{BOX}' to see the same picture."
            )
    return list(dict.fromkeys(words))


def _title(word: str) -> str:
    return kept()[word].ranking.setting if word in kept() else word


def _offer_rows(explorers: Mapping[str, Explorer], protocol: Protocol, seed: int) -> None:
    """Which rows train and which test, for the program that is to rank the features on them."""
    st.caption("Run your program on the training rows of each split: 1 trains, 0 tests.")
    named = titles(explorers)
    with st.container(horizontal=True, gap="small"):
        for name, explorer in explorers.items():
            for base in (1, 0):
                exports.download(
                    f"Rows of {literal(named[name])}, from {base}",
                    partial(_rows_file, explorer, protocol, seed, base),
                    f"splits-from-{base}-{explorer.ds.name}.csv",  # what tells them apart first: long names are cut
                    "text/csv",
                    f"rows-{name}-{base}",
                )


def _rows_file(explorer: Explorer, protocol: Protocol, seed: int, base: int) -> str:
    return to_csv(split_table(protocol.splits(explorer.ds, seed), len(explorer.ds.Y), base))


def _offer_upload(explorers: Mapping[str, Explorer], key: str) -> None:
    place = f"ranking-file-{st.session_state.setdefault(_ROUND, 0)}"
    kinds = [suffix.removeprefix(".") for suffix in SUFFIXES]
    given = st.file_uploader("A ranking", type=kinds, key=place, help=FORMS, max_upload_size=MEGABYTES)
    if given is None:
        st.caption(f"Only this session sees it. It keeps {MOST_RANKINGS} rankings at most, until it ends.")
        return
    name = st.text_input("Its name", name_of(given.name), key=f"{place}-name", max_chars=LONGEST_NAME)
    named = titles(explorers)
    dataset = next(iter(explorers))
    if len(explorers) > 1:
        dataset = st.selectbox("It ranks the features of", list(explorers), key=f"{place}-data", format_func=named.get)
    how = {
        "base": BASES[st.selectbox("Features are counted from", list(BASES), key=f"{place}-base")],
        "kind": CONTENTS[st.selectbox("It holds", list(CONTENTS), key=f"{place}-kind", format_func=sentence_case)],
        "rows": ROWS[st.selectbox("Its program saw", list(ROWS), key=f"{place}-rows", help=ROWS_HELP)],
    }
    st.button("Use this ranking", type="primary", on_click=_take, args=(place, name, dataset, how, key))
    refused = st.session_state.get(_REFUSED)
    if refused and refused[0] == given.file_id:
        st.error(literal(refused[1]))


def _take(place: str, name: str, dataset: str, how: Mapping[str, Any], key: str) -> None:
    """Keep the file's ranking and choose it; or say why not."""
    file = st.session_state.get(place)
    if file is None:
        return
    try:
        word = accept(file.name, file.getvalue(), name.strip(), dataset, how)
    except MlfsError as problem:
        st.session_state[_REFUSED] = (file.file_id, str(problem))
        return
    st.session_state.pop(_REFUSED, None)
    st.session_state[_ROUND] += 1  # another key: the uploader is empty again
    several = [*st.session_state.get(key, []), word] if key == "rankings" else word
    st.session_state[key] = several


def accept(file: str, content: bytes, name: str, dataset: str, how: Mapping[str, Any]) -> str:
    """Read a file as a ranking of a data set and keep it for this session; returns its name in the link."""
    ds = explorer_of(dataset).ds
    ranking = replace(parse_ranking(file, content, ds, name, **how), dataset=dataset)
    mark = hashlib.sha256(f"{ds.fingerprint} {ranking.fingerprint}".encode()).hexdigest()[:HASH]
    others = {word: each for word, each in kept().items() if word != f"{WORD}{mark}"}
    if len(others) >= MOST_RANKINGS:
        raise RankingError(f"This session keeps {MOST_RANKINGS} rankings at most: remove one first.")
    if any((each.ranking.name, each.ranking.dataset) == (name, dataset) for each in others.values()):
        raise RankingError(f"There is a ranking called {name!r} of these data: give this one another name.")
    kept()[f"{WORD}{mark}"] = KeptRanking(ranking, RankingFile(name, dataset, file, **how))
    return f"{WORD}{mark}"
