"""The metrics by their laws, then by hand-worked lists."""

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.errors import InputError
from goldwright.metrics import (
    METRICS,
    Metric,
    MetricUndefinedError,
    find_metric,
    ndcg,
    precision,
    recall,
    reciprocal_rank,
)

IDS = st.sampled_from([f"m.py::f{number}" for number in range(30)])
RANKINGS = st.lists(IDS, unique=True, max_size=30)
RELEVANT = st.frozensets(IDS, min_size=1, max_size=12)


@given(RANKINGS, RELEVANT, st.sampled_from(list(METRICS.values())))
def test_every_metric_lies_between_0_and_1(ranked: list[str], relevant: frozenset[str], metric: Metric) -> None:
    """Whatever is ranked, a metric is a share."""
    assert 0.0 <= metric(ranked, relevant) <= 1.0


@given(RANKINGS, RELEVANT, st.sampled_from(list(METRICS.values())))
def test_a_list_without_anything_relevant_scores_0(ranked: list[str], relevant: frozenset[str], metric: Metric) -> None:
    """No relevant id found means zero, and no error."""
    assert metric([one for one in ranked if one not in relevant], relevant) == 0.0


@given(RANKINGS, RELEVANT, st.sampled_from(list(METRICS.values())), st.data())
def test_moving_a_relevant_id_up_never_lowers_a_metric(
    ranked: list[str], relevant: frozenset[str], metric: Metric, data: st.DataObject
) -> None:
    """Swapping a relevant id with the irrelevant one before it can only help."""
    places = [n for n in range(1, len(ranked)) if ranked[n] in relevant and ranked[n - 1] not in relevant]
    if not places:
        return
    place = data.draw(st.sampled_from(places))
    better = [*ranked[: place - 1], ranked[place], ranked[place - 1], *ranked[place + 1 :]]
    assert metric(better, relevant) >= metric(ranked, relevant)


@given(RANKINGS, RELEVANT, st.sampled_from(list(METRICS.values())))
def test_a_repeated_id_counts_at_its_first_place_only(
    ranked: list[str], relevant: frozenset[str], metric: Metric
) -> None:
    """Naming everything twice changes nothing."""
    doubled = [one for one in ranked for _ in range(2)]
    assert metric(doubled, relevant) == metric(ranked, relevant)


@given(RELEVANT, RANKINGS)
def test_all_relevant_ids_first_is_a_perfect_ndcg(relevant: frozenset[str], ranked: list[str]) -> None:
    """The ideal order scores exactly 1."""
    ideal = [*sorted(relevant), *(one for one in ranked if one not in relevant)]
    assert ndcg(ideal, relevant) == 1.0


@pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
def test_a_query_without_relevant_ids_has_no_metric(metric: Metric) -> None:
    """An empty set of relevant ids is an error, never a zero or a NaN."""
    with pytest.raises(MetricUndefinedError, match="this query has none"):
        metric(["m.py::f"], frozenset())


@pytest.mark.parametrize("measure", [ndcg, recall, precision])
def test_a_cutoff_below_1_is_an_error(measure: Callable[..., float]) -> None:
    """There is no top zero."""
    with pytest.raises(MetricUndefinedError, match="found 0"):
        measure(["a"], {"a"}, cutoff=0)


def test_ndcg_of_ranks_1_and_3_out_of_three_relevant_ids() -> None:
    """Worked by hand: (1 + 0.5) / (1 + 1/log2(3) + 0.5)."""
    assert ndcg(["a", "x", "b", "y"], {"a", "b", "c"}) == pytest.approx(0.7039180890341347, abs=1e-12)


def test_ndcg_looks_no_further_than_its_cutoff() -> None:
    """A relevant id at rank 11 adds nothing at a cutoff of 10."""
    assert ndcg([*"0123456789", "a"], {"a"}, cutoff=10) == 0.0
    assert ndcg([*"0123456789", "a"], {"a"}, cutoff=11) == pytest.approx(1 / math.log2(12))


def test_reciprocal_rank_is_that_of_the_first_relevant_id() -> None:
    """Later relevant ids do not matter, and there is no cutoff."""
    assert reciprocal_rank(["x", "y", "a", "b"], {"a", "b"}) == 1 / 3
    assert reciprocal_rank([*"0123456789", "a"], {"a"}) == 1 / 11


def test_recall_divides_by_what_is_relevant() -> None:
    """Two of four found among the first ten is a half."""
    assert recall(["a", "x", "b"], {"a", "b", "c", "d"}, cutoff=10) == 0.5


def test_precision_divides_by_the_cutoff_even_for_a_short_list() -> None:
    """One right id out of one, at a cutoff of five, is a fifth."""
    assert precision(["a"], {"a"}, cutoff=5) == 0.2


def test_every_name_of_a_metric_finds_it() -> None:
    """Each canonical name leads to one metric."""
    assert list(METRICS) == ["nDCG@10", "MRR", "R@10", "P@1", "P@5"]
    assert [find_metric(name) for name in METRICS] == list(METRICS.values())


def test_an_unknown_metric_is_refused_with_the_names_there_are() -> None:
    """The message helps to pick another one."""
    with pytest.raises(InputError, match="MAP: no such metric; one of nDCG@10, MRR"):
        find_metric("MAP")
