"""Sufficiency scores beside judged answers, or beside what was retrieved."""

import pytest

from goldwright.evaluation.answers.answer_matching import LITERAL
from goldwright.evaluation.calibration.sufficiency import (
    BY_RETRIEVAL,
    CAVEAT,
    Sufficiency,
    assess_sufficiency,
)
from goldwright.evaluation.query_scores import QueryScore
from units.evaluation.evaluations import report, scored

JUDGE = "agent:judge:x"


def answered(number: int, score: float | None, right: bool | None, **changes: object) -> QueryScore:
    """A query whose answer was judged."""
    return scored(
        f"q{number}", {"MRR": 1.0}, sufficiency_score=score, answer_correct=right, **changes
    )


def assess(queries: list[QueryScore], judged_by: str | None = JUDGE) -> Sufficiency:
    """What the scores of some queries are worth."""
    sufficiency = assess_sufficiency(report(queries, judged_by=judged_by))
    assert sufficiency is not None
    return sufficiency


def test_seven_of_sixty_that_are_routed_show_no_over_confidence_by_themselves() -> None:
    """The specification's case: 4 right of 7 at 0.8, among 60 queries whose scores hold below."""
    routed = [answered(place, 0.8, place < 4) for place in range(7)]
    others = [answered(place, 0.5, place % 2 == 0) for place in range(7, 60)]
    sufficiency = assess([*routed, *others])
    assert (
        "answer_correctness@0.8 = 0.571 [0.18, 0.90]: 4 of 7 routed; coverage 12 % of 60 answers"
    ) in sufficiency.finding
    assert "so that alone does not show over-confidence" in sufficiency.finding
    assert sufficiency.verdict != "over-confident"
    assert dict(sufficiency.figures)["answer_correctness@0.8"] == "0.571 [0.18, 0.90], 4 of 7"


def test_without_scores_there_is_nothing_to_assess() -> None:
    assert assess_sufficiency(report([answered(1, None, True)], judged_by=JUDGE)) is None


def test_without_answers_a_query_is_right_when_all_its_entities_were_near_the_top() -> None:
    ranks = ({"a": 1, "b": 10}, {"a": 1, "b": 11}, {"a": 1, "b": None})
    queries = [
        answered(place, 0.9, None, expected=expected) for place, expected in enumerate(ranks)
    ]
    sufficiency = assess(queries, judged_by=None)
    assert sufficiency.judged_by == BY_RETRIEVAL
    assert (sufficiency.calibration.n, sufficiency.calibration.routed.right) == (3, 1)


def test_a_routed_query_without_a_verdict_is_counted_and_left_out() -> None:
    queries = [answered(1, 0.9, True), answered(2, 0.9, None), answered(3, 0.1, None)]
    sufficiency = assess(queries)
    assert (sufficiency.scored, sufficiency.calibration.n, sufficiency.beyond) == (3, 1, 1)


def test_the_figures_are_named_and_rounded() -> None:
    """Worked from 60 calibrated answers, beside what the calibration itself holds."""
    queries = [answered(place, (place % 10) / 10 + 0.05, place % 3 > 0) for place in range(60)]
    sufficiency = assess([*queries, answered(60, 0.9, None)])
    calibration = sufficiency.calibration
    assert calibration.bias is not None
    assert calibration.error is not None
    assert calibration.brier is not None
    figures = dict(sufficiency.figures)
    assert list(figures) == [
        "queries with a score",
        "answer_correctness@0.8",
        "mean score, share right",
        "AUROC",
        "ECE",
        "ECE², debiased",
        "Brier score",
        "threshold for 0.8",
    ]
    assert figures["queries with a score"] == "61, of which 60 could be judged"
    assert figures["mean score, share right"].startswith("0.500, 0.667 (p = 0.0")
    assert figures["threshold for 0.8"] == "none is certified"
    null = calibration.error.plain_null
    assert figures["ECE"] == (
        f"{calibration.error.plain:.3f}; a calibrated score gives {null.mean:.3f} "
        f"(95 % below {null.high:.3f})"
    )
    brier = calibration.brier
    assert figures["Brier score"] == (
        f"{brier.score:.3f} = miscalibration {brier.miscalibration:.3f} - "
        f"discrimination {brier.discrimination:.3f} + uncertainty {brier.uncertainty:.3f}"
    )


def test_figures_that_cannot_be_computed_are_left_out() -> None:
    sufficiency = assess([answered(1, 0.5, None)])
    assert dict(sufficiency.figures) == {
        "queries with a score": "1, of which 0 could be judged",
        "threshold for 0.8": "none is certified",
    }


def test_a_certified_threshold_is_a_figure_with_its_answers() -> None:
    queries = [answered(place, 0.85 + place / 1000, True) for place in range(40)]
    assert dict(assess(queries).figures)["threshold for 0.8"] == "0.85 (40 of 40)"


@pytest.mark.parametrize(("wrong", "p"), [(0, "p < 0.001"), (13, "p = ")])
def test_a_tiny_p_value_is_given_as_a_bound(wrong: int, p: str) -> None:
    queries = [answered(place, 0.5, place >= wrong) for place in range(30)]
    assert f"({p}" in dict(assess(queries).figures)["mean score, share right"]


def test_the_threshold_itself_is_routed() -> None:
    queries = [answered(1, 0.8, True), answered(2, 0.8, None), answered(3, 0.79, None)]
    sufficiency = assess(queries)
    assert (sufficiency.calibration.routed.n, sufficiency.beyond) == (1, 1)


def test_only_the_literal_matcher_has_the_caveat() -> None:
    queries = [answered(place, 0.9, False) for place in range(40)]
    assert CAVEAT not in assess(queries, JUDGE).finding


def test_a_retriever_answers_by_itself_from_eight_tenths_on_unless_told_otherwise() -> None:
    evaluation = report([answered(1, 0.75, True), answered(2, 0.8, True)], judged_by=JUDGE)
    usual, lower = assess_sufficiency(evaluation), assess_sufficiency(evaluation, threshold=0.75)
    assert usual is not None
    assert lower is not None
    assert (usual.calibration.routed.n, lower.calibration.routed.n) == (1, 2)
    assert usual.calibration.certification.target == 0.8


def test_literal_matching_alone_never_shows_over_confidence() -> None:
    """Right answers in other words count as wrong there, whatever the scores are."""
    wrong = [answered(place, 0.9, place % 7 == 0) for place in range(40)]
    literal = assess(wrong, LITERAL)
    assert assess(wrong).verdict == "over-confident"
    assert literal.verdict == "withheld"
    assert literal.finding.startswith("withheld: ")
    assert literal.finding.endswith(CAVEAT)
    assert "Raise the threshold" not in literal.finding
    assert dict(literal.figures) == dict(assess(wrong).figures)


def test_a_lower_bound_can_show_under_confidence() -> None:
    right = [answered(place, 0.2, place % 7 > 0) for place in range(40)]
    literal = assess(right, LITERAL)
    assert literal.verdict == "under-confident"
    assert literal.finding == assess(right).finding


def test_any_other_finding_of_a_literal_matcher_is_called_a_lower_bound() -> None:
    few = [answered(place, 0.5, place < 2) for place in range(4)]
    assert assess(few, LITERAL).finding == f"{assess(few).finding} {CAVEAT}"
