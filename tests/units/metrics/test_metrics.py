"""The metrics by their laws, then by rankings worked by hand."""

import math
from collections.abc import Callable

import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from goldwright.errors import InputError
from goldwright.metrics import (
    METRICS,
    Metric,
    MetricUndefinedError,
    accuracy,
    average_precision,
    find_metric,
    find_relevant,
    judged_share,
    ndcg,
    precision,
    r_precision,
    rank_biased_precision,
    recall,
    reciprocal_rank,
    success,
)
from goldwright.metrics.catalog import WITHOUT_CUTOFF

PYTREC_NAMES = {
    "MRR": "recip_rank",
    "MAP": "map",
    "MAP@10": "map_cut_10",
    "Rprec": "Rprec",
    "nDCG@10": "ndcg_cut_10",
    "R@10": "recall_10",
    "P@5": "P_5",
    "Hit@5": "success_5",
}

IDS = st.sampled_from([f"m.py::f{number}" for number in range(30)])
RANKINGS = st.lists(IDS, unique=True, max_size=30)
RELEVANT = st.frozensets(IDS, min_size=1, max_size=12)
ALL_METRICS = {**METRICS, **{name: find_metric(name) for name in WITHOUT_CUTOFF}}
# Judged measures what anybody looked at, not what is relevant, so it obeys other laws.
QUALITY_METRICS = {
    name: metric for name, metric in ALL_METRICS.items() if not name.startswith("Judged")
}


@given(RANKINGS, RELEVANT, st.sampled_from(list(ALL_METRICS.values())))
def test_every_metric_lies_between_0_and_1(
    ranked: list[str], relevant: frozenset[str], metric: Metric
) -> None:
    """Whatever is ranked, a metric is a share."""
    assert 0.0 <= metric(find_relevant(ranked, relevant)) <= 1.0


@given(RANKINGS, RELEVANT, st.sampled_from(list(QUALITY_METRICS.values())))
def test_a_ranking_without_anything_relevant_scores_0(
    ranked: list[str], relevant: frozenset[str], metric: Metric
) -> None:
    """No relevant id found means zero, and no error."""
    irrelevant_only = [result for result in ranked if result not in relevant]
    assert metric(find_relevant(irrelevant_only, relevant)) == 0.0


@given(RANKINGS, RELEVANT, st.sampled_from(list(QUALITY_METRICS.values())), st.data())
def test_moving_a_relevant_id_up_never_lowers_a_metric(
    ranked: list[str], relevant: frozenset[str], metric: Metric, data: st.DataObject
) -> None:
    """Swapping a relevant id with the irrelevant one before it can only help."""
    places = [
        n for n in range(1, len(ranked)) if ranked[n] in relevant and ranked[n - 1] not in relevant
    ]
    if not places:
        return
    place = data.draw(st.sampled_from(places))
    better = [*ranked[: place - 1], ranked[place], ranked[place - 1], *ranked[place + 1 :]]
    assert metric(find_relevant(better, relevant)) >= metric(find_relevant(ranked, relevant))


@given(RANKINGS, RELEVANT, st.sampled_from(list(ALL_METRICS.values())))
def test_a_repeated_id_counts_at_its_first_rank_only(
    ranked: list[str], relevant: frozenset[str], metric: Metric
) -> None:
    """Naming everything twice changes nothing."""
    doubled = [result for result in ranked for _ in range(2)]
    assert metric(find_relevant(doubled, relevant)) == metric(find_relevant(ranked, relevant))


@given(RELEVANT, RANKINGS)
def test_all_relevant_ids_first_is_a_perfect_ndcg(
    relevant: frozenset[str], ranked: list[str]
) -> None:
    """The ideal order scores exactly 1."""
    ideal = [*sorted(relevant), *(result for result in ranked if result not in relevant)]
    assert ndcg(find_relevant(ideal, relevant), cutoff=10) == 1.0


def test_a_query_without_relevant_ids_has_no_metric() -> None:
    """An empty set of relevant ids is an error, never a zero or a NaN."""
    with pytest.raises(MetricUndefinedError, match="this query has none"):
        find_relevant(["m.py::f"], frozenset())


@pytest.mark.parametrize(
    "metric", [ndcg, recall, precision, success, accuracy, average_precision, judged_share]
)
def test_a_cutoff_below_1_is_an_error(metric: Callable[..., float]) -> None:
    """There is no top zero."""
    with pytest.raises(MetricUndefinedError, match="found 0"):
        metric(find_relevant(["a"], {"a"}), cutoff=0)


def test_ndcg_of_ranks_1_and_3_out_of_three_relevant_ids() -> None:
    """Worked by hand: (1 + 0.5) / (1 + 1/log2(3) + 0.5)."""
    ranking = find_relevant(["a", "x", "b", "y"], {"a", "b", "c"})
    assert ndcg(ranking, cutoff=10) == pytest.approx(0.7039180890341347, abs=1e-12)


def test_ndcg_looks_no_further_than_its_cutoff() -> None:
    """A relevant id at rank 11 adds nothing at a cutoff of 10."""
    ranking = find_relevant([*"0123456789", "a"], {"a"})
    assert ndcg(ranking, cutoff=10) == 0.0
    assert ndcg(ranking, cutoff=11) == pytest.approx(1 / math.log2(12))


def test_reciprocal_rank_is_that_of_the_first_relevant_id() -> None:
    """Later relevant ids do not matter, and there is no cutoff."""
    assert reciprocal_rank(find_relevant(["x", "y", "a", "b"], {"a", "b"})) == 1 / 3
    assert reciprocal_rank(find_relevant([*"0123456789", "a"], {"a"})) == 1 / 11


def test_recall_divides_by_what_is_relevant() -> None:
    """Two of four found among the first ten is a half."""
    assert recall(find_relevant(["a", "x", "b"], {"a", "b", "c", "d"}), cutoff=10) == 0.5


def test_precision_divides_by_the_cutoff_even_for_a_short_ranking() -> None:
    """One right id out of one, at a cutoff of five, is a fifth."""
    assert precision(find_relevant(["a"], {"a"}), cutoff=5) == 0.2


def test_success_takes_one_and_accuracy_takes_all() -> None:
    """Two of three in the first five is a hit and no complete answer; three of nine fill the first
    three ranks.
    """
    ranking = find_relevant(["a", "x", "b", "y", "z", "c"], {"a", "b", "c"})
    assert success(ranking, cutoff=5) == 1.0
    assert accuracy(ranking, cutoff=5) == 0.0
    assert accuracy(ranking, cutoff=6) == 1.0
    assert success(find_relevant(["x"], {"a"}), cutoff=5) == 0.0
    assert accuracy(find_relevant(["a", "b", "c"], set("abcdefghi")), cutoff=3) == 1.0


def test_judged_is_the_share_of_results_that_anybody_has_looked_at() -> None:
    """Of the first two one is relevant and one known not to be; of four one is unknown; an empty
    ranking hides none.
    """
    ranking = find_relevant(["a", "x", "y", "b"], {"a", "b"}, irrelevant={"x"})
    assert judged_share(ranking, cutoff=2) == 1.0
    assert judged_share(ranking, cutoff=10) == 0.75
    assert judged_share(find_relevant([], {"a"}), cutoff=10) == 1.0


def test_average_precision_of_ranks_1_and_3_out_of_three_relevant_ids() -> None:
    """Worked by hand: (1/1 + 2/3 + 0) / 3, and (1/1) / 3 when nothing behind rank 2 counts."""
    ranking = find_relevant(["a", "x", "b", "y"], {"a", "b", "c"})
    assert average_precision(ranking) == pytest.approx(5 / 9)
    assert average_precision(ranking, cutoff=2) == pytest.approx(1 / 3)


def test_r_precision_looks_as_far_as_there_are_relevant_ids() -> None:
    """Of three relevant ids two are among the first three."""
    assert r_precision(find_relevant(["a", "x", "b", "c"], {"a", "b", "c"})) == 2 / 3


def test_rank_biased_precision_is_what_a_reader_comes_across() -> None:
    """Worked by hand for ranks 1 and 3: 0.2 (1 + 0.64), and 0.5 (1 + 0.25) for one who goes on
    every other time.
    """
    ranking = find_relevant(["a", "x", "b", "y"], {"a": 3.0, "b": 1.0, "c": 1.0})
    assert rank_biased_precision(ranking) == pytest.approx(0.328)
    assert find_metric("RBP.50")(ranking) == pytest.approx(0.625)
    with pytest.raises(MetricUndefinedError, match="found 1"):
        rank_biased_precision(ranking, persistence=1)


GRADES = st.dictionaries(IDS, st.integers(0, 3), min_size=1).filter(
    lambda grades: any(grades.values())
)


@given(RANKINGS.filter(bool), GRADES)
def test_values_are_those_of_trec_eval(ranked: list[str], grades: dict[str, int]) -> None:
    """To 1e-9, with grades, unjudged results and relevant ids that are not ranked."""
    run = {result: float(len(ranked) - place) for place, result in enumerate(ranked)}
    evaluator = pytrec_eval.RelevanceEvaluator({"q": grades}, set(PYTREC_NAMES.values()))
    expected = evaluator.evaluate({"q": run})["q"]
    ranking = find_relevant(ranked, {result: grade for result, grade in grades.items() if grade})
    for name, trec_name in PYTREC_NAMES.items():
        assert find_metric(name)(ranking) == pytest.approx(expected[trec_name], abs=1e-9)


def test_graded_gains_count_for_what_they_are() -> None:
    """Worked by hand: (1/log2(2) + 3/log2(3)) / (3/log2(2) + 1/log2(3))."""
    ranking = find_relevant(["b", "a"], {"a": 3.0, "b": 1.0})
    assert ndcg(ranking, cutoff=10) == pytest.approx(0.7967075809905066, abs=1e-12)
    assert recall(ranking, cutoff=1) == 0.5


def test_every_canonical_name_finds_its_metric() -> None:
    """Any cutoff may be asked for, and the numbers are those of the function by hand."""
    ranking = find_relevant(["x", "a", "b"], {"a", "b", "c"})
    names = ("MRR", "R@10", "P@5", "Hit@1", "Success@2", "Acc@3", "R@2")
    assert {name: find_metric(name)(ranking) for name in names} == {
        "MRR": 0.5,
        "R@10": 2 / 3,
        "P@5": 0.4,
        "Hit@1": 0.0,
        "Success@2": 1.0,
        "Acc@3": 0.0,
        "R@2": 1 / 3,
    }
    assert list(METRICS) == ["MRR", "nDCG@10", "R@10", "P@1", "P@5", "Hit@5", "Judged@10"]


@pytest.mark.parametrize(
    "name",
    [
        "AP",
        "mrr",
        "RBP.00",
        "RBP.5",
        "RBP@10",
        "Rprec@5",
        "R@0",
        "R@01",
        "R@1001",
        "P@",
        "P@-1",
        "nDCG@10 ",
        "Judged",
    ],
)
def test_an_unknown_metric_is_refused_with_the_names_there_are(name: str) -> None:
    """The message helps to pick another one."""
    with pytest.raises(InputError, match="no such metric; one of MRR, MAP, Rprec, RBP"):
        find_metric(name)
