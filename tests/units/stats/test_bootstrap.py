"""Intervals from resampling, held against scipy."""

from random import Random

import numpy as np
import pytest

from deferred import DeferredModule
from goldwright.stats.bootstrap import bootstrap_means

STATS = DeferredModule("scipy.stats")


@pytest.mark.parametrize("seed", range(4))
def test_an_interval_is_that_of_scipy_up_to_the_draws(seed: int) -> None:
    random = Random(seed)
    values = [random.choice([0.0, 0.1, 0.25, 0.5, 1.0, 1.0]) ** (1 + seed) for _ in range(40)]
    interval = bootstrap_means({"MRR": values}, seed=seed)["MRR"]
    expected = STATS.bootstrap(
        (np.array(values),), np.mean, method="BCa", n_resamples=20_000, rng=1
    ).confidence_interval
    assert interval == pytest.approx((expected.low, expected.high), abs=0.02)


def test_columns_are_resampled_alike_and_a_seed_settles_everything() -> None:
    columns = {"a": [0.0, 0.5, 1.0] * 5, "b": [0.0, 0.5, 1.0] * 5}
    intervals = bootstrap_means(columns, seed=3)
    assert intervals["a"] == intervals["b"]
    assert intervals == bootstrap_means(columns, seed=3)


def test_where_nothing_can_be_resampled_there_is_no_interval() -> None:
    assert bootstrap_means({"a": [0.5]}, seed=1) == {"a": None}
    assert bootstrap_means({"a": [0.5, 0.5, 0.5]}, seed=1) == {"a": None}
    assert bootstrap_means({"a": [0.0, 1.0] * 600}, seed=1) == {"a": None}
    assert bootstrap_means({}, seed=1) == {}
