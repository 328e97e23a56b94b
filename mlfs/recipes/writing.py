"""What recipes are made of: a protocol's changes, calls and options in writing."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import PurePosixPath
from typing import Any

from mlfs.errors import ParameterError, did_you_mean
from mlfs.evaluation.protocols import PROTOCOLS, Protocol
from mlfs.parameters import value_text

# A file has no name that holds elsewhere; the person puts in the path.
YOUR_FILE = "path/to/your-file"
UPLOADED = "# An uploaded file: put its path here."
# Which columns are labels, where the person had to say: how many, from the front or the back, or their names; or all
# that the readers have to be told, by their keywords.
#: What the readers can be told of a file, beside its name.
READING = ("labels", "variables", "transposed", "sheet")
Labels = int | Sequence[str] | Mapping[str, Any] | None


@dataclass(frozen=True)
class Recipe:
    """The same work as a Python program and as a command."""

    python: str
    command: str


@dataclass(frozen=True)
class RankingFile:
    """A ranking from elsewhere as a file of the person; what is None shows in the file itself."""

    name: str
    dataset: str
    file: str
    base: int | None = None
    kind: str | None = None
    rows: str | None = None

    def call(self, data: str) -> str:
        """The call that reads it.

        >>> RankingFile("mine", "emotions", "mine.csv", base=1).call("ds")
        "read_ranking('mine.csv', ds, 'mine', base=1)"
        """
        how = "".join(f", {name}={value!r}" for name, value in self._how().items())
        return f"read_ranking({self.file!r}, {data}, {self.name!r}{how})"

    def options(self, data: str = "") -> list[str]:
        """The same as options of a command; `data` where it is about several data sets.

        >>> RankingFile("mine", "emotions", "mine.csv", rows="train").options("emotions")
        ['--ranking', 'mine@emotions=mine.csv', '--ranking-rows', 'train']
        """
        words = ["--ranking", f"{self.name}{f'@{data}' if data else ''}={self.file}"]
        return words + [word for name, value in self._how().items() for word in (f"--ranking-{name}", str(value))]

    def _how(self) -> dict[str, Any]:
        given = {"base": self.base, "kind": self.kind, "rows": self.rows}
        return {name: value for name, value in given.items() if value is not None}


def loading(name: str, uploaded: bool = False, labels: Labels = None) -> str:
    """The line that loads a data set."""
    return f"ds = {load_call(data_word(name, uploaded), labels)}" + (f"  {UPLOADED}" if uploaded else "")


def load_call(word: str, labels: Labels = None) -> str:
    """The call that loads a data set.

    >>> load_call("mine.csv", -6), load_call("mine.csv", ["a, b", "c"])
    ("load_dataset('mine.csv', labels=-6)", "load_dataset('mine.csv', labels=['a, b', 'c'])")
    >>> load_call("mine.mat", {"variables": ["A", "B"], "transposed": "Y", "labels": None})
    "load_dataset('mine.mat', variables=['A', 'B'], transposed='Y')"
    """
    return f"load_dataset({word!r}{''.join(f', {name}={value!r}' for name, value in reading_options(labels).items())})"


def reading_options(labels: Labels) -> dict[str, Any]:
    """What the readers are told, as their keywords."""
    if labels is None:
        return {}
    if isinstance(labels, Mapping):
        if unknown := [name for name in labels if name not in READING]:
            raise ParameterError(f"The readers take no {unknown[0]!r}: {did_you_mean(str(unknown[0]), READING)}")
        options = {name: list(value) if isinstance(value, tuple) else value for name, value in labels.items()}
        return {name: value for name, value in options.items() if value is not None}
    return {"labels": labels if isinstance(labels, int) else list(labels)}


def label_options(labels: Labels) -> list[str]:
    """The same as options of the command line; a name may hold commas or begin with a dash.

    >>> label_options({"sheet": "Day 2", "labels": ["a, b"]}), label_options({"variables": ["A", "B"]})
    (['--sheet=Day 2', '--label=a, b'], ['--variables', 'A,B'])
    """
    words = []
    for name, value in reading_options(labels).items():
        if name == "labels":
            words += ["--labels", str(value)] if isinstance(value, int) else [f"--label={each}" for each in value]
        elif name == "sheet":
            words.append(f"--sheet={value}")
        else:
            words += [f"--{name}", value if isinstance(value, str) else ",".join(value)]
    return words


def changes(protocol: Protocol) -> dict[str, Any]:
    """What a protocol sets otherwise than the one whose name it bears."""
    base = PROTOCOLS[protocol.name]
    settings = {f.name: getattr(protocol, f.name) for f in fields(Protocol) if f.name not in ("name", "note")}
    return {name: value for name, value in settings.items() if value != getattr(base, name)}


def protocol_call(protocol: Protocol) -> str:
    """The protocol as a Python expression."""
    changed = "".join(f", {name}={value!r}" for name, value in changes(protocol).items())
    return f'get_protocol("{protocol.name}"{changed})'


def protocol_options(protocol: Protocol, seed: int) -> list[str]:
    """The protocol as options of the command line."""
    words = [] if protocol.name == "quick" else ["--protocol", protocol.name]
    for name, value in changes(protocol).items():
        option = "--" + name.replace("_", "-")
        if isinstance(value, bool):
            words += [option] if value else [f"--no-{option[2:]}"]
        else:
            words += [option, ",".join(map(value_text, value)) if isinstance(value, tuple) else value_text(value)]
    return [*words, "--seed", str(seed)] if seed else words


def selector_pair(method: str, parameters: Mapping[str, Any]) -> str:
    """A method as `explore` and `compare` take it, in Python."""
    return f"({method!r}, {dict(parameters)!r})" if parameters else repr(method)


def command(*words: str) -> str:
    """A command line of `mlfs`, quoted where a shell needs it."""
    return shlex.join(["mlfs", *words])


def data_word(name: str, uploaded: bool = False) -> str:
    return YOUR_FILE if uploaded else name


def data_words(names: Sequence[str], uploaded: Collection[str]) -> dict[str, str]:
    """What stands for each of several data sets; the places of uploads are numbered where there are two.

    >>> data_words(["yeast", "upload-a", "upload-b"], {"upload-a", "upload-b"})
    {'yeast': 'yeast', 'upload-a': 'path/to/your-file-1', 'upload-b': 'path/to/your-file-2'}
    """
    files = [name for name in names if name in uploaded]
    places = {
        name: f"{YOUR_FILE}-{place}" if len(files) > 1 else YOUR_FILE for place, name in enumerate(files, start=1)
    }
    return {name: places.get(name, name) for name in names}


def with_labels_written(words: Sequence[str], labels: Sequence[Labels]) -> tuple[list[str], list[str]]:
    """Commands that write files whose labels had to be told as files that tell them, and what to call each set then.

    A command about several data sets, or about a plan, has no place for the labels of one of them.
    """
    before, after = [], []
    for word, columns in zip(words, labels, strict=True):
        after.append(word if columns is None else f"{PurePosixPath(word).name}.arff")
        if columns is not None:
            before.append(command("data", "convert", word, after[-1], *label_options(columns)))
    return before, after
