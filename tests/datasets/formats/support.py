"""What the tests of the formats share: the shared data folder, and the sentence an error is made of."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from mlfs.datasets.formats import read_files
from mlfs.errors import DatasetError

SHARED = Path(os.environ.get("MLFS_SHARED") or Path(__file__).resolve().parents[4] / "shared")

needs_data = pytest.mark.skipif(
    not (SHARED / "data").is_dir(), reason="needs the Mulan files of the shared data folder"
)
needs_bundled = pytest.mark.skipif(not (SHARED / "bundled").is_dir(), reason="needs the shared bundled folder")

XML = b'<labels xmlns="http://mulan.sourceforge.net/labels"><label name="a"></label><label name="b"></label></labels>'


def read(content: str | bytes, file: str = "toy.arff", xml: bytes | None = None, **options: Any):
    """Read one file in memory, with an XML where given."""
    files = {file: content.encode() if isinstance(content, str) else content}
    if xml is not None:
        files["toy.xml"] = xml
    return read_files(files, **options)


def complaint(content: str | bytes, file: str = "toy.arff", xml: bytes | None = None, **options: Any) -> str:
    """The sentence with which a file is refused; it must be one sentence, end as one, and fit on a screen."""
    with pytest.raises(DatasetError) as caught:
        read(content, file, xml, **options)
    return checked(str(caught.value))


def checked(message: str) -> str:
    assert message.endswith((".", "?")), message
    assert "\n" not in message
    assert len(message) < 300
    return message
