"""Uploads: files become a data set of this browser alone, or one sentence, and then all stays as it was.

Before anything is kept, the first rows are shown with the labels coloured. Which columns are labels is proposed where
the files do not say it, and can be corrected. These choices are about files that no link can hold, so they stand
outside the link; the set itself is in it by its content.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from html import escape
from typing import Any

import streamlit as st
from scipy import sparse
from streamlit.runtime.uploaded_file_manager import UploadedFile

from mlfs.answer import SHORTLIST
from mlfs.datasets import Dataset, bundled_names
from mlfs.datasets.formats import FORMATS as FORMATS_READ
from mlfs.datasets.formats import (
    Limits,
    TablePreview,
    preview_files,
    read_files,
    sheets_to_choose_from,
    variables_to_choose_from,
)
from mlfs.datasets.formats.arrays import TRANSPOSED
from mlfs.errors import DatasetError, MlfsError
from mlfs.evaluation import Explorer
from mlfs.recipes.writing import Labels, reading_options
from mlfs.wording import count, duration, listing
from pages.parts import data, link, owners
from pages.parts.owners import Upload
from pages.parts.words import literal

MEGABYTE = 1024**2
LIMITS = Limits(
    max_bytes=200 * MEGABYTE, max_rows=500_000, max_features=100_000, max_labels=5_000, max_cells=20_000_000
)
MOST_SETS, MOST_BYTES = 5, 300 * MEGABYTE
# Of all sessions together: a class that uploads must not take the memory of the machine.
EVERYBODYS_BYTES = 2048 * MEGABYTE
PRIVACY = (
    f"Only this browser sees its uploads. The server keeps {MOST_SETS} sets and {MOST_BYTES // MEGABYTE} MB of them at "
    f"most, in memory only, until {duration(owners.KEPT_SECONDS)} after you have left."
)
PICKED_BY_NAME = 1000  # more columns than this do not fit into a list to pick from

FORMATS = "\n".join(
    [
        *(f"- **{format.title}** ({', '.join(format.suffixes)})" for format in FORMATS_READ.values()),
        "- a training and a test file of any of these, tables of labels beside those of features, or a **zip** of them",
        "",
        "Where a table does not say which columns are labels, mlfs proposes some, and you decide.",
    ]
)
PROPOSED, AS_FILES_SAY, LAST, FIRST, BY_NAME = (
    "proposed",
    "as the files say",
    "the last …",
    "the first …",
    "choose by name",
)
INSTANCES = {
    "none": "each row is an instance",
    "Y": "each column of the labels is an instance",
    "X": "each column of the features is an instance",
    "XY": "each column of both is an instance",
}
CERTAINTIES = {"sure": "Quite sure.", "likely": "Likely, but check.", "unsure": "Not sure: please check."}
# In a preview, and of the features those that a telephone has room for beside the labels.
SHOWN_FEATURES, SHOWN_LABELS, NARROW_FEATURES, LONGEST_CELL = 5, 8, 2, 24
# Half-transparent, so that the ink of either theme stands out against it.
PREVIEW_STYLE = """<style>
.mlfs-preview { overflow-x: auto; }
.mlfs-preview table { border-collapse: collapse; font-size: 0.875rem; font-variant-numeric: tabular-nums; }
.mlfs-preview :is(th, td) { padding: 0.15rem 0.6rem; text-align: right; white-space: nowrap;
  border-bottom: 1px solid rgba(128, 128, 128, 0.3); }
.mlfs-preview th { font-weight: 600; vertical-align: top; }
.mlfs-preview th i { font-weight: 400; }
.mlfs-preview .label { background: rgba(0, 114, 178, 0.25); }
.mlfs-preview .unused { opacity: 0.75; }
.mlfs-preview td.unused { text-decoration: line-through; }
@media (max-width: 640px) { .mlfs-preview .wide { display: none; } }
</style>"""

# The readers' advice to programs: in the app the limits stand, and variables are chosen.
_FOR_PROGRAMS = re.compile(r", or (raise max_\w+|give the format)")
_OF_PROGRAMS, _CHOOSE = "name both by the option variables.", "choose both above."
_RENAME, _BRING = "its format is not known; name it ", "its format is not known; bring a file of one of these: "

_ROUND, _ASKED, _REFUSED, _LOOK = "upload-round", "upload-asked", "upload-refused", "upload-look"


def offer() -> None:
    """The uploader; for files in it a preview, which columns are labels, and the button. Then what was uploaded."""
    st.subheader("Upload your own data", anchor=False, help=FORMATS)
    choose_files()
    check_files()
    if kept := data.uploads():
        with st.expander(f"Your uploads ({len(kept)})"):
            st.caption(PRIVACY)
            for name, explorer in kept.items():
                with st.container(horizontal=True, vertical_alignment="center"):
                    st.text(explorer.ds.name, width="content")
                    st.button("Remove", key=f"remove-{name}", on_click=remove, args=(name,), width="content")


def choose_files() -> None:
    """Where files are dropped."""
    st.file_uploader(
        "All files of one data set", accept_multiple_files=True, key=_uploader(), label_visibility="collapsed"
    )


def check_files(use: str = "Use these files") -> None:
    """For files that were dropped a preview, which columns are labels, and the button that takes them, so named."""
    if pending():
        with st.container(border=True):
            _offer_files(st.session_state[_uploader()], use)


def pending() -> bool:
    """Whether there are files that have not been taken yet."""
    return bool(st.session_state.get(_uploader()))


def explore_settings(name: str) -> dict[str, str]:
    """How Explore opens a set; who brings a table asks which features to keep: a method that answers well by itself."""
    there = link.current().address_of("Explore") | {"data": name}
    if data.is_upload(name):
        there.setdefault("method", SHORTLIST[0])
    return there


def _offer_files(given: Sequence[UploadedFile], use: str) -> None:
    ids = [file.file_id for file in given]
    kept = _looked_into(ids, given)
    how = _choose_sheet(kept.sheets, "-".join(ids)) | _choose_arrays(kept.variables, "-".join(ids))
    look = _looked_at(kept, given, how)
    if isinstance(look, str):
        say = st.info if look.endswith(_CHOOSE) else st.error
        say(literal(look))
        return
    if look.problem is not None:
        st.info(literal(look.problem))
    for note in look.notes:
        st.caption(literal(note))
    # Where the labels are a variable of their own, no column is to be told from others.
    labels, decided = (None, True) if kept.variables and look.declared else _choose_labels(look, "-".join(ids))
    show_preview(look, look.chosen(labels) if decided else [])
    options = {**how, "labels": labels} if how else labels
    st.button(use, type="primary", on_click=_ask, args=(options,), disabled=not decided)
    st.caption(PRIVACY)
    refused = st.session_state.get(_REFUSED)
    if refused and refused[0] == ids:
        st.error(literal(refused[1]))


def _choose_sheet(sheets: Sequence[str], files: str) -> dict[str, Any]:
    """Which sheet of an Excel file, where there are several; nothing where it is the first."""
    if len(sheets) < 2:
        return {}
    sheet = st.selectbox("Sheet", sheets, key=f"sheet-{files}")
    return {} if sheet == sheets[0] else {"sheet": sheet}


def _choose_arrays(variables: Mapping[str, tuple[int, int]], files: str) -> dict[str, Any]:
    """Which variables of a MATLAB or NumPy file are features and labels; nothing where the names and sides decide."""
    if not variables:
        return {}
    sides = {name: f"{name} ({rows} × {columns})" for name, (rows, columns) in variables.items()}

    def choose(label: str, options: Sequence[str], place: Any, names: Mapping[str, str], help: str) -> str | None:
        key = f"{label.lower()}-{files}"
        return place.selectbox(
            label, options, index=None, key=key, format_func=names.get, placeholder=AS_FILES_SAY, help=help
        )

    left, middle, right = st.columns(3)
    features = choose("Features", list(variables), left, sides, "The variable with the features.")
    labels = choose("Labels", list(variables), middle, sides, "The variable with the labels.")
    transposed = choose("Instances", TRANSPOSED, right, INSTANCES, "Whether an instance is a row or a column.")
    if (features is None) != (labels is None):
        st.info("Choose both variables, features and labels, or neither.")
    named = [features, labels] if features is not None and labels is not None else None
    return {name: value for name, value in {"variables": named, "transposed": transposed}.items() if value is not None}


@dataclass
class _Look:
    """What was seen of files, kept until there are others.

    Attributes
    ----------
    ids : of the uploaded files
    variables : of a MATLAB or NumPy file, with their sides
    sheets : of an Excel file
    seen : the last preview, or the sentence why there is none, with what the readers were told
    """

    ids: list[str]
    variables: dict[str, tuple[int, int]] = field(default_factory=dict)
    sheets: list[str] = field(default_factory=list)
    seen: tuple[dict[str, Any], TablePreview | str] | None = None


def _looked_into(ids: list[str], given: Sequence[UploadedFile]) -> _Look:
    kept = st.session_state.get(_LOOK)
    if kept is None or kept.ids != ids:
        kept = st.session_state[_LOOK] = _Look(ids)
        with suppress(MlfsError):  # the preview says what is wrong
            contents = _contents(given)
            kept.variables = variables_to_choose_from(contents, LIMITS)
            kept.sheets = sheets_to_choose_from(contents, LIMITS)
    return kept


def _looked_at(kept: _Look, given: Sequence[UploadedFile], how: dict[str, Any]) -> TablePreview | str:
    """The preview of files; a sentence where they cannot be read."""
    if kept.seen is None or kept.seen[0] != how:
        look: TablePreview | str
        try:
            with st.spinner("Looking at the files"):
                look = preview_files(_contents(given), limits=LIMITS, **how)
        except MlfsError as problem:
            look = _for_people(problem)
        kept.seen = (how, look)
    return kept.seen[1]


def take() -> str | None:
    """Read what the button asked for; call it before the choice of a data set is drawn. Its name in the link."""
    if _ASKED not in st.session_state:
        return None
    labels = st.session_state.pop(_ASKED)
    given = st.session_state.get(_uploader()) or []
    try:
        with st.spinner("Reading the files"):
            name = accept(_contents(given), labels)
    except MlfsError as problem:
        st.session_state[_REFUSED] = ([file.file_id for file in given], _for_people(problem))
        return None
    for key in (_REFUSED, _LOOK):
        st.session_state.pop(key, None)
    st.session_state["data"] = name
    st.session_state[_ROUND] += 1  # another key: the uploader is empty again, and its files are let go
    return name


def accept(files: Mapping[str, bytes], labels: Labels = None) -> str:
    """Read the files and keep the set for this browser; returns its name in the link."""
    ds = read_files(files, limits=LIMITS, **reading_options(labels))
    name = data.upload_name(ds)
    if name not in data.uploads():
        _refuse_too_much(ds)
        owners.UPLOADS.keep(owners.viewer(), name, Upload(Explorer(ds), labels, _bytes(ds)))
    return name


def _for_people(problem: MlfsError) -> str:
    """What is wrong with files, with advice that can be followed on the page."""
    return _FOR_PROGRAMS.sub("", str(problem)).replace(_OF_PROGRAMS, _CHOOSE).replace(_RENAME, _BRING)


def _contents(given: Sequence[UploadedFile]) -> dict[str, bytes]:
    """The files by name; what is wrong with them before they are opened ends in a sentence."""
    if not given:
        raise DatasetError("No file has arrived: choose the files again.")
    if len({file.name for file in given}) < len(given):
        raise DatasetError("Two of the files have the same name: rename one, or leave it out.")
    if sum(file.size for file in given) > LIMITS.max_bytes:
        raise DatasetError(f"The files have more than {LIMITS.max_bytes // MEGABYTE} MB together: pack them as a zip.")
    return {file.name: file.getvalue() for file in given}


def remove(name: str) -> None:
    """Forget an upload; where it was shown, the first bundled set is shown instead."""
    owners.UPLOADS.remove(owners.viewer(), name)
    if st.session_state.get("data") == name:
        st.session_state["data"] = bundled_names()[0]


def labels_of_uploads() -> dict[str, Labels]:
    """What the reader had to be told about the labels of each upload, for the recipe."""
    return {name: upload.labels for name, upload in owners.UPLOADS.of(owners.viewer()).items()}


def recipe_options(name: str) -> dict[str, Any]:
    """What a recipe has to know about a data set beside its name: whether it is an upload, and which labels it has."""
    return {"uploaded": data.is_upload(name), "labels": labels_of_uploads().get(name)}


def _refuse_too_much(ds: Dataset) -> None:
    size, kept = _bytes(ds), owners.UPLOADS.of(owners.viewer()).values()
    if len(kept) >= MOST_SETS:
        raise DatasetError(
            f"The server keeps {MOST_SETS} uploaded sets for you at most: remove one first, on the Data page."
        )
    if sum(upload.size for upload in kept) + size > MOST_BYTES:
        raise DatasetError(
            f"With {ds.name} your uploads would take more than {MOST_BYTES // MEGABYTE} MB: "
            "remove one first, or upload a part of the rows."
        )
    owners.UPLOADS.make_room(EVERYBODYS_BYTES - size)
    if owners.UPLOADS.total() + size > EVERYBODYS_BYTES:
        raise DatasetError(
            f"The uploads of all visitors fill the {EVERYBODYS_BYTES // MEGABYTE} MB that this server keeps for them: "
            "try again when some have left, or upload a part of the rows."
        )


def _bytes(ds: Dataset) -> int:
    X = ds.X
    features = X.data.nbytes + X.indices.nbytes + X.indptr.nbytes if sparse.issparse(X) else X.nbytes
    return int(features + ds.Y.nbytes)


def _uploader() -> str:
    return f"upload-files-{st.session_state.setdefault(_ROUND, 0)}"


def _ask(labels: Labels) -> None:
    st.session_state[_ASKED] = labels


def _choose_labels(look: TablePreview, files: str) -> tuple[Labels, bool]:
    """Which columns are labels, and whether that is decided: by the files, by the proposal, or by the person."""
    proposal = look.proposal
    ways = [LAST, FIRST, BY_NAME]
    names = {}
    if look.declared is not None:
        ways.insert(0, AS_FILES_SAY)
    elif proposal is not None:
        ways.insert(0, PROPOSED)
        names[PROPOSED] = f"{_in_words(proposal.labels)} (proposed)"
    way = st.radio(
        "Which columns are labels?",
        ways,
        index=0 if len(ways) > 3 else None,
        key=f"labels-way-{files}",
        format_func=lambda each: names.get(each, each),
        horizontal=True,
    )
    if way is None:
        st.info("Nothing in this table shows which columns are labels: please choose them above.")
        return None, False
    if way == AS_FILES_SAY:
        return None, True
    if way == PROPOSED and proposal is not None:
        st.markdown(f"**{CERTAINTIES[proposal.certainty]}** {literal(proposal.reason)}")
        return proposal.labels, True
    if way == BY_NAME:
        picked = _by_name(look.names, files)
        return picked, bool(picked)
    d = len(look.names)
    guess = len(look.declared or (proposal.columns if proposal is not None else [])) or 1
    n = int(st.number_input("Number of labels", 1, max(d - 1, 1), guess, key=f"labels-{way}-{files}"))
    return -n if way == LAST else n, True


def _in_words(labels: int | list[str]) -> str:
    """
    >>> _in_words(-4), _in_words(1), _in_words(["a", "b"])
    ('the last 4 columns', 'the first column', 'a, b')
    """
    if isinstance(labels, list):
        return listing(labels, 4)
    end = "last" if labels < 0 else "first"
    return f"the {end} column" if abs(labels) == 1 else f"the {end} {abs(labels)} columns"


def _by_name(columns: list[str], files: str) -> list[str]:
    if len(columns) <= PICKED_BY_NAME:
        return st.multiselect("Label columns", list(dict.fromkeys(columns)), key=f"labels-picked-{files}")
    typed = st.text_input("Label columns, separated by commas", key=f"labels-typed-{files}")
    return [name.strip() for name in typed.split(",") if name.strip()]


def show_preview(look: TablePreview, labels: Sequence[int]) -> None:
    """The first rows, with the labels coloured."""
    rows = f"{look.n_rows:,} rows" if look.is_whole else f"the first {look.n_rows:,} rows"
    features = len(look.names) - len({*labels, *look.row_ids})
    said = f"**{count(len(labels), 'label')}** and **{count(features, 'feature')}** in {rows}"
    names = literal(listing([look.names[j] for j in labels], 8))
    st.markdown(f"{said}. Labels: {names}." if labels else f"{count(len(look.names), 'column')} in {rows}.")
    st.html(preview_table(look, labels))


def preview_table(look: TablePreview, labels: Sequence[int]) -> str:
    """The first rows as HTML; what is said by colour is said in words, too."""
    head, body = [], [[] for _ in look.first_cells(0)]
    features = 0
    for j in look.excerpt(labels, SHOWN_FEATURES, SHOWN_LABELS):
        kind, tag = "", ""
        if j in labels:
            kind, tag = "label", "label"
        elif j in look.row_ids:
            kind, tag = "unused", "not used"
        elif j is not None:
            features += 1
            kind = "wide" if features > NARROW_FEATURES else ""
        head.append(
            f'<th class="{kind}">{"…" if j is None else escape(_shortened(look.names[j]))}<br><i>{tag}</i></th>'
        )
        cells = ["…"] * len(body) if j is None else look.first_cells(j)
        for row, cell in zip(body, cells, strict=True):
            row.append(f'<td class="{kind}">{escape(_shortened(cell)) or "–"}</td>')
    lines = "".join(f"<tr>{''.join(row)}</tr>" for row in body)
    table = f"<table><thead><tr>{''.join(head)}</tr></thead><tbody>{lines}</tbody></table>"
    return f'{PREVIEW_STYLE}<div class="mlfs-preview">{table}</div>'


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_CELL else f"{text[: LONGEST_CELL - 1]}…"
