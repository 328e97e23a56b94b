"""All feature-selection methods, by id in `SELECTORS`; `make_selector` makes one with checked parameter names."""

from typing import Any

from mlfs import extensions
from mlfs.checks import checked
from mlfs.errors import ParameterError, did_you_mean
from mlfs.parameters import Parameter
from mlfs.selectors.adapter import ScikitLearnSelector, adapted
from mlfs.selectors.base import SELECTORS, GreedySelector, ScoreSelector, Selector
from mlfs.selectors.baselines import AllFeatures, Random
from mlfs.selectors.binary_relevance import BinaryRelevanceCorrelation, BinaryRelevanceOddsRatio
from mlfs.selectors.bmfs import BMFS
from mlfs.selectors.cmfs import CMFS
from mlfs.selectors.composite_likelihood import (
    CMIBinaryRelevance,
    CMILabelPowerset,
    JMIBinaryRelevance,
    JMILabelPowerset,
    MIMBinaryRelevance,
    MIMLabelPowerset,
)
from mlfs.selectors.constraints import ConstrainedSelector, Constraints
from mlfs.selectors.csfs import CSFS
from mlfs.selectors.ela import ELAChi
from mlfs.selectors.elc import ELC
from mlfs.selectors.els import ELS
from mlfs.selectors.fimf import FIMF
from mlfs.selectors.forward_information import AMI, D2F, MDMR, PMU, SCLS
from mlfs.selectors.grro import GRRO, GRROLabelSpecific
from mlfs.selectors.igmf import IGMF
from mlfs.selectors.llsf import LLSF
from mlfs.selectors.lrfs import LRFS
from mlfs.selectors.mdfs import MDFS
from mlfs.selectors.mfs import MFS
from mlfs.selectors.mfs_mcdm import MFSMCDM
from mlfs.selectors.mgfs import MGFS
from mlfs.selectors.mico import MICO
from mlfs.selectors.mifs import MIFS
from mlfs.selectors.mrdm import MRDM
from mlfs.selectors.mrmr import MRMRBinaryRelevance, MRMRLabelPowerset
from mlfs.selectors.pareto import MAPD, ParFS
from mlfs.selectors.pmfs import PMFS
from mlfs.selectors.ppt import PPTMI, PPTChi
from mlfs.selectors.relief import PPTReliefF, ReliefFML
from mlfs.selectors.rfs import RFS
from mlfs.selectors.scikit_learn import BinaryRelevanceChi2, BinaryRelevanceF, ForestImportance, L1Logistic
from mlfs.selectors.scmfs import SCMFS
from mlfs.selectors.scnmf import SCNMF
from mlfs.selectors.spfs import SPFS
from mlfs.selectors.srfs import RFSFS, SRFS
from mlfs.selectors.ssfs import SSFS

__all__ = [
    "AMI",
    "BMFS",
    "CMFS",
    "CSFS",
    "D2F",
    "ELC",
    "ELS",
    "FIMF",
    "GRRO",
    "IGMF",
    "LLSF",
    "LRFS",
    "MAPD",
    "MDFS",
    "MDMR",
    "MFS",
    "MFSMCDM",
    "MGFS",
    "MICO",
    "MIFS",
    "MRDM",
    "PMFS",
    "PMU",
    "PPTMI",
    "RFS",
    "RFSFS",
    "SCLS",
    "SCMFS",
    "SCNMF",
    "SELECTORS",
    "SPFS",
    "SRFS",
    "SSFS",
    "AllFeatures",
    "BinaryRelevanceChi2",
    "BinaryRelevanceCorrelation",
    "BinaryRelevanceF",
    "BinaryRelevanceOddsRatio",
    "CMIBinaryRelevance",
    "CMILabelPowerset",
    "ConstrainedSelector",
    "Constraints",
    "ELAChi",
    "ForestImportance",
    "GRROLabelSpecific",
    "GreedySelector",
    "JMIBinaryRelevance",
    "JMILabelPowerset",
    "L1Logistic",
    "MIMBinaryRelevance",
    "MIMLabelPowerset",
    "MRMRBinaryRelevance",
    "MRMRLabelPowerset",
    "PPTChi",
    "PPTReliefF",
    "ParFS",
    "Parameter",
    "Random",
    "ReliefFML",
    "ScikitLearnSelector",
    "ScoreSelector",
    "Selector",
    "adapted",
    "make_selector",
]


@checked
def make_selector(method: str, **parameters: Any) -> Selector:
    """Make the selector with the given id.

    Parameters
    ----------
    method : str
        An id in `SELECTORS`.
    **parameters
        As ``SELECTORS[method].parameters`` declares them; their values are checked when the selector is fitted.

    Returns
    -------
    Selector

    Examples
    --------
    >>> make_selector("els", n_labels=2)
    ELS(n_labels=2)
    >>> make_selector("esl")
    Traceback (most recent call last):
    mlfs.errors.ParameterError: There is no method 'esl': did you mean 'els'?
    """
    if method not in SELECTORS:
        raise ParameterError(f"There is no method {method!r}: {did_you_mean(method, SELECTORS)}")
    known = SELECTORS[method].parameters
    for name in parameters:
        if name not in known:
            raise ParameterError(f"{method} has no parameter {name!r}: {did_you_mean(name, known)}")
    return SELECTORS[method](**parameters)


extensions.load()
