"""ELA+CHI: rows copied once per label with an entropy-based weight, then χ² (Chen et al. 2007)."""

from __future__ import annotations

import numpy as np

from mlfs.information import chi_square
from mlfs.selectors.base import InformationScore
from mlfs.selectors.evidence import Information


class ELAChi(InformationScore):
    """Each row copied once per positive label with weight 1/#labels; χ² of the weighted value × label table.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> Y = rng.integers(0, 2, (200, 4))
    >>> X = np.hstack([rng.random((200, 3)), Y[:, [2]]])
    >>> int(ELAChi().fit(X, Y).ranking_[0])
    3
    """

    id = "ela_chi"
    name = "ELA-CHI"
    long_name = "χ² after entropy-based label assignment"
    summary = (
        "Copies each row once for each of its labels, the copies sharing a weight of one, and takes the χ² statistic "
        "of feature value against label. Rows without a label drop out."
    )
    formula = r"\chi^2\Bigl(f;\,l\Bigr)\ \text{with}\ n_{vl}=\sum_{i:\,f_i=v}\frac{y_{il}}{\sum_{l'}y_{il'}}"
    paper = (
        "Chen, Yan, Zhang, Chen & Yang, Document transformation for multi-label feature selection in text "
        "categorization, ICDM 2007"
    )
    cost = "n·d·q for the counts (less where data are sparse)"

    def _score(self, evidence: Information) -> np.ndarray:
        Y = evidence.Y.astype(np.float64)
        return chi_square(evidence.features, Y / np.maximum(Y.sum(axis=1, keepdims=True), 1.0))
