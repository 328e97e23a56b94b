"""Nobody waits for what he does not use: heavy packages are imported when first needed."""

import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
NEVER = {"streamlit", "numba", "skmultilearn", "iterstrat", "kaleido", "dask", "distributed", "optuna"}
# scikit-learn brings joblib, scipy.stats and scipy.optimize with it.
LEARNING = {"sklearn", "joblib", "scipy.stats", "scipy.optimize"}
# Plotly's own modules are lazy: the class of figures comes with the first figure.
FIGURES = {"plotly.graph_objs._figure", "plotly.basedatatypes", "plotly.io"}


def modules_after(statement: str) -> set[str]:
    script = f"import sys\n{statement}\nprint(*sys.modules, sep='\\n')"
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True, capture_output=True, text=True)
    return set(run.stdout.split())


@pytest.mark.parametrize(
    ("package", "unwanted"),
    [
        ("mlfs", {"numpy", "pandas", "scipy", "plotly", *LEARNING}),
        ("mlfs.datasets", {"pandas", "plotly", "defusedxml", *LEARNING}),
        ("mlfs.metrics", {"pandas", "plotly", *LEARNING}),
        ("mlfs.statistics", {"plotly", *LEARNING}),
        ("mlfs.tables", {"plotly", "jinja2", *LEARNING}),
        ("mlfs.plots", {*FIGURES, *LEARNING}),
        ("mlfs.selectors", {"plotly"}),
        ("mlfs.evaluation", {"plotly"}),
    ],
)
def test_what_a_package_leaves_for_later(package, unwanted):
    found = modules_after(f"import {package}")
    assert not found & (unwanted | NEVER)


def test_the_check_sees_what_is_imported():
    assert modules_after("import mlfs.selectors") >= {"sklearn", "joblib"}


def test_importing_mlfs_takes_little_more_than_scikit_learn():
    """By the clock, so generous: side by side in one run, with all that `import mlfs` puts off."""
    statements = {"sklearn": "import sklearn", "mlfs": "from mlfs import SELECTORS, load_dataset, make_selector"}
    spent: dict[str, list[float]] = {name: [] for name in statements}
    for _ in range(3):
        for name, statement in statements.items():
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", statement], cwd=ROOT, check=True)
            spent[name].append(time.perf_counter() - start)
    ratio = statistics.median(spent["mlfs"]) / statistics.median(spent["sklearn"])
    assert ratio < 1.5, spent
