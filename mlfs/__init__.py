"""mlfs: multi-label feature selection you can see.

The names that most work needs are here; each is brought in when first used. The packages have the rest:
`mlfs.datasets`, `mlfs.information`, `mlfs.selectors`, `mlfs.classifiers`, `mlfs.metrics`, `mlfs.evaluation`,
`mlfs.statistics`, `mlfs.studies`, `mlfs.papers`, `mlfs.plots`, `mlfs.tables`.

Examples
--------
>>> import mlfs
>>> ds = mlfs.load_dataset("emotions")
>>> selector = mlfs.make_selector("els", n_labels=3, n_features_to_select=10).fit(ds.X, ds.Y)
>>> selector.transform(ds.X).shape
(593, 10)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mlfs.classifiers import BRLR, CLASSIFIERS, MLkNN
    from mlfs.datasets import Dataset, download_dataset, list_datasets, load_dataset, make_synthetic
    from mlfs.errors import MlfsError
    from mlfs.evaluation import PROTOCOLS, explore, get_protocol, loss_curve
    from mlfs.evaluation.compare import compare
    from mlfs.information import discretize, entropy, mutual_information, symmetrical_uncertainty
    from mlfs.metrics import METRICS, redundancy, residual_label_correlation, stability
    from mlfs.papers import PAPERS
    from mlfs.selectors import SELECTORS, Selector, make_selector
    from mlfs.statistics import critical_difference, friedman
    from mlfs.studies import Plan, Store

__version__ = "0.1.0"

__all__ = [
    "BRLR",
    "CLASSIFIERS",
    "METRICS",
    "PAPERS",
    "PROTOCOLS",
    "SELECTORS",
    "Dataset",
    "MLkNN",
    "MlfsError",
    "Plan",
    "Selector",
    "Store",
    "compare",
    "critical_difference",
    "discretize",
    "download_dataset",
    "entropy",
    "explore",
    "friedman",
    "get_protocol",
    "list_datasets",
    "load_dataset",
    "loss_curve",
    "make_selector",
    "make_synthetic",
    "mutual_information",
    "redundancy",
    "residual_label_correlation",
    "stability",
    "symmetrical_uncertainty",
]

_NAMES = {
    "classifiers": "BRLR CLASSIFIERS MLkNN",
    "datasets": "Dataset download_dataset list_datasets load_dataset make_synthetic",
    "errors": "MlfsError",
    "evaluation": "PROTOCOLS compare explore get_protocol loss_curve",
    "information": "discretize entropy mutual_information symmetrical_uncertainty",
    "metrics": "METRICS redundancy residual_label_correlation stability",
    "papers": "PAPERS",
    "plots": "",
    "selectors": "SELECTORS Selector make_selector",
    "statistics": "critical_difference friedman",
    "studies": "Plan Store",
    "tables": "",
}
_HOMES = {name: package for package, names in _NAMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    # Brought in when first used: the command line must not wait for scikit-learn to print its help.
    if name in _HOMES:
        return getattr(import_module(f"mlfs.{_HOMES[name]}"), name)
    if name in _NAMES:
        return import_module(f"mlfs.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *_NAMES, *(name for name in globals() if name.startswith("__"))})
