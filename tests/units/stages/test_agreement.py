"""When an answer and its report agree."""

import pytest

from goldwright.records import (
    AnswerDraft,
    ClaimVerdict,
    Evidence,
    ExpectedEntity,
    FactCitation,
    FileRange,
    NarrativeVerdict,
    ReportDraft,
    SupportVerdict,
    claims_of,
)
from goldwright.stages.agreement import compare_structure, is_complete, narrative_objection

PLACE = FileRange(file="a.py", start=1, end=2)


def an_answer(entities: int) -> AnswerDraft:
    return AnswerDraft(
        expected_entities=tuple(
            ExpectedEntity(entity_id=f"a.py::f{number}", role="primary", rationale="does it")
            for number in range(entities)
        ),
        expected_files=("a.py",),
        expected_line_ranges=(PLACE,),
        must_mention_facts=("one", "two", "three"),
        must_not_mention_facts=("never",),
        fact_citations=(FactCitation(claim_id="fact-1", file="a.py", start=1, end=2),),
        canonical_narrative="It does.",
        source_evidence=(Evidence(file="a.py", start=1, end=2, read_at_step=1),),
        confidence="high",
    )


def a_report(answer: AnswerDraft, **refused: SupportVerdict) -> ReportDraft:
    verdicts = tuple(
        ClaimVerdict(
            claim_id=claim.claim_id,
            claim_type=claim.claim_type,
            claim=claim.claim,
            verdict=refused.get(claim.claim_id.replace("-", "_"), "supported"),
            citation=PLACE,
        )
        for claim in claims_of(answer)
    )
    return ReportDraft(
        claim_verdicts=verdicts,
        overall_verdict="supported",
        blocking_issues=(),
        missed_entities=(),
        findings="It does.",
    )


def reasons(answer: AnswerDraft, report: ReportDraft) -> list[str]:
    return [text.partition(":")[0] for text in compare_structure(answer, report).objections]


def test_a_report_that_supports_every_claim_agrees() -> None:
    """Both indices are 1 and nothing objects."""
    answer = an_answer(3)
    structure = compare_structure(answer, a_report(answer))
    assert (structure.entity_jaccard, structure.file_jaccard, structure.objections) == (
        1.0,
        1.0,
        (),
    )


def test_partial_counts_as_not_supported() -> None:
    """A partial entity lowers the index and queues the record by itself."""
    answer = an_answer(5)
    report = a_report(answer, entity_1="partial")
    assert compare_structure(answer, report).entity_jaccard == 0.8
    assert reasons(answer, report) == ["partial_claim"]


def test_a_missed_entity_lowers_the_index() -> None:
    """What a right answer needs stands on the other side of the comparison."""
    answer = an_answer(3)
    report = a_report(answer).model_copy(update={"missed_entities": ("b.py::g",)})
    structure = compare_structure(answer, report)
    assert (structure.entity_jaccard, structure.file_jaccard) == (0.75, 0.5)
    assert reasons(answer, report) == ["entity_jaccard", "file_jaccard"]


def test_a_report_without_a_verdict_on_every_claim_is_incomplete() -> None:
    """Leaving one out, doubling one or rewording one all count."""
    answer = an_answer(2)
    report = a_report(answer)
    short = report.model_copy(update={"claim_verdicts": report.claim_verdicts[:-1]})
    double = report.model_copy(
        update={"claim_verdicts": (*report.claim_verdicts, report.claim_verdicts[0])}
    )
    assert "incomplete_report" in reasons(answer, short)
    assert "incomplete_report" in reasons(answer, double)


def test_a_blocking_issue_queues_a_record_whose_claims_all_hold() -> None:
    """The Adversary's word on the narrative is enough."""
    answer = an_answer(2)
    report = a_report(answer).model_copy(
        update={"blocking_issues": ("names an entity outside the sets",)}
    )
    assert reasons(answer, report) == ["blocking_issue"]


def test_an_unsupported_fact_queues_the_record() -> None:
    """Facts are claims too."""
    answer = an_answer(2)
    assert reasons(answer, a_report(answer, fact_2="unsupported")) == ["unsupported_claim"]


def test_an_overlap_of_exactly_four_fifths_agrees_and_anything_less_objects() -> None:
    five, four = an_answer(5), an_answer(4)
    missing = ("a.py::g",)
    enough = a_report(four).model_copy(update={"missed_entities": missing})
    too_little = a_report(an_answer(3)).model_copy(update={"missed_entities": missing})
    assert compare_structure(four, enough).objections == ()
    assert compare_structure(an_answer(3), too_little).objections == (
        "entity_jaccard: 0.75 is below 0.8",
    )
    # One of five that is not supported leaves four of five.
    refused = compare_structure(five, a_report(five, entity_5="unsupported"))
    assert refused.entity_jaccard == 0.8
    assert refused.objections == ("unsupported_claim: entity-5: a.py::f4",)


def test_the_file_of_a_missed_entity_counts_as_a_missed_file_once() -> None:
    """Two entities of one file are one file, and one of a listed file is none."""
    answer = an_answer(9)
    elsewhere = ("b.py::g", "b.py::h")
    report = a_report(answer).model_copy(update={"missed_entities": elsewhere})
    assert compare_structure(answer, report).file_jaccard == 0.5
    report = a_report(answer).model_copy(update={"missed_entities": ("a.py::g",)})
    assert compare_structure(answer, report).file_jaccard == 1.0


def test_an_objection_quotes_the_note_and_without_one_the_claim() -> None:
    answer = an_answer(1)
    report = a_report(answer, fact_2="unsupported")
    assert compare_structure(answer, report).objections == ("unsupported_claim: fact-2: two",)
    verdicts = [
        verdict.model_copy(update={"note": "It is three."})
        if verdict.claim_id == "fact-2"
        else verdict
        for verdict in report.claim_verdicts
    ]
    noted = report.model_copy(update={"claim_verdicts": tuple(verdicts)})
    assert compare_structure(answer, noted).objections == (
        "unsupported_claim: fact-2: It is three.",
    )


@pytest.mark.parametrize("overall", ["partial", "unsupported"])
def test_an_overall_verdict_that_no_claim_explains_objects_by_itself(
    overall: SupportVerdict,
) -> None:
    answer = an_answer(1)
    changes = {"overall_verdict": overall}
    report = a_report(answer).model_copy(update=changes)
    assert compare_structure(answer, report).objections == (f"overall_verdict: {overall}",)
    explained = a_report(answer, fact_2=overall).model_copy(update=changes)
    assert reasons(answer, explained) == [f"{overall}_claim"]


def test_a_claim_that_was_reworded_is_not_the_claim_of_the_answer() -> None:
    """A verdict on other words is no verdict on these."""
    answer = an_answer(1)
    report = a_report(answer)
    first, *others = report.claim_verdicts
    reworded = first.model_copy(update={"claim": "a.py::g"})
    changed = report.model_copy(update={"claim_verdicts": (reworded, *others)})
    assert is_complete(answer, report)
    assert not is_complete(answer, changed)


def test_the_order_of_the_verdicts_does_not_matter() -> None:
    answer = an_answer(3)
    report = a_report(answer)
    backwards = report.model_copy(update={"claim_verdicts": report.claim_verdicts[::-1]})
    assert is_complete(answer, backwards)


@pytest.mark.parametrize(
    ("verdict", "objection"),
    [
        ("equivalent", None),
        ("minor_divergence", "narrative: minor_divergence: It says more."),
        ("significant_divergence", "narrative: significant_divergence: It says more."),
    ],
)
def test_only_an_equivalent_narrative_meets_no_objection(
    verdict: str, objection: str | None
) -> None:
    judged = NarrativeVerdict.model_validate(
        {
            "query_id": "q1",
            "verdict": verdict,
            "reason": "It says more.",
            "authored_by": "agent:judge:test",
            "created_at": "2026-04-14T12:00:00Z",
        }
    )
    assert narrative_objection(judged) == objection
