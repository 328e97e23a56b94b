"""`CLASSIFIERS` lists the classifiers with what pages and commands say of them; `register` adds one."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sklearn.base import clone

from mlfs.checks import described
from mlfs.errors import ExtensionError, ParameterError, did_you_mean
from mlfs.extensions import same_definition


@dataclass(frozen=True)
class Classifier:
    """A classifier by its name.

    Attributes
    ----------
    name : its word in commands, links and plans
    title : what pages write
    make : returns one, not yet fitted, with fit, predict and, where it has probabilities, predict_proba. One that can
        save work from one size of a subset to the next has `predict_growing` too: see `MLkNN.predict_growing`
    meaning : one sentence for the user
    """

    name: str
    title: str
    make: Callable[[], Any]
    meaning: str


CLASSIFIERS: dict[str, Classifier] = {}


def register(classifier: Classifier) -> None:
    """Add a classifier to `CLASSIFIERS`, where protocols, pages, commands and plans find it.

    Raises
    ------
    ExtensionError
        Where the name is not one, or belongs to another classifier.
    """
    name = classifier.name
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise ExtensionError(f"The name {name!r} of a classifier must be small letters, digits and underscores.")
    if name in CLASSIFIERS and not same_definition(_definition(CLASSIFIERS[name]), _definition(classifier)):
        raise ExtensionError(f"There is a classifier {name!r} already: choose another name.")
    CLASSIFIERS[name] = classifier


def _definition(classifier: Classifier) -> object:
    """The class or function behind `make`, which may be a partial application of it."""
    return getattr(classifier.make, "func", classifier.make)


def make_classifier(classifier: Any) -> Any:
    """Make a classifier that is not yet fitted.

    Parameters
    ----------
    classifier : str or classifier
        A name in `CLASSIFIERS`, or a classifier, of which a fresh copy is made.

    Examples
    --------
    >>> make_classifier("mlknn")
    MLkNN()
    >>> make_classifier("mlkn")
    Traceback (most recent call last):
    mlfs.errors.ParameterError: There is no classifier 'mlkn': did you mean 'mlknn'?
    """
    if not isinstance(classifier, str):
        if not hasattr(classifier, "fit"):
            known = ", ".join(CLASSIFIERS)
            raise ParameterError(
                f"A classifier must be one of {known}, or have fit and predict, which {described(classifier)} does not."
            )
        return clone(classifier)
    if classifier not in CLASSIFIERS:
        raise ParameterError(f"There is no classifier {classifier!r}: {did_you_mean(classifier, CLASSIFIERS)}")
    return CLASSIFIERS[classifier].make()
