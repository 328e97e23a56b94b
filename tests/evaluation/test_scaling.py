"""Scaling learns from training rows only and keeps sparse data sparse."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from mlfs.errors import ParameterError
from mlfs.evaluation import scale

rng = np.random.default_rng(0)
TRAIN, TEST = rng.normal(3, 2, (30, 4)), rng.normal(3, 5, (10, 4))
TRAIN[:, 2] = 7.0


@pytest.mark.parametrize(("scaling", "peer"), [("z_score", StandardScaler()), ("unit", MinMaxScaler())])
def test_as_scikit_learn_does(scaling, peer):
    train, test = scale(TRAIN, TEST, scaling)
    varied = [0, 1, 3]
    np.testing.assert_allclose(train[:, varied], peer.fit_transform(TRAIN)[:, varied])
    np.testing.assert_allclose(test[:, varied], peer.transform(TEST)[:, varied])
    assert not train[:, 2].any()
    assert not test[:, 2].any()


@pytest.mark.parametrize("scaling", ["z_score", "unit"])
def test_sparse_distances_are_the_dense_ones(scaling):
    a, b = TRAIN * (rng.random(TRAIN.shape) < 0.4), TEST * (rng.random(TEST.shape) < 0.4)
    dense = scale(a, b, scaling)
    thin = scale(sparse.csr_matrix(a), sparse.csr_matrix(b), scaling)
    assert all(map(sparse.issparse, thin))
    assert thin[0].nnz <= np.count_nonzero(a)
    for x, y in zip(dense, thin, strict=True):
        np.testing.assert_allclose(x - x[0], y.toarray() - y.toarray()[0], atol=1e-12)


def test_none_and_unknown():
    assert scale(TRAIN, TEST, "none")[0] is TRAIN
    with pytest.raises(ParameterError, match="no scaling 'zscore': did you mean 'z_score'"):
        scale(TRAIN, TEST, "zscore")
