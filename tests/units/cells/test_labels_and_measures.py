"""Who gives a label, and what cells come to on them."""

import math

import pytest

from goldwright.cells.labels import PairGrades, make_labels, measure_judge
from goldwright.cells.measures import (
    MRR,
    NDCG,
    RECALL,
    grades_by_query,
    measure_cells,
    scorable_queries,
)
from goldwright.cells.records import (
    CellQuery,
    CellRanking,
    PairJudgement,
    PersonGrade,
    PooledPair,
)

QUERIES = [
    CellQuery(query_id="q", text="where", origin="hand", expected={"gold.md": 3}),
    CellQuery(query_id="r", text="why", origin="mined"),
]
PAIRS = [
    PooledPair(number=0, query_id="q", path="a.md", role="pooled"),
    PooledPair(number=1, query_id="q", path="b.md", role="pooled"),
    PooledPair(number=2, query_id="q", path="a.md", role="duplicate"),
    PooledPair(number=3, query_id="q", path="z.md", role="control"),
    PooledPair(number=4, query_id="r", path="a.md", role="pooled"),
]


def judgements(first: list[int], second: dict[int, int]) -> PairGrades:
    records = [
        PairJudgement(number=number, judge="first", grade=grade)
        for number, grade in enumerate(first)
    ]
    records += [
        PairJudgement(number=number, judge="second", grade=grade)
        for number, grade in second.items()
    ]
    return PairGrades.of(records)


def test_the_dataset_comes_before_a_person_and_a_person_before_the_judge() -> None:
    people = [PersonGrade(number=1, query="where", path="b.md", text="…", grade=1, by="ada")]
    labels = make_labels(QUERIES, PAIRS, judgements([2, 3, 2, 0, 1], {1: 0}), people)
    assert [(label.query_id, label.path, label.grade, label.given_by) for label in labels] == [
        ("q", "a.md", 2, "judge"),
        ("q", "b.md", 1, "person"),
        ("q", "gold.md", 3, "dataset"),
        ("r", "a.md", 1, "judge"),
    ]


def test_what_two_judges_dispute_has_no_label_until_a_person_decides() -> None:
    disputed = judgements([2, 3, 2, 0, 1], {1: 0, 4: 2})
    assert disputed.disputed == [1]
    labels = make_labels(QUERIES, PAIRS, disputed, [])
    assert ("q", "b.md") not in {(label.query_id, label.path) for label in labels}


def test_a_judge_is_measured_by_what_was_hidden() -> None:
    quality = measure_judge(
        ("one", "two"), PAIRS, judgements([2, 3, 1, 2, 0], {0: 2, 1: 0}), [], seed=0
    )
    assert (quality.controls, quality.controls_passed) == (1, 0)
    assert (quality.duplicates, quality.duplicates_same) == (1, 0)
    assert (quality.compared, quality.compared_same, quality.for_people) == (2, 1, 1)


def ranking(cell: str, *paths: str) -> CellRanking:
    return CellRanking(cell=cell, vectors="", chunks=9, ranked={"q": paths, "r": paths})


GRADES = {"q": {"gold.md": 3, "a.md": 2, "b.md": 1, "c.md": 0}, "r": {"a.md": 1}}


def test_measures_are_those_of_their_definitions() -> None:
    """Grades are gains for nDCG; recall and MRR take what is graded 2 or more for relevant."""
    [cell] = measure_cells(
        [ranking("x", "c.md", "a.md", "new.md", "gold.md")], ["q"], GRADES, depth=30, expected={}
    )
    dcg = 2 / math.log2(3) + 3 / math.log2(5)
    ideal = 3 + 2 / math.log2(3) + 1 / math.log2(4)
    assert cell.values[NDCG]["q"] == pytest.approx(dcg / ideal)
    assert cell.values[RECALL]["q"] == 1
    assert cell.values[MRR]["q"] == 0.5
    assert cell.judged == 0.75


def test_a_query_counts_where_something_is_relevant_to_it() -> None:
    assert scorable_queries(QUERIES, GRADES) == ["q"]
    assert grades_by_query([]) == {}


def test_without_its_own_labels_a_cell_is_as_one_that_came_too_late() -> None:
    alone = ranking("x", "a.md", "gold.md")
    other = ranking("y", "gold.md", "b.md")
    measured = measure_cells([alone, other], ["q"], GRADES, depth=30, expected={})
    ideal = 3 + 1 / math.log2(3)
    assert measured[0].without_own == pytest.approx(3 / math.log2(3) / ideal)
    assert measured[1].without_own == pytest.approx(measured[1].mean(NDCG), abs=0.3)
