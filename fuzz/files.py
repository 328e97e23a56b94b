"""Files of every format, odd or damaged: read as they were written, with a word on what changed, or refused."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from scipy import sparse

from fuzz.mutations import damaged
from fuzz.references import REFERENCES, several_csv, unexplained
from fuzz.writers import STEMS, WRITERS, Written, called, packed
from mlfs.datasets import Dataset, Limits, read_files
from mlfs.datasets.formats import preview_files
from mlfs.errors import DatasetError

LIMITS = Limits(max_bytes=200_000, max_rows=1000, max_features=2000, max_labels=500, max_cells=50_000)
#: MiB that reading any of these may add to the process.
MOST_MIB = 200
LONGEST_SENTENCE = 400


@dataclass
class Case:
    """Files to be read, and what they must say."""

    title: str
    written: Written
    original: Written | None = None  # what they were before they were damaged
    stem: str = "toy"


def make(seed: int) -> Case:
    """The files of a seed: every fourth as they were written, the others damaged, a few bombs."""
    rng = np.random.default_rng(seed)
    if seed % 200 == 1:
        return Case("bomb", _bomb(str(rng.choice(list(BOMBS)))))
    name, written = _written(seed // 4)
    stem = STEMS[rng.integers(len(STEMS))]
    if seed % 4 == 0:
        return Case(name, written, stem=stem)
    files = dict(written.files)
    victim = list(files)[rng.integers(len(files))]
    files[victim] = damaged(files[victim], rng)
    # A damaged file must not claim what it was: its own reference says what it is now.
    return Case(f"damaged {name}", Written(files, written.options, None, written.names, written.sealed), written, stem)


@lru_cache(maxsize=1)
def _written(number: int) -> tuple[str, Written]:
    """The files that four seeds in a row are made of: to write them takes longer than to read them."""
    rng = np.random.default_rng(number)
    name = str(rng.choice(list(WRITERS)))
    written = WRITERS[name](rng)
    return (f"packed {name}", packed(written, rng)) if rng.random() < 0.3 else (name, written)


@cache
def _bomb(name: str) -> Written:
    return Written(*BOMBS[name]())


def check(seed: int) -> str | None:
    """What is wrong with the reading of a seed's files; None where nothing is."""
    case = make(seed)
    problem = _check(case)
    return None if problem is None else f"{case.title}: {problem}"


def _check(case: Case) -> str | None:
    written = case.written
    files = called(case.stem, written.files)
    try:
        preview_files(files, limits=LIMITS)
    except DatasetError as refusal:
        if problem := _sentence(refusal):
            return problem
    try:
        ds = read_files(files, limits=LIMITS, **written.options)
    except DatasetError as refusal:
        return _sentence(refusal) or (None if written.table is None else _refused(written, refusal))
    if problem := unsound(ds):
        return problem
    if written.table is not None:
        return unexplained(written.table, ds, names=written.names)
    if case.original is not None and case.original.sealed and not _holds_streams(written):
        return _same_as_before(case, ds)
    return _against_reference(written, ds)


def _sentence(refusal: DatasetError) -> str | None:
    said = str(refusal)
    if not said.isprintable() or not said.endswith((".", "?")) or len(said) > LONGEST_SENTENCE:
        return f"no sentence: {said!r}"
    return "it took all the memory" if "does not fit into memory" in said else None


def _refused(written: Written, refusal: DatasetError) -> str | None:
    """A sound file may be refused only for what a reader cannot know, or mlfs says it does not take."""
    said = str(refusal)
    table = written.table
    assert table is not None
    if "no column is left as a feature" in said or "no row has a label" in said:
        return None
    names = [column.name.strip() for column in table.columns]
    if len(set(names)) < len(names) or any(not name for name in names):
        return None
    if "which holds numbers" in said:  # a word that reads as a number, among numbers
        return None
    sides = [[column.name for column in side] for side in (table.features, table.labels)]
    if "of labels for the" in said and any(all(map(_reads_as_number, names)) for names in sides):
        return None  # a header that reads as a row, in one of two tables
    return f"refused: {said}"


def _reads_as_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def unsound(ds: Dataset) -> str | None:
    """What a data set must never be."""
    n, d = ds.X.shape
    X = ds.X.toarray() if sparse.issparse(ds.X) else ds.X
    if min(n, d, ds.Y.shape[1]) == 0 or len(ds.Y) != n:
        return f"sizes {ds.X.shape} and {ds.Y.shape}"
    if not np.isfinite(X).all() or not np.isin(ds.Y, (0, 1)).all():
        return "values that are no numbers"
    if len(set(ds.feature_names)) < d or len(set(ds.label_names)) < ds.Y.shape[1]:
        return "names that occur twice"
    if any(not set(X[:, j]) <= set(range(len(words))) for j, words in ds.categories.items()):
        return "codes without a category"
    if ds.split is not None and sorted(np.concatenate(ds.split)) != list(range(n)):
        return "a split of other rows"
    if not ds.name.isprintable():
        return f"a name that is not in one line: {ds.name!r}"
    sentences = all(note.endswith(".") and note.isprintable() for note in ds.notes)
    return None if sentences else "notes that are no sentences"


def _holds_streams(written: Written) -> bool:
    """Whether streams in a row, each sound, may have been doubled or lost: nobody could tell."""
    return written.first.endswith((".gz", ".bz2", ".xz"))


def _same_as_before(case: Case, ds: Dataset) -> str | None:
    """A checksum covers the content: where damage was not noticed, there must be none."""
    assert case.original is not None
    try:
        before = read_files(called(case.stem, case.original.files), limits=LIMITS, **case.original.options)
    except DatasetError:
        return None
    same = ds.X.shape == before.X.shape and (sparse.csr_matrix(ds.X) != sparse.csr_matrix(before.X)).nnz == 0
    same = same and np.array_equal(ds.Y, before.Y)
    if same or set(ds.notes) - set(before.notes):
        return None
    return (
        f"damage went unnoticed: {before.X.shape} with {before.Y.shape[1]} labels became {ds.X.shape}, {ds.Y.shape[1]}"
    )


def _against_reference(written: Written, ds: Dataset) -> str | None:
    labels = -written.options.get("labels", 0)
    if len(written.files) > 1 and all(name.endswith(".csv") for name in written.files):
        table = several_csv(written.files, labels)
    elif reference := REFERENCES.get(written.first):
        table = reference(written.files[written.first], labels)
    else:
        return None
    return None if table is None else unexplained(table, ds, names=written.names)


# Small files that unpack to large ones, or promise much.


def _gz() -> tuple[dict[str, bytes], dict[str, int]]:
    return {"toy.csv.gz": gzip.compress(b"a,b\n" + b"0,1\n" * 10_000_000, 9)}, {"labels": -1}


def _zip() -> tuple[dict[str, bytes], dict[str, int]]:
    with zipfile.ZipFile(buffer := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(100):
            archive.writestr(f"toy{number}.csv", b"a,b\n" + b"0,1\n" * 100_000)
    return {"toy.zip": buffer.getvalue()}, {"labels": -1}


def _nested_zip() -> tuple[dict[str, bytes], dict[str, int]]:
    content = _zip()[0]["toy.zip"]
    for _ in range(5):
        with zipfile.ZipFile(buffer := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("toy.zip", content)
        content = buffer.getvalue()
    return {"toy.zip": content}, {}


def _xml() -> tuple[dict[str, bytes], dict[str, int]]:
    entities = "".join(f'<!ENTITY e{k} "{f"&e{k - 1};" * 10 if k else "lol"}">' for k in range(10))
    xml = f'<?xml version="1.0"?><!DOCTYPE labels [{entities}]><labels><label name="&e9;"/></labels>'
    return {
        "toy.arff": b"@relation t\n@attribute x numeric\n@attribute a {0,1}\n@data\n1,0\n",
        "toy.xml": xml.encode(),
    }, {}


def _npz() -> tuple[dict[str, bytes], dict[str, int]]:
    head = (
        b"\x93NUMPY\x01\x00v\x00"
        + b"{'descr': '<f8', 'fortran_order': False, 'shape': (99999999, 99999999), }".ljust(117)
        + b"\n"
    )
    with zipfile.ZipFile(buffer := io.BytesIO(), "w") as archive:
        for name in "XY":
            archive.writestr(f"{name}.npy", head)
    return {"toy.npz": buffer.getvalue()}, {}


def _quotes() -> tuple[dict[str, bytes], dict[str, int]]:
    return {"toy.csv": b'a,b\n"' + b'""' * 90_000 + b'",1\n'}, {"labels": -1}


def _wide() -> tuple[dict[str, bytes], dict[str, int]]:
    return {"toy.libsvm": b"1 999999999:1\n" * 10_000}, {}


def _labels() -> tuple[dict[str, bytes], dict[str, int]]:
    return {"toy.libsvm": b"999999 999999 999999\n1 1:1\n"}, {}


def _xlsx() -> tuple[dict[str, bytes], dict[str, int]]:
    with zipfile.ZipFile(buffer := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/sharedStrings.xml", b"<si><t>" + b"a" * 60_000_000)
        archive.writestr("[Content_Types].xml", b"<Types/>")
    return {"toy.xlsx": buffer.getvalue()}, {"labels": -1}


BOMBS: dict[str, Callable[[], tuple[dict[str, bytes], dict[str, int]]]] = {
    "gz": _gz,
    "zip": _zip,
    "nested zip": _nested_zip,
    "xml": _xml,
    "npz": _npz,
    "quotes": _quotes,
    "wide": _wide,
    "labels": _labels,
    "xlsx": _xlsx,
}
