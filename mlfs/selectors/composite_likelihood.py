"""MIM, JMI and CMI for labels one by one (BR) or as one labelset (LP): Sechidis, Nikolaou & Brown 2014.

The three differ in what they assume about the features, BR and LP in what they assume about the labels.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from mlfs.information import entropy, group, joint_entropy
from mlfs.selectors.base import InformationScore, InformationSearch
from mlfs.selectors.evidence import Information

_PAPER = (
    "Sechidis, Nikolaou & Brown, Information theoretic feature selection in multi-label data through composite "
    "likelihood, S+SSPR 2014"
)


class MIMBinaryRelevance(InformationScore):
    """Rel(f) = Σ_l M(f; l) (eq. 7).

    Examples
    --------
    >>> import numpy as np
    >>> Y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5)
    >>> X = np.column_stack([np.arange(20) % 5, Y[:, 0], Y[:, 0] + 2 * Y[:, 1]])
    >>> MIMBinaryRelevance().fit(X, Y).scores_.round(3) + 0.0  # nothing, one label, both: bits
    array([0., 1., 2.])
    """

    id = "mim_br"
    name = "MIM-BR"
    long_name = "information on single labels"
    summary = (
        "Sums the mutual information of the feature with each label. The simplest criterion: features and labels are "
        "each taken to be independent of one another."
    )
    formula = r"\sum_l M(f;l)"
    paper = f"{_PAPER}, eq. (7)"
    cost = "n·d·q for the counts (less where data are sparse)"

    def _score(self, evidence: Information) -> np.ndarray:
        return evidence.relevance.copy()


class MIMLabelPowerset(InformationScore):
    """M(f; labelset) (eq. 5).

    Examples
    --------
    >>> import numpy as np
    >>> Y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5)
    >>> X = np.column_stack([Y[:, 0], Y[:, 0] ^ Y[:, 1]])
    >>> MIMLabelPowerset().fit(X, Y).scores_.round(3)  # whether both labels agree is one bit about the labelset, too
    array([1., 1.])
    >>> MIMBinaryRelevance().fit(X, Y).scores_.round(3)
    array([1., 0.])
    """

    id = "mim_lp"
    name = "MIM-LP"
    long_name = "information on labelsets"
    summary = (
        "The mutual information of the feature with the whole labelset, taken as one class. Sees every dependence "
        "between labels, at the price of many rare classes."
    )
    formula = r"M(f;\,l_1\dots l_q)"
    paper = f"{_PAPER}, eq. (5)"
    cost = "n·d for one sparse product"

    def _score(self, evidence: Information) -> np.ndarray:
        return evidence.labelset_information.copy()


class JMIBinaryRelevance(InformationSearch):
    """First by MIM, then Σ_{s∈S} Σ_l M(f, s; l) (eq. 8).

    Examples
    --------
    >>> import numpy as np
    >>> Y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5)
    >>> X = Y[:, [0, 0, 1]]  # the first feature twice
    >>> JMIBinaryRelevance().fit(X, Y).ranking_[:2].tolist()
    [0, 2]
    """

    id = "jmi_br"
    name = "JMI-BR"
    long_name = "joint information on single labels"
    summary = (
        "Picks the feature that, paired with each feature picked before, tells most about the labels one by one. "
        "Redundant features gain little from the pairing and fall back."
    )
    formula = r"\sum_{s\in S}\sum_l M(f,s;\,l)"
    slips = "The JMI of MLC_toolbox sees only the last label."
    paper = f"{_PAPER}, eq. (8)"
    cost = "n·d·q per picked feature (less where data are sparse)"

    def _search(self, evidence: Information) -> Generator[np.ndarray, int, None]:
        s = yield evidence.relevance
        total = np.zeros_like(evidence.relevance)
        while True:
            # M(f, s; l) = M(s; l) + M(f; l | s)
            total += evidence.relevance[s] + evidence.conditional_relevance(s)
            s = yield total


class JMILabelPowerset(InformationSearch):
    """First by MIM, then Σ_{s∈S} M(f, s; labelset) (eq. 6).

    Examples
    --------
    >>> import numpy as np
    >>> Y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5)
    >>> X = Y[:, [0, 0, 1]]  # the first feature twice
    >>> JMILabelPowerset().fit(X, Y).ranking_[:2].tolist()
    [0, 2]
    """

    id = "jmi_lp"
    name = "JMI-LP"
    long_name = "joint information on labelsets"
    summary = (
        "Picks the feature that, paired with each feature picked before, tells most about the labelset taken as one "
        "class."
    )
    formula = r"\sum_{s\in S}M(f,s;\,l_1\dots l_q)"
    paper = f"{_PAPER}, eq. (6)"
    cost = "n·d per picked feature, by two sparse products"

    def _search(self, evidence: Information) -> Generator[np.ndarray, int, None]:
        s = yield evidence.labelset_information
        total = np.zeros_like(evidence.labelset_information)
        while True:
            joint = evidence.features.codes(s)
            total += evidence.labelset_information[s] + _given(evidence, joint)
            s = yield total


class CMIBinaryRelevance(InformationSearch):
    """First by MIM, then Σ_l M(f; l | S), S as one joint variable (eq. 4).

    Examples
    --------
    >>> import numpy as np
    >>> Y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5)
    >>> X = Y[:, [0, 0, 1]]  # the first feature twice
    >>> CMIBinaryRelevance().fit(X, Y).ranking_[:2].tolist()
    [0, 2]
    """

    id = "cmi_br"
    name = "CMI-BR"
    long_name = "conditional information, single labels"
    summary = (
        "Picks the feature that tells most about the labels one by one, given all features picked before as one joint "
        "variable. After a few picks most combinations occur once, and the estimate runs out of data."
    )
    formula = r"\sum_l M(f;\,l\mid S)"
    paper = f"{_PAPER}, eq. (4)"
    cost = "d·(pairs of label and occupied state of S) per picked feature"

    def _search(self, evidence: Information) -> Generator[np.ndarray, int, None]:
        s = yield evidence.relevance
        joint = evidence.features.codes(s)
        while True:
            s = yield evidence.tables.conditional(joint).sum(axis=1)
            joint = group(joint, evidence.features.codes(s))


class CMILabelPowerset(InformationSearch):
    """First by MIM, then M(f; labelset | S), S as one joint variable (eq. 3).

    Examples
    --------
    >>> import numpy as np
    >>> Y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5)
    >>> X = Y[:, [0, 0, 1]]  # the first feature twice
    >>> CMILabelPowerset().fit(X, Y).ranking_[:2].tolist()
    [0, 2]
    """

    id = "cmi_lp"
    name = "CMI-LP"
    long_name = "conditional information, labelsets"
    summary = (
        "Picks the feature that tells most about the labelset, given all features picked before as one joint variable. "
        "It assumes nothing and needs the most data."
    )
    formula = r"M(f;\,l_1\dots l_q\mid S)"
    paper = f"{_PAPER}, eq. (3)"
    cost = "n·d per picked feature, by two sparse products"

    def _search(self, evidence: Information) -> Generator[np.ndarray, int, None]:
        s = yield evidence.labelset_information
        joint = evidence.features.codes(s)
        while True:
            s = yield _given(evidence, joint)
            joint = group(joint, evidence.features.codes(s))


def _given(evidence: Information, joint: np.ndarray) -> np.ndarray:
    """(d,) M(f; labelset | joint) = H(f, joint) + H(labelset, joint) − H(f, labelset, joint) − H(joint)."""
    with_labels = group(joint, evidence.labelset)
    conditional = (
        joint_entropy(evidence.features, joint, n_jobs=evidence.n_jobs)
        + entropy(with_labels)[0]
        - joint_entropy(evidence.features, with_labels, n_jobs=evidence.n_jobs)
        - entropy(joint)[0]
    )
    return np.maximum(conditional, 0.0)
