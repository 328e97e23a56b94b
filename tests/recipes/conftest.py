"""Recipes compute their studies in the process of the test."""

import pytest


@pytest.fixture(autouse=True)
def without_workers(one_process):
    """Real workers have tests of their own, and a recipe that is started has them too."""
