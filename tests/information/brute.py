"""The slow, obvious versions: count combinations with a dictionary, straight from the definitions."""

from collections import Counter
from math import log2

import numpy as np


def H(*columns):
    """Joint entropy in bits of columns of discrete values."""
    rows = Counter(zip(*[np.asarray(c).tolist() for c in columns], strict=True))
    n = sum(rows.values())
    return -sum(c / n * log2(c / n) for c in rows.values())


def M(a, b):
    return H(a) + H(b) - H(a, b)


def M_given(a, b, *c):
    return H(a, *c) + H(b, *c) - H(a, b, *c) - (H(*c) if c else 0.0)


def M_joint(a, s, b):
    """M(a, s; b)."""
    return H(a, s) + H(b) - H(a, s, b)


def I3(a, b, c):
    return H(a) + H(b) + H(c) - H(a, b) - H(a, c) - H(b, c) + H(a, b, c)
