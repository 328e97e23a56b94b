"""What a user of scikit-learn would pick: its own scores, importances and coefficients, added up over the labels.

Scikit-learn computes; here columns are only brought to a scale on which its answer does not depend on their units, and
labels that are all 0 or all 1 are left out.
"""

from __future__ import annotations

import inspect
import threading
import warnings
from abc import abstractmethod
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import chi2, f_classif
from sklearn.linear_model import LogisticRegression

from mlfs.blocks import each, ranges
from mlfs.encoding import dense
from mlfs.parameters import integer, weight
from mlfs.selectors.base import RawScore, ScoreSelector
from mlfs.selectors.evidence import Raw
from mlfs.selectors.parts.design import Design
from mlfs.stopping import checkpoint

_PAPER = "Pedregosa et al., Scikit-learn: Machine learning in Python, JMLR 2011"
# A larger F has nothing but rounding for its denominator.
LARGEST_F = 1e13
# Columns that are made dense at a time.
BLOCK = 256
# liblinear penalises the intercept as one more coefficient, of a column of this value: with it the penalty is small.
INTERCEPT = 10.0
# liblinear has one generator of random numbers for all threads, which each fit sets back.
_ONE_AT_A_TIME = threading.Lock()

# The name of an L1 penalty, which changed in scikit-learn 1.8.
_OLD = inspect.signature(LogisticRegression).parameters["penalty"].default == "l2"
L1: dict[str, Any] = {"penalty": "l1"} if _OLD else {"l1_ratio": 1.0}


class PerLabelScore(ScoreSelector):
    """Methods that score the columns for one label after another, and add up."""

    family = "scikit-learn"

    @abstractmethod
    def _columns(self, evidence: Any) -> Any:
        """The columns as the method wants them."""

    @abstractmethod
    def _score_label(self, columns: Any, label: np.ndarray) -> np.ndarray:
        """(columns,) scores for one label that has both classes."""

    def _score(self, evidence: Any) -> np.ndarray:
        scores, labels = np.zeros(len(evidence.owner)), varying_labels(evidence.Y)
        columns = self._columns(evidence)
        for part in each(lambda label: self._score_label(columns, label), list(labels.T), self.n_jobs):
            scores += part
        return evidence.per_feature(scores)


class BinaryRelevanceF(PerLabelScore):
    """Σ_l of the F-statistic of an analysis of variance with two classes, with and without the label.

    A feature that is constant in both classes but not the same has an infinite F.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> Y = rng.integers(0, 2, (200, 4))
    >>> X = np.hstack([rng.random((200, 3)), Y[:, [2]] + 0.1 * rng.random((200, 1))])
    >>> int(BinaryRelevanceF().fit(X, Y).ranking_[0])
    3
    """

    id = "f_br"
    name = "F-BR"
    long_name = "F-test of single labels"
    summary = (
        "Sums scikit-learn's f_classif over the labels: how far the means of the feature with and without the label "
        "lie apart, compared with the spread inside both. What SelectKBest does by default for one label."
    )
    formula = r"\sum_l F(f,l)"
    paper = f"{_PAPER}: feature_selection.f_classif"
    cost = "n·d·q (less where data are sparse)"

    def _evidence(self, X: Any, Y: np.ndarray) -> Raw:
        return Raw(X, Y, categorical=self.categorical_features)

    def _columns(self, evidence: Raw) -> tuple[Any, np.ndarray]:
        return evidence.columns[:, evidence.varies], evidence.varies

    def _score_label(self, columns: tuple[Any, np.ndarray], label: np.ndarray) -> np.ndarray:
        varying, varies = columns
        scores = np.zeros(len(varies))
        if varies.any():
            with np.errstate(divide="ignore", invalid="ignore"):
                statistic = f_classif(varying, label)[0]
            # 0/0: with one row in each class there is no spread to compare with.
            statistic = np.where(np.isnan(statistic), 0.0, statistic)
            scores[varies] = np.where((statistic < 0) | (statistic > LARGEST_F), np.inf, statistic)
        return scores


class BinaryRelevanceChi2(PerLabelScore):
    """Σ_l of scikit-learn's χ² on features scaled to the range from 0 to 1.

    It takes the values of a feature for counts: what they add up to in the rows with the label, against what they would
    if the label did not matter. `ppt_chi` and `ela_chi` count values instead.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> Y = rng.integers(0, 2, (200, 4))
    >>> X = np.hstack([rng.random((200, 3)), Y[:, [2]]])
    >>> int(BinaryRelevanceChi2().fit(X, Y).ranking_[0])
    3
    """

    id = "chi2_br"
    name = "CHI2-BR"
    long_name = "χ² test of single labels"
    summary = (
        "Sums scikit-learn's chi2 over the labels, on features scaled to the range from 0 to 1: whether the values of "
        "the feature add up to more in the rows with the label than by chance. Made for counts of words."
    )
    formula = r"\sum_l\sum_{c\in\{0,1\}}\frac{(O_{c}-E_{c})^2}{E_{c}},\quad O_c=\sum_{i:\,y_{il}=c}x_{if}"
    paper = f"{_PAPER}: feature_selection.chi2"
    cost = "n·d·q (less where data are sparse)"

    def _evidence(self, X: Any, Y: np.ndarray) -> Design:
        return Design(X, Y, scaling="unit", categorical=self.categorical_features)

    def _columns(self, evidence: Design) -> list[tuple[np.ndarray, Any]]:
        return evidence.once("chi2_columns", lambda: _from_zero_to_one(evidence))

    def _score_label(self, columns: list[tuple[np.ndarray, Any]], label: np.ndarray) -> np.ndarray:
        scores = np.zeros(sum(len(places) for places, _ in columns))
        for places, part in columns:
            with np.errstate(divide="ignore", invalid="ignore"):
                scores[places] = np.nan_to_num(chi2(part, label)[0])  # 0/0 of a constant feature
        return scores


class L1Logistic(ScoreSelector):
    """Mean |coefficient| over the labels of one logistic regression per label with an L1 penalty.

    Features are standardised; a sparse column is not centred, which the intercept makes up for. Coefficients that are
    exactly 0 in all labels leave features tied. Labels that are all 0 or all 1 have coefficients of 0.

    Attributes
    ----------
    n_iter_ : int
        The iterations of the label that took most.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> Y = rng.integers(0, 2, (200, 4))
    >>> X = np.hstack([rng.random((200, 3)), Y[:, [2]]])
    >>> int(L1Logistic(C=0.1).fit(X, Y).ranking_[0])
    3
    """

    id = "l1_logistic"
    name = "L1-LR"
    long_name = "sparse logistic regression"
    family = "scikit-learn"
    summary = (
        "Fits scikit-learn's logistic regression for each label, with a penalty that makes most coefficients exactly "
        "0, and takes the mean size of a feature's coefficients. Of features that say the same it keeps one."
    )
    formula = r"\frac1q\sum_l|w_{fl}|,\quad w_l=\arg\min_w\|w\|_1+C\sum_i\log\bigl(1+e^{-y_{il}(x_i^\top w+b)}\bigr)"
    paper = f"{_PAPER}: linear_model.LogisticRegression (liblinear)"
    cost = "n·d per iteration and label (less where data are sparse)"

    C: float = weight(1.0, "how much the fit counts against the penalty")
    max_iter: int = integer(100, 1, None, "maximum number of iterations")

    def _evidence(self, X: Any, Y: np.ndarray) -> Design:
        # Sparse in any case, as liblinear takes it: so that dense data give the same, to the last digit.
        columns = sparse.csr_matrix(X)
        columns.eliminate_zeros()
        return Design(columns, Y, scaling="standard", categorical=self.categorical_features)

    def _score(self, evidence: Design) -> np.ndarray:
        total, self.n_iter_ = np.zeros(len(evidence.owner)), 0
        model = LogisticRegression(
            **L1, C=self.C, solver="liblinear", intercept_scaling=INTERCEPT, max_iter=self.max_iter, random_state=0
        )
        for label in varying_labels(evidence.Y).T:
            checkpoint()
            with _ONE_AT_A_TIME, warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)  # told once, below
                model.fit(evidence.columns, label)
            total += np.abs(model.coef_[0])
            self.n_iter_ = max(self.n_iter_, int(model.n_iter_.max()))
        if self.n_iter_ >= self.max_iter:
            sentence = f"{self.id} stopped at the limit of {self.max_iter} iterations: raise max_iter, or lower C."
            self.notes_.append(sentence)
            warnings.warn(sentence, ConvergenceWarning, stacklevel=2)
        return evidence.per_feature(total / evidence.sizes["labels"])


class ForestImportance(RawScore):
    """Importances of scikit-learn's ExtraTreesClassifier, grown for all labels at once; they sum to 1.

    Columns are divided by their largest value first: trees take numbers of single precision, and differences below
    1e-7 for none.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> Y = rng.integers(0, 2, (200, 1))
    >>> X = np.hstack([rng.random((200, 3)), Y])
    >>> int(ForestImportance().fit(X, Y).ranking_[0])
    3
    """

    id = "forest"
    name = "Forest"
    long_name = "extremely randomised trees"
    family = "scikit-learn"
    summary = (
        "Grows randomised trees that predict all labels together and takes how much each feature lowers their "
        "impurity. It sees dependences of any shape and between features; features that say the same share what they "
        "are worth, and chance decides which gets more."
    )
    formula = r"\frac1T\sum_{t}\ \sum_{v\in t:\,f(v)=f}\frac{n_v}{n}\,\Delta\,\mathrm{Gini}(v)"
    paper = f"{_PAPER}: ensemble.ExtraTreesClassifier; Geurts, Ernst & Wehenkel, Extremely randomized trees, 2006"
    cost = "trees·√d·n·q·log n"

    n_trees: int = integer(50, 1, 10_000, "trees in the forest")
    random_state: int = integer(0, 0, 2**32 - 1, "seed of the trees")

    def _score_columns(self, evidence: Raw) -> np.ndarray:
        from sklearn.tree import ExtraTreeClassifier  # which `import mlfs.selectors` does without

        labels = varying_labels(evidence.Y)
        if not labels.shape[1]:
            return np.zeros(len(evidence.varies))
        columns = evidence.once("forest_columns", lambda: _to_largest(evidence))

        def importances(seed: int) -> np.ndarray:
            return ExtraTreeClassifier(random_state=seed).fit(columns, labels).feature_importances_

        # The seeds that ExtraTreesClassifier would give its trees. It would keep them all: gigabytes, with many labels.
        seeds = np.random.RandomState(self.random_state).randint(np.iinfo(np.int32).max, size=self.n_trees)
        total = np.sum(each(importances, seeds.tolist(), self.n_jobs), axis=0)
        return total / (total.sum() or 1.0)


def varying_labels(Y: np.ndarray) -> np.ndarray:
    """(n, at most q) the labels that have both classes."""
    return Y[:, Y.min(axis=0) != Y.max(axis=0)]


def _from_zero_to_one(evidence: Design) -> list[tuple[np.ndarray, Any]]:
    """The columns in parts, each with its places: those that scaling leaves sparse; the others, dense, in blocks."""
    columns, offset = evidence.columns, evidence.offset
    if offset is None or not sparse.issparse(columns):
        return [(np.arange(columns.shape[1]), columns)]
    # Rounding must not leave a value below 0, which χ² refuses.
    shifted, by_column = np.flatnonzero(offset), columns.tocsc()
    kept = np.flatnonzero(offset == 0)
    blocks = [shifted[low:high] for low, high in ranges(len(shifted), BLOCK)]
    parts = [(places, np.maximum(dense(by_column[:, places]) - offset[places], 0.0)) for places in blocks]
    return [*([(kept, by_column[:, kept].tocsr())] if len(kept) else []), *parts]


def _to_largest(evidence: Raw) -> Any:
    """The columns divided by their largest absolute values, constant ones as 0."""
    columns = evidence.columns
    largest = dense(abs(columns).max(axis=0)).ravel()
    factor = np.divide(1.0, largest, out=np.zeros_like(largest), where=evidence.varies & (largest > 0))
    scaled = (columns @ sparse.diags(factor)).tocsc() if sparse.issparse(columns) else columns * factor
    return scaled.astype(np.float32)
