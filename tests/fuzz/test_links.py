"""A few hostile links; `make fuzz ARGS=links` has as many as there is time for."""

import pytest

from fuzz import links


@pytest.fixture(autouse=True)
def own_places(monkeypatch, tmp_path):
    """In place of those that the trials make for a process of their own."""
    monkeypatch.setattr(links, "_prepare", lambda: None)
    monkeypatch.setenv("MLFS_STORE", str(tmp_path / "studies.sqlite"))
    monkeypatch.setenv("MLFS_CACHE", str(tmp_path))
    monkeypatch.delenv("MLFS_DATA", raising=False)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_hostile_links(seed):
    assert links.check(seed) is None
