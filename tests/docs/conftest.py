"""One copy of the project for each page of the documentation."""

import pytest

from tests.docs.newcomer import Newcomer


@pytest.fixture(scope="module")
def newcomer(tmp_path_factory, prepared_python) -> Newcomer:
    return Newcomer(tmp_path_factory.mktemp("project"), prepared_python)
