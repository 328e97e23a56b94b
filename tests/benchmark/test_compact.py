"""Numbers that are kept have as many digits as matter."""

import numpy as np

from mlfs.benchmark.compact import rounded


def test_rounding_keeps_digits_not_decimals():
    assert rounded(np.array([123456.0, 0.000123456, 0.0, -1.0])).tolist() == [123460.0, 0.00012346, 0.0, -1.0]
