"""Which files make up a data set: decided from their names alone, so that listing a folder costs nothing.

``emotions-train.arff.xz`` + ``emotions-test.arff.xz`` + ``emotions.xml`` are one data set called emotions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from mlfs.datasets.readers.files import without_compression

_FORMATS = {
    ".arff": "arff",
    ".csv": "csv",
    ".tsv": "csv",
    ".libsvm": "libsvm",
    ".svmlight": "libsvm",
    ".svm": "libsvm",
}
_PART = re.compile(r"(?:(?P<stem>.*)[-_.])?(?P<part>train|test|tra|tst)", re.IGNORECASE | re.DOTALL)


@dataclass
class Group:
    """The files of one data set, by what they are for. Two for one purpose are an error, but the reader's to raise."""

    name: str
    format: str
    whole: list[str] = field(default_factory=list)
    train: list[str] = field(default_factory=list)
    test: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)

    @property
    def is_pair(self) -> bool:
        return bool(self.train and self.test)

    @property
    def parts(self) -> list[str]:
        """The files with the rows, in order: the pair goes before a whole file, which holds the same rows again."""
        if self.is_pair:
            return self.train + self.test
        return self.whole or self.train or self.test

    @property
    def files(self) -> list[str]:
        return self.parts + self.labels


def group_files(names: Iterable[str], *, share_labels: bool = True) -> list[Group]:
    """Sort file names (with "/" between folders) into data sets; names that are neither data nor labels are skipped.

    With `share_labels`, the only XML of a folder belongs to the only data set in it, whatever its name.

    >>> group_files(["emotions-train.arff", "emotions-test.arff", "emotions.xml", "readme.txt"])[0].files
    ['emotions-train.arff', 'emotions-test.arff', 'emotions.xml']
    """
    groups: dict[tuple[str, str, str], Group] = {}
    xml: dict[str, dict[str, list[str]]] = {}  # by folder and base, in small letters
    for name in sorted(names):
        folder, base = _folder_and_base(name)
        format = format_of(name)
        if is_labels(name):
            xml.setdefault(folder, {}).setdefault(base.lower(), []).append(name)
        if format is None:
            continue
        stem, part = _stem_and_part(base)
        group = groups.setdefault((folder, stem, format), Group(stem, format))
        purpose = {"tr": group.train, "te": group.test, "ts": group.test}.get(part[:2], group.whole)
        purpose.append(name)
    n_groups = Counter(folder for folder, _, _ in groups)
    for (folder, stem, format), group in groups.items():
        if not group.is_pair:
            group.name = _folder_and_base(group.parts[0])[1]
        elif not stem:
            group.name = PurePosixPath(folder).name or "data"
        if format == "libsvm":  # its labels stand in the rows
            continue
        nearby = xml.get(folder, {})
        group.labels = nearby.get(group.name.lower()) or nearby.get(stem.lower()) or []
        if share_labels and not group.labels and n_groups[folder] == len(nearby) == 1:
            [group.labels] = nearby.values()
    return list(groups.values())


def format_of(name: str) -> str | None:
    """The format that the name promises.

    >>> format_of("a/emotions.arff.gz"), format_of("a/readme.txt")
    ('arff', None)
    """
    return _FORMATS.get(PurePosixPath(without_compression(name)).suffix.lower())


def is_data_or_labels(name: str) -> bool:
    return format_of(name) is not None or is_labels(name)


def is_labels(name: str) -> bool:
    return without_compression(name).lower().endswith(".xml")


def _folder_and_base(name: str) -> tuple[str, str]:
    path = PurePosixPath(without_compression(name))
    return str(path.parent), path.stem


def _stem_and_part(base: str) -> tuple[str, str]:
    match = _PART.fullmatch(base)
    return (match["stem"] or "", match["part"].lower()) if match else (base, "")
