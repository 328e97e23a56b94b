"""Paths → the files of a data set, without opening any."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

from mlfs.datasets.readers.files import InputFile
from mlfs.datasets.readers.gather import group_files, is_labels
from mlfs.errors import DatasetError, did_you_mean

_MAX_DEPTH = 3  # of folders below the one that is searched


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


def find_datasets(folder: str | os.PathLike[str]) -> dict[str, tuple[Path, ...]]:
    """The data sets in a folder and the folders in it: for each name the files, as `read_dataset` takes them.

    Only names are looked at, so this is quick and promises nothing about the content. Where two data sets have the
    same name, each is called by its file instead.
    """
    root = Path(folder)
    if not root.is_dir():
        raise DatasetError(f"There is no folder {root}: check the path.")
    names: list[str] = []
    for here, folders, files in os.walk(root):
        depth = len(Path(here).relative_to(root).parts)
        folders[:] = sorted(name for name in folders if not name.startswith(".")) if depth < _MAX_DEPTH else []
        names += [Path(here, name).as_posix() for name in files if not name.startswith(".")]
    found = [(group.name, group.files) for group in group_files(names)]
    found += [(Path(name).stem, [name]) for name in sorted(names) if name.lower().endswith(".zip")]
    uses = Counter(name for name, _ in found)
    return {
        name if uses[name] == 1 else Path(files[0]).relative_to(root).as_posix(): tuple(map(Path, files))
        for name, files in found
    }


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
