"""When an answer and its report agree."""

from goldwright.records import (
    AnswerDraft,
    ClaimVerdict,
    Evidence,
    ExpectedEntity,
    FactCitation,
    FileRange,
    ReportDraft,
    SupportVerdict,
    claims_of,
)
from goldwright.stages.agreement import compare_structure

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
