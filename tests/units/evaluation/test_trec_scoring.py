"""A TREC run against TREC judgements, a query at a time."""

from collections.abc import Iterator, Mapping

import pytest

from goldwright.errors import InputError
from goldwright.evaluation.trec_scoring import score_run
from goldwright.metrics import METRICS, find_metric

QRELS = {"q1": {"a": 2, "b": 1, "c": 0}, "q2": {"x": 1}}


def test_values_come_in_the_order_of_the_run() -> None:
    run = [("q2", {"y": 2.0, "x": 1.0}), ("q1", {"z": 1.0, "a": 3.0, "c": 2.0})]
    metrics = {name: find_metric(name) for name in ("MRR", "R@10", "Judged@10")}
    scores = score_run(QRELS, run, metrics)
    assert scores.queries == ["q2", "q1"]
    assert {name: list(values) for name, values in scores.columns.items()} == {
        "MRR": [0.5, 1.0],
        "R@10": [1.0, 0.5],
        "Judged@10": [0.5, pytest.approx(2 / 3)],
    }


def test_ties_fall_by_id_as_trec_eval_has_them_unless_asked_otherwise() -> None:
    run = [("q1", {"a": 1.0, "z": 1.0}), ("q2", {"x": 1.0})]
    metrics = {"MRR": find_metric("MRR")}
    assert list(score_run(QRELS, run, metrics).columns["MRR"]) == [0.5, 1.0]
    assert list(score_run(QRELS, run, metrics, ties="id").columns["MRR"]) == [1.0, 1.0]


@pytest.mark.parametrize(
    ("qrels", "run", "message"),
    [
        (
            QRELS,
            [("q1", {"a": 1.0})],
            r"query q2: is judged and missing from the run \(--missing",
        ),
        (QRELS, [("q3", {"a": 1.0})], "query q3: is in the run and has no judgement"),
        ({"q1": {"a": 0}}, [("q1", {"a": 1.0})], "query q1: has no relevant document"),
    ],
)
def test_a_query_of_one_side_alone_is_refused(
    qrels: dict[str, dict[str, int]], run: list[tuple[str, dict[str, float]]], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        score_run(qrels, run, METRICS)


def test_a_query_that_is_missing_counts_as_not_found_on_request_alone() -> None:
    run = [("q2", {"x": 1.0})]
    scores = score_run(QRELS, run, {"MRR": find_metric("MRR")}, missing_as_zero=True)
    assert (scores.queries, list(scores.columns["MRR"])) == (["q2", "q1"], [1.0, 0.0])


def test_one_list_is_held_at_a_time() -> None:
    alive = 0

    class Scores(dict[str, float]):
        def __init__(self) -> None:
            nonlocal alive
            super().__init__(a=1.0)
            alive += 1

        def __del__(self) -> None:
            nonlocal alive
            alive -= 1

    most = 0

    def run() -> Iterator[tuple[str, Mapping[str, float]]]:
        nonlocal most
        for number in range(50):
            most = max(most, alive)
            yield f"q{number}", Scores()

    score_run({f"q{number}": {"a": 1} for number in range(50)}, run(), METRICS)
    assert most <= 1


def test_the_first_missing_query_is_named_and_the_others_counted() -> None:
    qrels = {name: {"d": 1} for name in ("q1", "q2", "q3", "q4")}
    metrics = {"MRR": find_metric("MRR")}
    with pytest.raises(
        InputError, match="query q2: is judged and missing from the run, and 2 more"
    ):
        score_run(qrels, [("q1", {"d": 1.0})], metrics)
    with pytest.raises(InputError, match=r"query q4: is judged and missing from the run \("):
        score_run(qrels, [(name, {"d": 1.0}) for name in ("q1", "q2", "q3")], metrics)
