"""What all classifiers here share, so that searches, scorers and checks of scikit-learn take them as multi-label."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from mlfs.checks import without_mask
from mlfs.encoding import checked_labels, dense


class MultiLabelClassifier(ClassifierMixin, BaseEstimator):
    """A classifier of tables of labels.

    Attributes
    ----------
    classes_ : (q, 2) array
        The classes of each label, 0 and 1 in the type of the labels that were fitted: that of predicted labels too.
    n_features_in_ : int
    """

    sizes_matter: ClassVar[bool] = False
    """Whether what `predict_growing` gives for a size depends on the other sizes, be it only by rounding."""

    classes_: np.ndarray

    def _fit_data(self, X: Any, Y: Any, min_rows: int = 1) -> tuple[Any, np.ndarray]:
        """Training data as floats, CSR where sparse, and labels as int8."""
        if Y is None:
            # The wording scikit-learn's own estimators use, which its checks look for.
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None.")
        X = validate_data(
            self, without_mask(X, "X"), accept_sparse="csr", dtype=np.float64, ensure_min_samples=min_rows
        )
        X = _csr(X)
        labels = checked_labels(Y, X.shape[0])
        kind = dense(Y).dtype
        self.classes_ = np.tile(np.array([0, 1], dtype=kind if kind.kind in "biuf" else np.int8), (labels.shape[1], 1))
        return X, labels

    def _data(self, X: Any) -> Any:
        """Data to predict, as floats, CSR where sparse."""
        check_is_fitted(self)
        return _csr(validate_data(self, without_mask(X, "X"), reset=False, accept_sparse="csr", dtype=np.float64))

    def _as_fitted(self, chosen: np.ndarray) -> np.ndarray:
        """(n, q) 0/1 labels in the type of those that were fitted."""
        return chosen.astype(self.classes_.dtype)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.multi_output = True
        tags.target_tags.single_output = False
        tags.classifier_tags.multi_label = True
        tags.classifier_tags.multi_class = False
        return tags


def _csr(X: Any) -> Any:
    """Sparse arrays as matrices, which scikit-multilearn needs."""
    return sparse.csr_matrix(X) if sparse.issparse(X) else X
