"""The numbers of docs/security.md are those of the code."""

from pathlib import Path

from mlfs.datasets.formats import DEFAULT_LIMITS
from mlfs.evaluation import explorer
from pages.parts import owners, rankings, result_tables, studies, uploads

PAGE = (Path(__file__).parents[2] / "docs" / "security.md").read_text(encoding="utf-8")
MB = 1024**2


def sizes(limits) -> str:
    counts = f"{limits.max_rows:,} rows, {limits.max_features:,} features, {limits.max_labels:,} labels"
    return f"{counts}, {limits.max_cells:,} values"


def test_bounds():
    rows = {
        "an upload": f"{uploads.LIMITS.max_bytes // MB} MB, also unpacked; {sizes(uploads.LIMITS)}",
        "uploads of a browser": f"{uploads.MOST_SETS} sets, {uploads.MOST_BYTES // MB} MB; kept for "
        f"{owners.KEPT_SECONDS / 60:.0f} minutes after its last session",
        "uploads of everybody": f"{uploads.EVERYBODYS_BYTES // MB:,} MB; those of visitors who have left go first",
        "a file read by the library": f"{DEFAULT_LIMITS.max_bytes // MB:,} MB unpacked, {sizes(DEFAULT_LIMITS)}",
        "a ranking, a table of results": f"{rankings.MEGABYTES} MB, {result_tables.MEGABYTES} MB",
        "a study of the app": f"{studies.MOST_CELLS:,} cells; {studies.AT_ONCE} studies at a time, the others wait",
        "what explorers keep": f"{explorer.MEMORY // MB} MB for all sessions together",
    }
    for what, bound in rows.items():
        assert f"| {what} | {bound} |" in PAGE
