"""Discretisation, entropies and mutual information: one fast kernel that every method shares."""

from mlfs.information.discretization import Discretizer, discretize
from mlfs.information.kernel import (
    Tables,
    conditional_mutual_information,
    entropy,
    joint_entropy,
    joint_mutual_information,
    label_interaction,
    mutual_information,
    symmetrical_uncertainty,
)
from mlfs.information.states import States, group, labelset

__all__ = [
    "Discretizer",
    "States",
    "Tables",
    "conditional_mutual_information",
    "discretize",
    "entropy",
    "group",
    "joint_entropy",
    "joint_mutual_information",
    "label_interaction",
    "labelset",
    "mutual_information",
    "symmetrical_uncertainty",
]
