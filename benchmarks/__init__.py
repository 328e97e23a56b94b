"""Side-by-side timings, printed as ratios: `make bench`, or `make bench ARGS=information` for one part.

A part is a module here with a function `report()` that prints its lines.
"""
