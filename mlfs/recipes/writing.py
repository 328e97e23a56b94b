"""What recipes are made of: a protocol's changes, calls and options in writing."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from mlfs.evaluation.protocols import PROTOCOLS, Protocol
from mlfs.selectors.specification import method_text, value_text

# A file has no name that holds elsewhere; the person puts in the path.
YOUR_FILE = "path/to/your-file"
UPLOADED = "# An uploaded file: put its path here."


@dataclass(frozen=True)
class Recipe:
    """The same work as a Python program and as a command."""

    python: str
    command: str


def loading(name: str, uploaded: bool = False) -> str:
    """The line that loads a data set."""
    return f"ds = load_dataset({YOUR_FILE!r})  {UPLOADED}" if uploaded else f"ds = load_dataset({name!r})"


def changes(protocol: Protocol) -> dict[str, Any]:
    """What a protocol sets otherwise than the one whose name it bears."""
    base = PROTOCOLS[protocol.name]
    found = {f.name: getattr(protocol, f.name) for f in fields(Protocol) if f.name not in ("name", "note")}
    return {name: value for name, value in found.items() if value != getattr(base, name)}


def protocol_call(protocol: Protocol) -> str:
    """The protocol as a Python expression."""
    told = "".join(f", {name}={value!r}" for name, value in changes(protocol).items())
    return f'get_protocol("{protocol.name}"{told})'


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


__all__ = [
    "Recipe",
    "changes",
    "command",
    "data_word",
    "loading",
    "method_text",
    "protocol_call",
    "protocol_options",
    "selector_pair",
]
