"""Variables that follow one another."""

import numpy as np
from mlfs.learn.toys import Draws


def follower(share):
    draws = Draws(np.random.default_rng(0), 100)
    source = draws.coin()
    return source, draws.follow(source, share, otherwise=1 - source)


def test_as_many_instances_follow_as_wished():
    for share in (0, 0.25, 1):
        source, found = follower(share)
        assert (source == found).sum() == 100 * share


def test_a_larger_share_keeps_what_followed_before():
    source, some = follower(0.4)
    _, more = follower(0.6)
    assert (more == source)[some == source].all()


def test_a_coin_is_fair():
    assert Draws(np.random.default_rng(3), 100).coin().sum() == 50
