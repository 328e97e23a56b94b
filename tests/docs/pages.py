"""The documentation, read as a newcomer reads it: which files it tells them to write, what to run."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
ABOUT = [ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]


@dataclass(frozen=True)
class Block:
    """One fenced block; `file` is the name in the line before it, where that line ends with a name and a colon."""

    language: str
    text: str
    file: str | None


def blocks(name: str) -> list[Block]:
    """The fenced blocks of a page of docs/, in order."""
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    fences, before = [], ""
    for part in re.split(r"(^ *```\w*\n.*?^ *```\n)", text, flags=re.M | re.S):
        fenced = re.fullmatch(r" *```(\w*)\n(.*?) *```\n", part, flags=re.S)
        if fenced is None:
            before = part.strip()
            continue
        file = re.search(r"`([\w./-]+)`:$", before)
        fences.append(Block(fenced[1], textwrap.dedent(fenced[2]), file[1] if file else None))
    return fences


def commands(text: str) -> list[str]:
    """Every command of `mlfs` in a page, in blocks and within sentences, without what stands before and after it."""
    within = re.findall(r"`(mlfs [^`\n]+)`", text)
    in_blocks = re.findall(r"^mlfs [^#\n]+", text, flags=re.M)
    return [command.strip() for command in [*in_blocks, *within]]
