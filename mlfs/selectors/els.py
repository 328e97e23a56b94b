"""ELS: exact mutual information for a few labels of high entropy, a bound for the rest (Lee & Kim 2016)."""

from __future__ import annotations

import numpy as np

from mlfs.parameters import choice, integer
from mlfs.selectors.base import InformationScore
from mlfs.selectors.evidence import Information


class ELS(InformationScore):
    r"""Entropy-based label selection (Lee & Kim, Entropy 2016, eq. 13 and Algorithm 1).

    C̃_j(f) = Σ_{l∈Y} M(f;l) + Σ_{l∉Y} min(H(f), H(l)), where Y holds the j = |Y| labels of highest entropy.

    Attributes
    ----------
    labels_ : (n_labels,) int array
        The labels in Y.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> Y = rng.integers(0, 2, (200, 4))
    >>> X = np.hstack([rng.random((200, 3)), Y[:, [2]]])
    >>> int(ELS(n_labels=4).fit(X, Y).ranking_[0])
    3
    """

    id = "els"
    name = "ELS"
    long_name = "entropy-based label selection"
    summary = (
        "Computes the mutual information of each feature with the few labels of highest entropy, and replaces it by "
        "its upper bound min(H(f), H(l)) for all other labels. With |Y| = q it is the plain sum over all labels; with "
        "|Y| = 0 it orders the features by their own entropy."
    )
    formula = r"\tilde C_j(f)=\sum_{l\in Y}M(f;l)+\sum_{l\notin Y}\min\bigl(H(f),H(l)\bigr)"
    paper = "Lee & Kim, Efficient Multi-Label Feature Selection Using Entropy-Based Label Selection, Entropy 2016"
    cost = "n·d·q for the counts (less where data are sparse); every |Y| then comes from one cumulative sum"

    n_labels: int | None = integer(
        None, 0, "labels", "|Y|: labels whose mutual information is computed exactly", none="a fifth of the labels"
    )
    label_order: str = choice(
        "max_entropy",
        ("max_entropy", "min_entropy"),
        "which labels enter Y first: the paper's choice, or its contrast (§4.4)",
    )

    def label_ranking(self, evidence: Information) -> np.ndarray:
        """(q,) labels in the order in which they enter Y."""
        return evidence.labels_by_entropy(descending=self.label_order == "max_entropy")

    def bounds(self, evidence: Information) -> np.ndarray:
        """(q + 1, d) the chain C̃_0 = C̃ ≥ C̃_1 ≥ … ≥ C̃_q = C of Lemma 1: row j holds the scores for |Y| = j."""
        return evidence.once(("els_bounds", self.label_order), lambda: self._bounds(evidence))

    def _bounds(self, evidence: Information) -> np.ndarray:
        order = self.label_ranking(evidence)
        bound = np.minimum.outer(evidence.label_entropy[order], evidence.feature_entropy)
        chain = np.empty((len(order) + 1, evidence.sizes["features"]))
        chain[0] = bound.sum(axis=0)
        # Each label that enters Y takes its bound away and brings its information.
        chain[1:] = chain[0] - np.cumsum(bound - evidence.information.T[order], axis=0)
        return chain

    def _score(self, evidence: Information) -> np.ndarray:
        q = evidence.sizes["labels"]
        exact = -(-q // 5) if self.n_labels is None else self.n_labels
        self.labels_ = self.label_ranking(evidence)[:exact]
        return self.bounds(evidence)[exact]
