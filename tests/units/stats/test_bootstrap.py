"""Intervals from resampling, held against scipy."""

import importlib
from random import Random
from typing import Any

import numpy as np
import pytest

from goldwright.stats.binomial import clopper_pearson, mid_p
from goldwright.stats.bootstrap import bootstrap_means

stats: Any = importlib.import_module("scipy.stats")


@pytest.mark.parametrize("seed", range(4))
def test_an_interval_is_that_of_scipy_up_to_the_draws(seed: int) -> None:
    chance = Random(seed)
    values = [chance.choice([0.0, 0.1, 0.25, 0.5, 1.0, 1.0]) ** (1 + seed) for _ in range(40)]
    found = bootstrap_means({"MRR": values}, seed=seed)["MRR"]
    wanted = stats.bootstrap(
        (np.array(values),), np.mean, method="BCa", n_resamples=20_000, rng=1
    ).confidence_interval
    assert found == pytest.approx((wanted.low, wanted.high), abs=0.02)


def test_columns_are_resampled_alike_and_a_seed_settles_everything() -> None:
    columns = {"a": [0.0, 0.5, 1.0] * 5, "b": [0.0, 0.5, 1.0] * 5}
    found = bootstrap_means(columns, seed=3)
    assert found["a"] == found["b"]
    assert found == bootstrap_means(columns, seed=3)


def test_where_nothing_can_be_resampled_there_is_no_interval() -> None:
    assert bootstrap_means({"a": [0.5]}, seed=1) == {"a": None}
    assert bootstrap_means({"a": [0.5, 0.5, 0.5]}, seed=1) == {"a": None}
    assert bootstrap_means({"a": [0.0, 1.0] * 600}, seed=1) == {"a": None}
    assert bootstrap_means({}, seed=1) == {}


@pytest.mark.parametrize("trials", [1, 2, 7, 25, 60])
def test_a_mid_p_interval_lies_within_the_exact_one_and_is_the_mirror_of_that_of_failures(
    trials: int,
) -> None:
    for successes in range(trials + 1):
        low, high = mid_p(successes, trials)
        least, most = clopper_pearson(successes, trials)
        assert least <= low < high <= most
        assert mid_p(trials - successes, trials) == pytest.approx((1 - high, 1 - low), abs=1e-12)


def test_half_the_probability_of_what_was_seen_counts_at_either_end() -> None:
    for successes, trials in ((4, 7), (1, 25), (31, 60)):
        low, high = mid_p(successes, trials)
        above = stats.binom.sf(successes, trials, low) + stats.binom.pmf(successes, trials, low) / 2
        below = (
            stats.binom.cdf(successes - 1, trials, high)
            + stats.binom.pmf(successes, trials, high) / 2
        )
        assert (above, below) == pytest.approx((0.025, 0.025), abs=1e-9)


@pytest.mark.parametrize(("successes", "trials"), [(-1, 3), (4, 3)])
def test_counts_that_are_none_are_refused(successes: int, trials: int) -> None:
    with pytest.raises(ValueError, match="no count of successes"):
        mid_p(successes, trials)
