"""Reading: from a path, or from uploaded files, to a Dataset."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, Any

from mlfs.checks import checked, described
from mlfs.datasets.dataset import Dataset
from mlfs.datasets.formats import arrays
from mlfs.datasets.formats.build import build_dataset, checked_labels
from mlfs.datasets.formats.errors import DEFAULT_LIMITS, Limits, file_error, listing, shown_file
from mlfs.datasets.formats.file_groups import FileGroup, files_at, files_in_zip, group_files, is_labels
from mlfs.datasets.formats.input_files import InputFile
from mlfs.datasets.formats.mulan_xml import read_label_names
from mlfs.datasets.formats.parsed_table import ParsedTable, with_labels
from mlfs.datasets.formats.registry import FORMATS, Format, format_by_content, format_of, sniff_format, suffixes
from mlfs.errors import DatasetError, did_you_mean
from mlfs.terminal import printable


@partial(checked, but=["labels"])
def read_dataset(
    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    labels: Sequence[str] | int | None = None,
    name: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    format: str | None = None,
    variables: Sequence[str] | str | None = None,
    transposed: str | None = None,
    sheet: str | int | None = None,
) -> Dataset:
    """Read a data set from disk.

    Parameters
    ----------
    path : path or sequence of paths
        A data file (``emotions.arff``; ``emotions.xml`` is found beside it), the stem of a train/test pair
        (``emotions`` for ``emotions-train.arff`` and ``emotions-test.arff``), a folder or a zip with one data set,
        or the files of a data set one by one, as `find_datasets` gives them.
    labels : names, int or None
        The label columns: their names, or how many they are, n > 0 for the first n columns and n < 0 for the last
        (the sign of MEKA's ``-C``). A table such as CSV needs it, or an XML; elsewhere it goes before what the files
        say.
    name : str or None
        The name of the data set; where there are several, also which of them to read.
    limits : Limits
        Sizes beyond which a file is refused.
    format : a name of `FORMATS` or None
        Where the name of the file does not tell.
    variables : names or None
        For MATLAB and NumPy files, where their names do not tell: the variables with the features and the labels,
        and after them those of the test part; or one with both, whose labels `labels` counts.
    transposed : "none", "X", "Y", "XY" or None
        For the same files, where the sizes do not tell: which of features (X) and labels (Y) have an instance in each
        column. What was taken for what is in the notes.
    sheet : str, int or None
        For Excel files with several sheets, which to read: its name, or its number from 1; else it is the first.

    Returns
    -------
    Dataset

    Raises
    ------
    DatasetError
        Whatever is wrong; the message names the file, the line where there is one, and the remedy.

    Examples
    --------
    >>> from mlfs.datasets import data_folder
    >>> read_dataset(data_folder() / "emotions.csv.gz", labels=-6)
    <Dataset emotions: 593 instances, 72 features (dense), 6 labels>
    """
    paths = [Path(path)] if isinstance(path, str | os.PathLike) else [Path(each) for each in path]
    choice = _checked_choice(variables, transposed)
    source = ", ".join(map(str, paths))
    options = _Options(checked_labels(labels), name, limits, _checked_format(format), choice, source, sheet)
    with _only_dataset_errors():
        if len(paths) == 1:
            files = files_at(paths[0])
        else:
            files = {each.as_posix(): InputFile.from_path(each) for each in paths}
        return _read(files, options)


@partial(checked, but=["labels", "files"])
def read_files(
    files: Mapping[str, bytes | IO[bytes]],
    *,
    labels: Sequence[str] | int | None = None,
    name: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    format: str | None = None,
    variables: Sequence[str] | str | None = None,
    transposed: str | None = None,
    sheet: str | int | None = None,
) -> Dataset:
    """Read a data set from files in memory, such as uploads, by their names. Nothing is put on disk.

    Parameters
    ----------
    files : mapping of str to bytes or binary file
        The content of each file by its name.
    labels, name, limits, format, variables, transposed, sheet : as in `read_dataset`

    Returns
    -------
    Dataset

    Examples
    --------
    >>> read_files({"tiny.csv": b"height,weight,tall\\n1.9,80,1\\n1.5,60,0\\n"}, labels=["tall"])
    <Dataset tiny: 2 instances, 2 features (dense), 1 labels>
    """
    if not isinstance(files, Mapping) or not all(isinstance(name, str) for name in files):
        raise DatasetError(f"Files must be given by their names, as a mapping, not {described(files)}.")
    choice = _checked_choice(variables, transposed)
    source = ", ".join(files)
    options = _Options(checked_labels(labels), name, limits, _checked_format(format), choice, source, sheet)
    with _only_dataset_errors():
        return _read({name: InputFile.from_bytes(name, _bytes_of(file)) for name, file in files.items()}, options)


def variables_to_choose_from(files: Mapping[str, bytes], limits: Limits = DEFAULT_LIMITS) -> dict[str, tuple[int, int]]:
    """The tables that a person picks features and labels from, for uploads that hold named arrays.

    Parameters
    ----------
    files : mapping of str to bytes
        The content of each file by its name.
    limits : Limits

    Returns
    -------
    dict of str to (int, int)
        The sides of each table in the first MATLAB or NumPy file, by its name; none where there is no such file.

    Examples
    --------
    >>> import io, numpy as np
    >>> np.savez(file := io.BytesIO(), inputs=np.ones((5, 3)), answers=np.ones((5, 2)))
    >>> variables_to_choose_from({"tiny.npz": file.getvalue()})
    {'inputs': (5, 3), 'answers': (5, 2)}
    """
    for name in sorted(files):
        format = format_of(name)
        if format is not None and (read_arrays := FORMATS[format].arrays):
            stored = read_arrays(InputFile.from_bytes(name, files[name]), limits)
            return {name: (each.shape[0], each.shape[1]) for name, each in stored.items() if arrays.is_table(each)}
    return {}


def sheets_to_choose_from(files: Mapping[str, bytes], limits: Limits = DEFAULT_LIMITS) -> list[str]:
    """The sheets that a person picks one from, for uploads that hold several tables.

    Parameters
    ----------
    files : mapping of str to bytes
        The content of each file by its name.
    limits : Limits

    Returns
    -------
    list of str
        Those of the first Excel file, in their order; none where there is no such file.
    """
    for name in sorted(files):
        format = format_of(name)
        if format is not None and (sheets := FORMATS[format].sheets):
            return sheets(InputFile.from_bytes(name, files[name]), limits)
    return []


@dataclass(frozen=True)
class _Options:
    """What the caller wants, and what to call what they gave."""

    labels: list[str] | int | None
    name: str | None
    limits: Limits
    format: str | None
    choice: arrays.ArrayChoice | None
    source: str
    sheet: str | int | None = None
    part: Callable[[InputFile, str], InputFile] = lambda file, format: file
    finish: Callable[..., Any] = build_dataset


def _checked_format(format: str | None) -> str | None:
    if format is not None and format not in FORMATS:
        raise DatasetError(f"There is no format {format!r}: {did_you_mean(str(format), sorted(FORMATS))}")
    return format


def _checked_choice(variables: Sequence[str] | str | None, transposed: str | None) -> arrays.ArrayChoice | None:
    if variables is None and transposed is None:
        return None
    names = [variables] if isinstance(variables, str) else list(variables or ())
    if not all(isinstance(name, str) for name in names):
        raise DatasetError("The variables must be given as a list of their names.")
    return arrays.ArrayChoice(tuple(names), transposed)


def _bytes_of(file: bytes | IO[bytes]) -> bytes:
    if isinstance(file, bytes):
        return file
    if not hasattr(file, "seek"):
        raise DatasetError(f"Files must be given as bytes or open binary files, not {described(file)}.")
    file.seek(0)
    return file.read()


def _read(files: Mapping[str, InputFile], options: _Options) -> Any:
    groups = group_files(files)
    # A .dat beside data sets may be anything.
    groups = [group for group in groups if not FORMATS[group.format].shared_suffix] or groups
    if groups:
        return _read_group(_pick(groups, options), files, options)
    others = [name for name in files if not is_labels(name)]
    for name in others:
        files[name].refuse_by_name()
    if len(others) != 1:
        known = ", ".join(suffixes())
        raise DatasetError(f"{shown_file(options.source)} holds no data set; a file {known} or .zip is needed.")
    file = files[others[0]]
    if file.is_zip():
        with files_in_zip(file, options.limits) as members:
            return _read(members, options)
    format = options.format or sniff_format(file, options.limits)
    return _read_group(FileGroup(PurePosixPath(others[0]).stem, format, whole=others), files, options)


def _pick(groups: list[FileGroup], options: _Options) -> FileGroup:
    if len(groups) == 1:
        return groups[0]
    wanted = [group for group in groups if group.name == options.name]
    if len(wanted) != 1:
        names = listing([group.name for group in groups])
        given = shown_file(options.source)
        raise DatasetError(f"{given} holds several data sets ({names}); say which by its name or its file.")
    return wanted[0]


def _read_group(group: FileGroup, files: Mapping[str, InputFile], options: _Options) -> Any:
    parts = [options.part(files[name], group.format) for name in group.parts]
    xml_files = [files[name] for name in group.labels]
    if len(parts) > 1 + group.is_pair or len(xml_files) > 1:
        names = listing([file.name for file in [*parts, *xml_files]])
        raise DatasetError(f"Of {names}, two are for the same part of {shown_file(group.name)}; keep one of them.")
    xml = None
    if xml_files and options.labels is None:
        xml = (xml_files[0].name, read_label_names(xml_files[0], options.limits))
    format = FORMATS[options.format or format_by_content(parts[0], group.format, options.limits)]
    if format.names_lost and options.labels is not None:
        raise file_error(parts[0].name, None, "a LibSVM file says itself what its labels are; leave them out.")
    table = _parsed(format, parts, options)
    if group.label_tables:
        table = with_labels(table, _parsed(format, _label_parts(group, files, options), options))
    table.notes += [f"{part.name} is not UTF-8; it was read as Latin-1." for part in parts if part.is_latin1]
    if group.is_pair and group.whole:
        whole = listing([files[name].name for name in group.whole])
        table.notes.append(f"{whole} was not read: the training and the test part hold its rows.")
    return options.finish(
        table,
        name=options.name or printable(group.name),
        source=options.source,
        labels=options.labels,
        xml=xml,
        limits=options.limits,
    )


def _parsed(format: Format, parts: Sequence[InputFile], options: _Options) -> ParsedTable:
    if format.arrays is None:
        assert format.read is not None
        if options.choice is not None:
            sentence = (
                f"variables and transposed are for MATLAB and NumPy files, and this is {format.title}; leave them out."
            )
            raise file_error(parts[0].name, None, sentence)
        if options.sheet is None:
            return format.read(parts, options.limits)
        if format.sheets is not None:
            return format.read(parts, options.limits, options.sheet)
    if options.sheet is not None:
        sentence = f"a sheet is for Excel files, and this is {format.title}; leave it out."
        raise file_error(parts[0].name, None, sentence)
    assert format.arrays is not None
    table = arrays.read(parts, format.arrays, options.limits, options.choice)
    if table.labels is not None and options.labels is not None:
        sentence = "its labels are a variable of their own; leave labels out, or say by variables which one they are."
        raise file_error(parts[0].name, None, sentence)
    return table


def _label_parts(group: FileGroup, files: Mapping[str, InputFile], options: _Options) -> list[InputFile]:
    """The tables of labels beside the parts."""
    for name in group.parts:
        if name not in group.label_tables:
            raise file_error(
                files[name].name, None, "its labels are missing; put them beside it, as for the other part."
            )
    beside = [files[group.label_tables[name]] for name in group.parts]
    if options.labels is not None:
        raise file_error(beside[0].name, None, "it holds the labels; do not give them again, or leave this file out.")
    return beside


@contextmanager
def _only_dataset_errors() -> Iterator[None]:
    """What the machine may refuse at any moment is said in a sentence too."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise DatasetError(
            printable(f"{error.filename or 'The file'} cannot be read ({reason}); check the path.")
        ) from error
    except MemoryError as error:
        raise DatasetError("The data set does not fit into memory; use a part of it.") from error


def parse_files(
    files: Mapping[str, bytes],
    limits: Limits,
    part: Callable[[InputFile, str], InputFile],
    variables: Sequence[str] | None = None,
    transposed: str | None = None,
    sheet: str | int | None = None,
) -> tuple[ParsedTable, tuple[str, list[str]] | None]:
    """The table in files in memory, before its columns are told apart, and an XML's name and labels where there is one.

    `part(file, format)` may give a part of a file in its place.
    """

    def unchanged(table: ParsedTable, *, xml: Any, **_: Any) -> tuple[ParsedTable, Any]:
        return table, xml

    options = _Options(
        labels=None,
        name=None,
        limits=limits,
        format=None,
        choice=_checked_choice(variables, transposed),
        source=", ".join(files),
        sheet=sheet,
        part=part,
        finish=unchanged,
    )
    with _only_dataset_errors():
        return _read({name: InputFile.from_bytes(name, content) for name, content in files.items()}, options)
