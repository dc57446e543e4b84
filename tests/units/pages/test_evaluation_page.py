"""The page of an evaluation: what it shows, and what it must not run."""

from goldwright.evaluation.calibration.sufficiency import assess_sufficiency
from goldwright.evaluation.gates import check_gates, choose_gates
from goldwright.evaluation.report import EvaluationReport
from goldwright.evaluation.strata import summarize_strata
from goldwright.pages.evaluation_page import evaluation_page
from units.evaluation.evaluations import report, scored

HOSTILE = "</script><img src=x onerror=alert(1)>\u202e&{{ 7*7 }}"


def page_of(evaluation: EvaluationReport) -> str:
    """The page with two gates, and the finding on scores."""
    gates = choose_gates(profile=False, further=["MRR >= 0.4", "each easy: MRR >= 1"])
    strata = tuple(summarize_strata(evaluation.queries))
    results = check_gates(evaluation, gates)
    return evaluation_page(evaluation, strata, results, assess_sufficiency(evaluation)).decode()


def test_a_page_shows_hostile_texts_and_runs_none_of_them() -> None:
    hostile = scored(
        "q1",
        {"MRR": 1.0},
        query_text=HOSTILE,
        expected={HOSTILE: None},
        retrieved=(HOSTILE,),
        sufficiency_score=0.9,
        answer_correct=True,
    )
    wrong = scored("q2", {"MRR": 1.0}, sufficiency_score=0.2, answer_correct=False)
    evaluation = report(
        [hostile, wrong], retriever=HOSTILE, dataset=HOSTILE, notes=(HOSTILE,), judged_by=HOSTILE
    )
    page = page_of(evaluation)
    assert page.count("&lt;img src=x onerror=alert(1)&gt;") >= 6
    assert "<img" not in page
    assert "<script" not in page
    assert "\u202e" not in page
    assert "{{ 7*7 }}" in page
    assert page == page_of(evaluation)


def test_a_page_says_whether_docstrings_were_blanked() -> None:
    queries = [scored("q1", {"MRR": 1.0})]
    line = "<dt>docstrings</dt><dd>blanked</dd>"
    assert line in page_of(report(queries, blank_docstrings=True))
    assert line not in page_of(report(queries))


def test_the_worst_queries_come_first() -> None:
    queries = [scored(f"q{place}", {"MRR": place / 10}) for place in (5, 1, 9)]
    page = page_of(report(queries))
    places = [page.index(f'aria-label="{query_id}"') for query_id in ("q1", "q5", "q9")]
    assert places == sorted(places)


def test_a_cell_of_the_plan_without_queries_is_left_blank() -> None:
    page = page_of(report([scored("q1", {"MRR": 1.0})]))
    assert '<th scope="row">locate</th><td class="s4">1.00 <small>n 1</small></td>' in page
    assert page.count('<td class="none">–</td>') == 2
