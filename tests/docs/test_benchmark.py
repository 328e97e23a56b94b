"""docs/benchmark.md: its numbers are those of the benchmark that is kept."""

from __future__ import annotations

import pytest

from mlfs.benchmark import leaderboard, read_benchmark
from mlfs.benchmark.rank_correlations import correlations_table, rank_correlations
from mlfs.benchmark.study import DATASETS, LIMITS
from mlfs.results import setting_title
from mlfs.wording import duration
from tests.docs.pages import ROOT

TEXT = " ".join((ROOT / "docs" / "benchmark.md").read_text(encoding="utf-8").split())


@pytest.fixture(scope="module")
def kept():
    return read_benchmark()


def signed(number: float) -> str:
    """With the minus of print."""
    return f"{number:.2f}".replace("-", "−")


def place(board, method: str) -> str:
    return f"{list(board.table.index).index(method) + 1} of {len(board.table)}"


def test_what_was_run(kept):
    cells = kept.cells
    assert (
        f"{sum(cells.values()):,} cells, of which {cells['done']:,} were done, {cells['failed']:,} failed, "
        f"{cells['limit']:,} exceeded a limit and {cells['skipped']:,} were skipped after that, in "
        f"{duration(kept.processor_seconds)} of processor time"
    ) in TEXT


def test_the_data_sets_and_the_limits():
    assert f"| data | {', '.join(DATASETS)}: " in TEXT
    assert f"| limits | {LIMITS.text} (" in TEXT


def test_the_leaders_of_sparse_and_of_dense_sets(kept):
    sparse, dense = (leaderboard(kept, sets=kind) for kind in ("sparse", "dense"))
    for i in range(3):
        cells = [
            f"{setting_title(row.name)} {row['average_rank']:.1f} ({row['low']:.1f}–{row['high']:.1f})"
            for board in (sparse, dense)
            for row in [board.table.iloc[i]]
        ]
        assert f"| {i + 1} | {cells[0]} | {cells[1]} |" in TEXT
    assert f"On the {len(sparse.datasets)} sparse sets AMI is number {place(sparse, 'ami')};" in TEXT
    assert f"on the {len(dense.datasets)} others it is number {place(dense, 'ami')}." in TEXT


def test_where_a_random_order_stands(kept):
    board = leaderboard(kept)
    ranks = board.ranks["random"].sort_values()
    best, others = ranks.iloc[:3], ranks.iloc[3:]
    for dataset, rank in best.items():
        assert f"| {dataset} | {rank:g} |" in TEXT
    assert f"| all others | {others.min():g} to {others.max():g} |" in TEXT
    assert f"It is number {place(board, 'random')} over all sets" in TEXT


def test_the_agreement_with_the_papers(kept):
    for row in correlations_table(rank_correlations(kept)).to_dict("records"):
        words = [row["Paper"], row["Metric"], row["Judged by"], str(row["Methods"]), signed(row["Spearman"])]
        assert f"| {' | '.join([*words, str(row['Shared sets']), signed(row['Spearman there'])])} |" in TEXT
