"""Nobody waits for what they do not use: heavy packages are imported when first needed."""

import subprocess
import sys
from pathlib import Path

import pytest

import mlfs

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
        ("mlfs.papers", {"plotly", "mlfs.studies", "mlfs.papers.experiment"}),
        ("mlfs.tables", {"plotly", "jinja2", *LEARNING}),
        ("mlfs.plots", {*FIGURES, *LEARNING}),
        ("mlfs.evaluation", {"plotly"}),
    ],
)
def test_what_a_package_leaves_for_later(package, unwanted):
    found = modules_after(f"import {package}")
    assert package in found
    assert not found & (unwanted | NEVER)


def test_selectors_and_data_come_with_no_more_than_scikit_learn():
    """All that `import mlfs` puts off, beside what scikit-learn's own selectors import."""
    brought = modules_after("from mlfs import SELECTORS, load_dataset, make_selector")
    known = modules_after("import sklearn.feature_selection")
    assert brought >= LEARNING  # the names that are looked for elsewhere
    packages = {module.partition(".")[0] for module in brought - known}
    assert packages - set(sys.stdlib_module_names) == {"mlfs"}


def test_the_names_a_user_needs_are_offered_and_there():
    offered = dir(mlfs)
    assert set(mlfs.__all__) <= set(offered)
    assert {"load_dataset", "compare", "friedman", "MLkNN", "METRICS", "selectors", "plots"} <= set(offered)
    for name in offered:
        getattr(mlfs, name)
    for name in mlfs.__all__:
        assert getattr(mlfs, name) is getattr(getattr(mlfs, mlfs._HOMES[name]), name)
    with pytest.raises(AttributeError, match="module 'mlfs' has no attribute 'load_datasets'"):
        mlfs.load_datasets  # noqa: B018


def test_to_look_what_is_offered_imports_nothing():
    assert not {module for module in modules_after("import mlfs; dir(mlfs)") if module.startswith("mlfs.")}
