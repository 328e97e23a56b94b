"""Which files make up a data set: in a folder, around a path, in a zip. Decided from names alone, at no cost.

``emotions-train.arff.xz`` + ``emotions-test.arff.xz`` + ``emotions.xml`` are one data set called emotions.
"""

from __future__ import annotations

import os
import re
import stat
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath

from mlfs.checks import checked
from mlfs.datasets.formats.errors import Limits, excerpt, file_error
from mlfs.datasets.formats.input_files import DAMAGE, InputFile, without_compression
from mlfs.datasets.formats.registry import FORMATS, format_of
from mlfs.errors import DatasetError, did_you_mean

_PART = re.compile(r"(?:(?P<stem>.*)[-_.])?(?P<part>train|test|tra|tst)", re.IGNORECASE | re.DOTALL)
_LABEL_TABLE = re.compile(r"(?P<base>.+)[-_.]labels?", re.IGNORECASE | re.DOTALL)
_MAX_DEPTH = 3  # of folders below the one that is searched


@dataclass
class FileGroup:
    """The files of one data set, by what they are for. Two for one purpose are an error, but the reader's to raise."""

    name: str
    format: str
    whole: list[str] = field(default_factory=list)
    train: list[str] = field(default_factory=list)
    test: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    label_tables: dict[str, str] = field(default_factory=dict)  # by the file with the features of the same rows

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
        parts = self.parts
        return parts + [self.label_tables[name] for name in parts if name in self.label_tables] + self.labels


def group_files(names: Iterable[str], *, share_labels: bool = True) -> list[FileGroup]:
    """Sort file names (with "/" between folders) into data sets; names that are neither data nor labels are skipped.

    With `share_labels`, the only XML of a folder belongs to the only data set in it, whatever its name. A table called
    ``train_labels.csv`` holds the labels of the rows of ``train.csv``.

    >>> group_files(["emotions-train.arff", "emotions-test.arff", "emotions.xml", "readme.txt"])[0].files
    ['emotions-train.arff', 'emotions-test.arff', 'emotions.xml']
    """
    groups: dict[tuple[str, str, str], FileGroup] = {}
    xml: dict[str, dict[str, list[str]]] = {}  # by folder and base, in small letters
    names = sorted(names)
    label_tables = _label_tables(names)
    for name in names:
        folder, base = _folder_and_base(name)
        format = format_of(name)
        if is_labels(name):
            xml.setdefault(folder, {}).setdefault(base.lower(), []).append(name)
        if format is None or name in label_tables.values():
            continue
        stem, part = _stem_and_part(base)
        group = groups.setdefault((folder, stem, format), FileGroup(stem, format))
        purpose = {"tr": group.train, "te": group.test, "ts": group.test}.get(part[:2], group.whole)
        purpose.append(name)
        if name in label_tables:
            group.label_tables[name] = label_tables[name]
    n_groups = Counter(folder for folder, _, _ in groups)
    for (folder, stem, format), group in groups.items():
        if not group.is_pair:
            group.name = _folder_and_base(group.parts[0])[1]
        elif not stem:
            group.name = PurePosixPath(folder).name or "data"
        if not FORMATS[format].takes_xml or group.label_tables:  # the labels are known
            continue
        nearby = xml.get(folder, {})
        group.labels = nearby.get(group.name.lower()) or nearby.get(stem.lower()) or []
        if share_labels and not group.labels and n_groups[folder] == len(nearby) == 1:
            [group.labels] = nearby.values()
    return list(groups.values())


def files_at(path: Path) -> dict[str, InputFile]:
    """The files a path stands for: a file and its XML, a folder's files, or those of a stem such as ``emotions``."""
    if path.is_dir():
        names = _names_in(path)
    elif path.exists() and not is_labels(path.name):
        # Of the files around it, a file needs the XML, but only its own.
        xml = [name for name in _names_in(path.parent) if is_labels(name)]
        groups = group_files([path.as_posix(), *xml], share_labels=False)
        names = groups[0].files if groups else [path.as_posix()]
    else:
        names = _names_of_stem(path.parent, path.stem if is_labels(path.name) else path.name)
    return {name: InputFile.from_path(Path(name)) for name in names}


@checked
def find_datasets(folder: str | os.PathLike[str]) -> dict[str, tuple[Path, ...]]:
    """The data sets in a folder and the folders in it: for each name the files, as `read_dataset` takes them.

    Only names are looked at, so this is quick and promises nothing about the content. Where two data sets have the
    same name, each is called by its file instead; but a name that one text file has stays with it.

    Parameters
    ----------
    folder : path

    Returns
    -------
    dict of str to tuple of paths

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> for name in ("garden-train.arff", "garden-test.arff", "garden.xml"):
    ...     _ = Path(folder.name, name).write_text("")
    >>> [path.name for path in find_datasets(folder.name)["garden"]]
    ['garden-train.arff', 'garden-test.arff', 'garden.xml']
    >>> folder.cleanup()
    """
    root = Path(folder)
    if not root.is_dir():
        raise DatasetError(f"There is no folder {root}: check the path.")
    names: list[str] = []
    for here, folders, files in os.walk(root):
        depth = len(Path(here).relative_to(root).parts)
        folders[:] = sorted(name for name in folders if not name.startswith(".")) if depth < _MAX_DEPTH else []
        names += [Path(here, name).as_posix() for name in files if not name.startswith(".")]
    groups = group_files(names)
    texts = [(group.name, group.files) for group in groups if _is_text(group.format)]
    texts += [(Path(name).stem, [name]) for name in sorted(names) if name.lower().endswith(".zip")]
    others = [(group.name, group.files) for group in groups if not _is_text(group.format)]
    uses, uses_of_all = Counter(name for name, _ in texts), Counter(name for name, _ in [*texts, *others])
    datasets = {}
    for sets, counts in ((texts, uses), (others, uses_of_all)):
        for name, files in sets:
            called = name if counts[name] == 1 else Path(files[0]).relative_to(root).as_posix()
            datasets[called] = tuple(map(Path, files))
    return datasets


def _is_text(format: str) -> bool:
    return FORMATS[format].first_line is not None and not FORMATS[format].shared_suffix


@contextmanager
def files_in_zip(archive: InputFile, limits: Limits) -> Iterator[dict[str, InputFile]]:
    """The data and label files of a zip by their path in it, read in place while the context lasts.

    Nothing is unpacked to disk, and tricks with names are refused.
    """
    with archive.open() as stored:
        try:
            opened = zipfile.ZipFile(stored)
        except DAMAGE as error:
            raise file_error(
                archive.name, None, f"not a valid zip file ({error}); download or zip it again."
            ) from error
        with opened:
            members = [member for member in opened.infolist() if not member.filename.endswith("/")]
            _refuse_tricks(archive, members)
            wanted = [member for member in members if _is_wanted(member.filename)]
            inner = [member.filename for member in members if member.filename.lower().endswith(".zip")]
            if inner and not wanted:
                sentence = f"it holds another zip, {excerpt(inner[0])}; unpack it, and give the zip that was in it."
                raise file_error(archive.name, None, sentence)
            _refuse_damage(archive, opened, [member for member in members if not _is_wanted(member.filename)])
            if sum(member.file_size for member in wanted) > limits.max_bytes:
                remedy = "use fewer rows, or raise max_bytes."
                raise file_error(archive.name, None, f"unpacks to more than {limits.max_bytes:,} bytes; {remedy}")
            yield {
                member.filename: InputFile(f"{archive.name}/{member.filename}", partial(opened.open, member))
                for member in wanted
            }


def is_data_or_labels(name: str) -> bool:
    return format_of(name) is not None or is_labels(name)


def is_labels(name: str) -> bool:
    return without_compression(name).lower().endswith(".xml")


def _label_tables(names: list[str]) -> dict[str, str]:
    """The tables of labels among the files, each by the file whose rows it labels.

    >>> _label_tables(["a/test.csv", "a/test_labels.csv", "a/train.csv", "my_labels.csv"])
    {'a/test.csv': 'a/test_labels.csv'}
    """
    tables = {}
    for name in names:
        format = format_of(name)
        if format is not None and FORMATS[format].is_table:
            folder, base = _folder_and_base(name)
            tables[folder, base.lower(), format] = name
    labels_of = {}
    for (folder, base, format), name in tables.items():
        match = _LABEL_TABLE.fullmatch(base)
        if match and (labelled := tables.get((folder, match["base"], format))):
            labels_of[labelled] = name
    return labels_of


def _folder_and_base(name: str) -> tuple[str, str]:
    path = PurePosixPath(without_compression(name))
    return str(path.parent), path.stem


def _stem_and_part(base: str) -> tuple[str, str]:
    match = _PART.fullmatch(base)
    return (match["stem"] or "", match["part"].lower()) if match else (base, "")


def _names_in(folder: Path) -> list[str]:
    return [path.as_posix() for path in sorted(folder.iterdir()) if not path.name.startswith(".") and path.is_file()]


def _names_of_stem(folder: Path, stem: str) -> list[str]:
    groups = group_files(_names_in(folder)) if folder.is_dir() else []
    names = [name for group in groups if group.name == stem for name in group.files]
    if not names:
        known = sorted({group.name for group in groups})
        hint = did_you_mean(stem, known) if 0 < len(known) <= 20 else "check the path."
        raise DatasetError(f"There is no data set {folder / stem}: {hint}")
    return names


def _refuse_tricks(archive: InputFile, members: list[zipfile.ZipInfo]) -> None:
    uses = Counter(member.filename for member in members)
    for member in members:
        path = PurePosixPath(member.filename.replace("\\", "/"))
        trick = None
        if path.is_absolute() or ".." in path.parts or ":" in member.filename:
            trick = "a path that leads out of the archive"
        elif stat.S_ISLNK(member.external_attr >> 16):
            trick = "a link"
        elif member.flag_bits & 0x1:
            trick = "encrypted"
        elif uses[member.filename] > 1:
            trick = "there twice"
        if trick:
            sentence = f"the member {excerpt(member.filename)} is {trick}; pack the plain data files again."
            raise file_error(archive.name, None, sentence)


def _refuse_damage(archive: InputFile, opened: zipfile.ZipFile, others: list[zipfile.ZipInfo]) -> None:
    """A zip has each name twice; where one is damaged, a data file may seem to be among what is not data."""
    for member in others:
        try:
            opened.open(member).close()
        except NotImplementedError:  # packed in a way that Python lacks
            continue
        except DAMAGE as error:
            raise file_error(archive.name, None, "damaged or cut off; download or zip it again.") from error


def _is_wanted(name: str) -> bool:
    # Hidden files, and the shadows that macOS adds to a zip, are nobody's data.
    is_clutter = any(part.startswith((".", "__MACOSX")) for part in PurePosixPath(name).parts)
    return is_data_or_labels(name) and not is_clutter
