"""Data sets as the papers print them, beside the data."""

from __future__ import annotations

import pytest

from mlfs.datasets import load_dataset
from mlfs.errors import DatasetError
from mlfs.papers import PAPERS, characteristics
from mlfs.papers.characteristics import compare_characteristics, measured_characteristics, read_characteristics


@pytest.mark.parametrize(
    ("paper", "rows", "columns"),
    [
        ("lee_kim_2016", 8, {"density"}),
        ("wang_2020_elc", 14, set()),
        ("sechidis_2014", 2, {"distinct_labelsets"}),
        ("zhou_2023_mapd", 9, {"cardinality", "density"}),
        ("zhang_2020_grro", 20, {"train", "test"}),
    ],
)
def test_what_each_paper_prints(paper, rows, columns):
    found = characteristics(paper)
    assert len(found) == rows
    expected = columns | ({"features", "labels"} | ({"instances"}))
    assert set(found.columns) == expected
    assert found.notna().all(axis=None)
    for table in PAPERS[paper].tables:
        assert set(table.datasets) - set(PAPERS[paper].unknown_datasets) <= set(found.index)


def test_the_bundled_sets_show_the_slips():
    ours = {name: measured_characteristics(load_dataset(name)) for name in ("emotions", "yeast", "scene")}

    def slips(paper):
        table = compare_characteristics(paper, ours)
        return table.loc[table["differs"], ["dataset", "what", "printed", "here"]].to_numpy().tolist()

    assert slips("wang_2020_elc") == [["emotions", "instances", 539.0, 593.0]]
    assert slips("zhang_2020_grro") == [["yeast", "train", 1499.0, 1500.0], ["yeast", "test", 918.0, 917.0]]
    # 1.869 and 1.868 labels per instance are the same number, rounded.
    for paper in ("lee_kim_2016", "sechidis_2014", "zhou_2023_mapd"):
        assert slips(paper) == []
    table = compare_characteristics("wang_2020_elc", ours)
    assert table.loc[table["dataset"] == "enron", "here"].isna().all()
    assert table.loc[table["dataset"] == "recreation_full", "note"].str.contains("reaction").all()


def test_a_damaged_file_is_told_in_a_sentence(tmp_path):
    path = tmp_path / "datasets.csv"
    path.write_text("dataset,instances\ny,1\n", encoding="utf-8")
    with pytest.raises(DatasetError) as caught:
        read_characteristics(path)
    assert str(caught.value) == f"The data-set tables in {path} are missing or damaged: install mlfs again."
