"""Discretisation, entropies and mutual information: one fast kernel that every method shares."""

from mlfs.information.discretization import Discretizer, discretize
from mlfs.information.measures import (
    chi_square,
    conditional_mutual_information,
    joint_entropy,
    joint_mutual_information,
    label_interaction,
    mutual_information,
    symmetrical_uncertainty,
)
from mlfs.information.states import States, entropy, group, labelset
from mlfs.information.tables import Tables

__all__ = [
    "Discretizer",
    "States",
    "Tables",
    "chi_square",
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
