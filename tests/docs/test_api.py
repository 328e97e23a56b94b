"""The API reference, built as `make docs` builds it."""

from __future__ import annotations

import html
import os
import re
import subprocess

import pytest

from mlfs import SELECTORS
from tests.docs.pages import ROOT


def build(python, folder, **variables):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    words = python.words(str(ROOT / "docs" / "api.py"), str(folder))
    return subprocess.run(words, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def reference(tmp_path_factory, prepared_python):
    folder = tmp_path_factory.mktemp("api")
    done = build(prepared_python, folder)
    assert done.returncode == 0, done.stderr
    return folder


def test_a_page_for_each_package_and_none_for_the_modules_below(reference):
    packages = {"datasets", "information", "selectors", "classifiers", "metrics", "evaluation", "statistics"}
    packages |= {"studies", "papers", "plots", "tables"}
    pages = {path.relative_to(reference).as_posix() for path in reference.rglob("*.html")}
    assert pages == {"index.html", "mlfs.html", *(f"mlfs/{package}.html" for package in packages)}


def test_a_method_is_shown_with_every_parameter(reference):
    text = (reference / "mlfs" / "selectors.html").read_text(encoding="utf-8")
    shown = html.unescape(re.sub("<[^>]+>", "", text))
    for method in SELECTORS.values():
        assert f'id="{method.__name__}"' in text
    for name, parameter in SELECTORS["grro"].parameters.items():
        assert f"{name} (" in shown
        assert parameter.meaning[1:] in shown


def test_it_is_not_built_where_something_cannot_be_imported(tmp_path, prepared_python):
    done = build(prepared_python, tmp_path, MLFS_EXTENSIONS="nowhere")
    assert done.returncode != 0
    assert "MLFS_EXTENSIONS names 'nowhere'" in done.stderr
