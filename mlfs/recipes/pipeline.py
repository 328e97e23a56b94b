"""An answer as a program: a scikit-learn pipeline of selector and classifier, built and fitted again.

Nothing is pickled. Names come from files of strangers: in the program there are column numbers only.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mlfs.answer import Recommendation
from mlfs.answer.export import versions
from mlfs.checks import checked
from mlfs.classifiers import BRLR, MLkNN
from mlfs.errors import ParameterError
from mlfs.evaluation.protocols import method_and_parameters
from mlfs.recipes.writing import Labels, loading
from mlfs.selectors import ConstrainedSelector

SCALERS = {"z_score": "StandardScaler()", "unit": "MinMaxScaler()"}


@checked
def pipeline_program(
    recommendation: Recommendation, data: str, *, uploaded: bool = False, labels: Labels = None
) -> str:
    """A Python program that makes the same selection again and fits a scikit-learn pipeline with it.

    Parameters
    ----------
    data : what `load_dataset` takes: a name or a path
    uploaded : whether it is a file whose place is not known
    labels : of a file that does not name them
    """
    selector, imports = _selector_call(recommendation)
    classifier, name = _classifier_call(recommendation.settings.protocol.classifier)
    encoder, scaler = _encoder(recommendation), SCALERS.get(recommendation.settings.protocol.scaling)
    steps = [("select", selector), ("encode", encoder), ("scale", scaler), ("classify", classifier)]
    lines = [
        f"from mlfs.classifiers import {name}",
        "from mlfs.datasets import load_dataset",
        f"from mlfs.selectors import {', '.join(imports)}",
        "from sklearn.pipeline import Pipeline",
    ]
    if encoder:
        lines += ["from sklearn.compose import ColumnTransformer", "from sklearn.preprocessing import OneHotEncoder"]
    if scaler:
        lines.append(f"from sklearn.preprocessing import {scaler.removesuffix('()')}")
    inner = "".join(f'        ("{step}", {call}),\n' for step, call in steps if call)
    made_with = ", ".join(f"{package} {number}" for package, number in versions().items())
    return (
        f'"""Selects the features that mlfs recommended, and fits a classifier on them. Made with {made_with}."""\n\n'
        + "\n".join(sorted(lines))
        + f"\n\n{loading(data, uploaded, labels)}\n"
        + f"pipeline = Pipeline(\n    [\n{inner}    ]\n)\n"
        + "pipeline.fit(ds.X, ds.Y)\n"
        + 'features = pipeline["select"].get_support(indices=True)\n'
        + 'print(*(ds.feature_names[j] for j in features), sep="\\n")\n'
    )


def _classifier_call(classifier: Any) -> tuple[str, str]:
    """The classifier in writing, and the name it needs of `mlfs.classifiers`."""
    if isinstance(classifier, str):
        return f"make_classifier({classifier!r})", "make_classifier"
    kind = type(classifier).__name__
    if not isinstance(classifier, MLkNN | BRLR):
        raise ParameterError(f"A program can be written for classifiers known by name, not for this {kind}.")
    return repr(classifier), kind


def _selector_call(recommendation: Recommendation) -> tuple[str, list[str]]:
    """The selector in writing, and the names it needs."""
    fitted = recommendation.selection.selector
    inner = fitted.selector if isinstance(fitted, ConstrainedSelector) else fitted
    method, parameters = method_and_parameters(inner)
    parameters = {name: _plain(value) for name, value in parameters.items()}
    size = len(recommendation.selection.features)
    if inner is fitted and not inner.selects_sets and method != "mifs":
        parameters["n_features_to_select"] = size
        return _call(method, parameters), ["make_selector"]
    # A set, or a ranking that depends on how long it is, is cut from outside.
    constraints = recommendation.settings.constraints
    given = {
        "always_keep": list(constraints.always_keep),
        "never_use": list(constraints.never_use),
        "groups": [list(group) for group in constraints.groups],
        "n_features_to_select": size,
    }
    words = "".join(f", {name}={value!r}" for name, value in given.items() if value)
    return f"ConstrainedSelector({_call(method, parameters)}{words})", ["ConstrainedSelector", "make_selector"]


def _call(method: str, parameters: dict[str, Any]) -> str:
    return f"make_selector({method!r}{''.join(f', {name}={value!r}' for name, value in parameters.items())})"


def _encoder(recommendation: Recommendation) -> str:
    """The step that makes 0/1 columns of categories, where there are any: classifiers are measured on those."""
    kept = sorted(recommendation.selection.indices)
    places = [place for place, j in enumerate(kept) if j in recommendation.ds.categories]
    if not places:
        return ""
    encoder = f'("one_hot", OneHotEncoder(handle_unknown="ignore", sparse_output=False), {places})'
    return f'ColumnTransformer([{encoder}], remainder="passthrough")'


def _plain(value: Any) -> Any:
    """Python's own numbers, which are written as they are read."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, tuple | list | np.ndarray):
        return tuple(_plain(each) for each in value)
    return value
