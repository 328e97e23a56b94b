"""LRFS: what a feature tells about a label once another label is known (Zhang, Liu & Gao 2019)."""

from __future__ import annotations

import numpy as np

from mlfs.selectors.evidence import Information
from mlfs.selectors.mrmr import MeanRedundancySearch


class LRFS(MeanRedundancySearch):
    """Σ_l Σ_{l'≠l} M(f; l | l') − (1/|S|) Σ_{s∈S} M(f; s).

    The first sum takes one pass over the pairs of labels: M(f; l | l') = M(f; l) − I3(f, l, l'), so that it is
    (q − 1)·Rel(f) − 2·Σ_{l<l'} I3(f, l, l'). A single label has no other to be given: then it is Rel(f), as `notes_`
    says.

    Examples
    --------
    >>> import numpy as np
    >>> Y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5)
    >>> X = np.column_stack([Y[:, 0], Y[:, 0], Y[:, 0] ^ Y[:, 1]])  # the first feature twice; whether labels differ
    >>> LRFS().fit(X, Y).ranking_.tolist()  # given one label, whether they differ tells the other
    [2, 0, 1]
    """

    id = "lrfs"
    name = "LRFS"
    long_name = "label redundancy"
    summary = (
        "A feature is worth what it tells about one label to somebody who knows another label already, summed over all "
        "pairs of labels: what labels have in common is not counted twice. Subtracted is what it has in common, on "
        "average, with the features picked before."
    )
    formula = r"\sum_l\sum_{l'\ne l}M(f;\,l\mid l')-\frac1{|S|}\sum_{s\in S}M(f;s)"
    paper = (
        "Zhang, Liu & Gao, Distinguishing two types of labels for multi-label feature selection, Pattern "
        "Recognition 2019"
    )
    cost = "n·d·q² for the label pairs, then n·d per picked feature (less where data are sparse)"

    def _relevance(self, evidence: Information) -> np.ndarray:
        others = evidence.sizes["labels"] - 1
        if others == 0:
            self.notes_.append("With one label there is no other to be known: LRFS goes by M(f; l) instead.")
            return evidence.relevance
        return others * evidence.relevance - 2 * evidence.label_pairs
