"""Zhou & Guo 2023: MAPD, approximate Pareto dominance."""
