"""Sechidis et al. 2014: criteria from composite likelihood; its results are figures only."""
