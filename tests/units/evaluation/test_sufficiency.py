"""What an evaluation says of sufficiency scores, and by whom answers were judged."""

from goldwright.evaluation.answer_matching import LITERAL
from goldwright.evaluation.gates import check_gates, choose_gates
from goldwright.evaluation.report import QueryScore
from goldwright.evaluation.strata import strata
from goldwright.evaluation.sufficiency import BY_RETRIEVAL, CAVEAT, sufficiency
from goldwright.pages.evaluation_page import evaluation_page
from units.evaluation.evaluations import report, scored

HOSTILE = "</script><img src=x onerror=alert(1)>\u202e&{{ 7*7 }}"


def answered(number: int, score: float | None, right: bool | None, **changes: object) -> QueryScore:
    """A query whose answer was judged."""
    return scored(
        f"q{number}", {"MRR": 1.0}, sufficiency_score=score, answer_correct=right, **changes
    )


def test_seven_of_sixty_that_are_routed_show_no_over_confidence_by_themselves() -> None:
    """The seeds' case: 4 right of 7 at 0.8, among 60 queries whose scores are kept elsewhere."""
    routed = [answered(place, 0.8, place < 4) for place in range(7)]
    others = [answered(place, 0.5, place % 2 == 0) for place in range(7, 60)]
    told = sufficiency(report([*routed, *others], judged_by="agent:judge:x"))
    assert told is not None
    assert (
        "answer_correctness@0.8 = 0.571 [0.18, 0.90]: 4 of 7 routed; coverage 12 % of 60 answers"
        in told.finding
    )
    assert "so that alone does not show over-confidence" in told.finding
    assert told.verdict != "over-confident"
    assert dict(told.figures)["answer_correctness@0.8"] == "0.571 [0.18, 0.90], 4 of 7"


def test_without_scores_there_is_nothing_to_say() -> None:
    assert sufficiency(report([answered(1, None, True)], judged_by="agent:judge:x")) is None


def test_without_answers_a_query_is_right_when_all_its_entities_were_near_the_top() -> None:
    expected = ({"a": 1, "b": 10}, {"a": 1, "b": 11}, {"a": 1, "b": None})
    told = sufficiency(
        report([answered(place, 0.9, None, expected=one) for place, one in enumerate(expected)])
    )
    assert told is not None
    assert (told.judged_by, told.calibration.n, told.calibration.routed.right) == (
        BY_RETRIEVAL,
        3,
        1,
    )


def test_a_routed_query_without_a_verdict_is_counted_and_left_out() -> None:
    queries = [answered(1, 0.9, True), answered(2, 0.9, None), answered(3, 0.1, None)]
    told = sufficiency(report(queries, judged_by="agent:judge:x"))
    assert told is not None
    assert (told.scored, told.calibration.n, told.beyond) == (3, 1, 1)


def test_what_a_literal_matcher_found_is_said_to_be_a_lower_bound() -> None:
    wrong = [answered(place, 0.9, False) for place in range(40)]
    literal, judged = (
        sufficiency(report(wrong, judged_by=by)) for by in (LITERAL, "agent:judge:x")
    )
    assert literal is not None
    assert judged is not None
    assert literal.finding == f"{judged.finding} {CAVEAT}"


def test_a_page_shows_hostile_texts_and_runs_none_of_them() -> None:
    queries = [
        answered(1, 0.9, True, query_text=HOSTILE, expected={HOSTILE: None}, retrieved=(HOSTILE,)),
        answered(2, 0.2, False),
    ]
    made = report(queries, retriever=HOSTILE, dataset=HOSTILE, notes=(HOSTILE,), judged_by=HOSTILE)
    gates = check_gates(
        made, choose_gates(profile=False, further=["MRR >= 0.4", "each easy: MRR >= 1"])
    )
    page = evaluation_page(made, tuple(strata(made.queries)), gates, sufficiency(made)).decode()
    assert page.count("&lt;img src=x onerror=alert(1)&gt;") >= 6
    assert "<img" not in page
    assert "<script" not in page
    assert "\u202e" not in page
    assert "{{ 7*7 }}" in page
    assert (
        page
        == evaluation_page(made, tuple(strata(made.queries)), gates, sufficiency(made)).decode()
    )
