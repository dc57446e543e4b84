"""The report of an evaluation: strata, cells, means, and reports that were saved."""

import json
from typing import Any

import pytest

from goldwright.errors import InputError
from goldwright.evaluation.query_scores import QueryScore, value_of
from goldwright.evaluation.report import read_report
from goldwright.evaluation.strata import dimensions, summarize_strata
from units.evaluation.evaluations import report, report_of_values, scored

EASY = {"task_type": "locate", "difficulty": "easy"}


def test_task_type_and_difficulty_together_name_the_cell() -> None:
    assert scored("q1", {}, strata=EASY).cell == "locate/easy"
    assert scored("q1", {}, strata={"task_type": "locate"}).cell is None
    assert scored("q1", {}, strata={}).cell is None


def test_a_query_belongs_to_its_strata_and_its_cell() -> None:
    query = scored("q1", {}, strata={**EASY, "language": "go"})
    for stratum in ("locate", "easy", "go", "locate/easy"):
        assert query.belongs_to(stratum)
    for stratum in ("hard", "easy/locate", "task_type", ""):
        assert not query.belongs_to(stratum)


def test_the_strata_of_older_reports_are_read_from_their_two_fields() -> None:
    assert scored("q1", {}).strata == EASY
    newer = scored("q1", {}, strata={"language": "go"})
    assert newer.strata == {"language": "go"}


@pytest.mark.parametrize(
    ("expected", "rank"),
    [({"a": 3, "b": 2, "c": None}, 2), ({"a": None}, None), ({}, None)],
)
def test_the_first_rank_is_the_best_of_the_entities_that_were_found(
    expected: dict[str, int | None], rank: int | None
) -> None:
    assert scored("q1", {}, expected=expected).first_rank == rank


def test_a_mean_is_over_the_queries_of_all_named_strata() -> None:
    evaluation = report(
        [
            scored("q1", {"MRR": 1.0}),
            scored("q2", {"MRR": 0.5}, difficulty="hard"),
            scored("q3", {"MRR": 0.0}, task_type="debug", difficulty="hard"),
        ]
    )
    assert evaluation.mean("MRR") == 0.5
    assert evaluation.mean("MRR", difficulty="hard") == 0.25
    assert evaluation.mean("MRR", difficulty="hard", task_type="locate") == 0.5
    with pytest.raises(InputError, match="no query is of difficulty medium; there are easy"):
        evaluation.mean("MRR", difficulty="medium")


def test_a_measure_that_a_query_lacks_is_named_with_those_it_has() -> None:
    query = scored("q1", {"MRR": 1.0, "R@10": 1.0})
    assert value_of(query, "MRR") == 1.0
    with pytest.raises(InputError, match="P@1: is missing for query q1; it has MRR, R@10"):
        value_of(query, "P@1")


def saved(**changes: Any) -> bytes:
    fields = report_of_values(1.0, 0.5).model_dump(mode="json")
    return json.dumps({**fields, **changes}).encode()


def test_a_saved_report_comes_back_also_from_a_later_version() -> None:
    again = read_report(saved(invented_later=7), source="r.json")
    assert again == report_of_values(1.0, 0.5)


def test_what_is_no_report_is_refused_with_the_place() -> None:
    with pytest.raises(InputError, match=r"r\.json: no evaluation: depth"):
        read_report(saved(depth=0), source="r.json")
    with pytest.raises(InputError, match=r"r\.json: no evaluation: queries"):
        read_report(saved(queries=[]), source="r.json")
    twice = [scored("q1", {"MRR": 1.0}).model_dump(mode="json")] * 2
    with pytest.raises(InputError, match=r"r\.json: names a query twice"):
        read_report(saved(queries=twice), source="r.json")


@pytest.mark.parametrize(("value", "is_valid"), [(-0.1, False), (0, True), (1, True), (1.1, False)])
def test_measures_and_sufficiency_scores_lie_in_0_to_1(value: float, is_valid: bool) -> None:
    fields = scored("q1", {"MRR": 1.0}).model_dump(mode="json")
    for change in ({"values": {"MRR": value}}, {"sufficiency_score": value}):
        data = saved(queries=[{**fields, **change}])
        if is_valid:
            read_report(data, source="r.json")
        else:
            with pytest.raises(InputError, match="no evaluation"):
                read_report(data, source="r.json")


def stratified(*strata: dict[str, str]) -> list[QueryScore]:
    return [scored(f"q{place}", {"MRR": 0.5}, strata=names) for place, names in enumerate(strata)]


def test_strata_of_the_plan_come_in_its_order_and_others_by_the_alphabet_behind_them() -> None:
    scores = stratified(
        {"kind": "zoo"}, {"kind": "hard"}, {"kind": "ant"}, {"kind": "locate"}, {"kind": "easy"}
    )
    names = [stratum.name for stratum in summarize_strata(scores)]
    assert names == ["all", "locate", "easy", "hard", "ant", "zoo"]


def test_cells_come_last_in_the_order_of_task_type_and_then_difficulty() -> None:
    hard = {"task_type": "locate", "difficulty": "hard"}
    explain = {"task_type": "explain", "difficulty": "easy"}
    summary = list(summarize_strata(stratified(explain, hard, EASY, {"language": "go"})))
    assert [stratum.name for stratum in summary if stratum.dimension == "cell"] == [
        "locate/easy",
        "locate/hard",
        "explain/easy",
    ]
    assert summary[-1].dimension == "cell"


def test_the_dimensions_are_named_once_each_in_their_order_and_all_is_none_of_them() -> None:
    scores = stratified({"language": "go", "size": "big"}, {"language": "c"})
    assert dimensions(list(summarize_strata(scores))) == ("language", "size")


def test_the_same_evaluation_has_the_same_bootstrap_intervals() -> None:
    scores = [scored(f"q{place}", {"MRR": place / 10}) for place in range(8)]
    first, second = (next(summarize_strata(scores)).means["MRR"] for _ in range(2))
    assert first.bootstrap is not None
    assert first == second
    low, high = first.bootstrap
    assert low < first.value < high
