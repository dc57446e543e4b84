"""The one place where an answer and its Adversary's report are compared.

They agree when nothing was refused, the sets overlap by at least 0.8 (Jaccard, on ids), and the
judge finds the narrative equivalent to what the Adversary read.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from goldwright.records import AnswerDraft, NarrativeVerdict, ReportDraft, claims_of
from goldwright.snapshot.entities import split_entity_id
from goldwright.stats.jaccard import jaccard

# One item in five may differ: 4 of 5 give exactly 0.8, which is not below it.
SMALLEST_OVERLAP: Final = 0.8


@dataclass(frozen=True, slots=True)
class StructuralAgreement:
    """How far a report supports the structure of an answer.

    Attributes:
        entity_jaccard: The overlap of expected and supported entities, in 0..1.
        file_jaccard: The overlap of expected and supported files, in 0..1.
        objections: What stands against agreement; empty when nothing does.
    """

    entity_jaccard: float
    file_jaccard: float
    objections: tuple[str, ...]


def compare_structure(answer: AnswerDraft, report: ReportDraft) -> StructuralAgreement:
    """Compare what an answer expects with what its report supports."""
    missed_entities = set(report.missed_entities)
    missed_files = {split_entity_id(entity_id)[0] for entity_id in missed_entities}
    # What the Adversary missed belongs to its side of the comparison, so it lowers the overlap.
    entities = _supported_claims(report, "entity-") | missed_entities
    files = _supported_claims(report, "file-") | missed_files
    entity_jaccard = jaccard(set(answer.entity_ids), entities)
    file_jaccard = jaccard(set(answer.expected_files), files)
    # The texts go into the review queue as they are, in this order.
    objections = list(_claim_objections(answer, report))
    objections += _overlap_objections("entity_jaccard", entity_jaccard)
    objections += _overlap_objections("file_jaccard", file_jaccard)
    objections += _verdict_objections(report)
    return StructuralAgreement(entity_jaccard, file_jaccard, tuple(objections))


def is_complete(answer: AnswerDraft, report: ReportDraft) -> bool:
    """Whether a report has exactly one verdict on every claim of the answer, word for word."""
    claims = [(claim.claim_id, claim.claim) for claim in claims_of(answer)]
    judged_claims = [(verdict.claim_id, verdict.claim) for verdict in report.claim_verdicts]
    # Sorted lists and not sets: a claim that is judged twice is no complete report either.
    return sorted(claims) == sorted(judged_claims)


def narrative_objection(verdict: NarrativeVerdict) -> str | None:
    """What stands against the narrative; None when the judge found it equivalent."""
    if verdict.verdict == "equivalent":
        return None
    return f"narrative: {verdict.verdict}: {verdict.reason}"


def _supported_claims(report: ReportDraft, id_prefix: str) -> set[str]:
    supported: dict[str, str] = {}
    for verdict in report.claim_verdicts:
        is_supported = verdict.verdict == "supported"
        if is_supported and verdict.claim_id.startswith(id_prefix):
            supported[verdict.claim_id] = verdict.claim
    return set(supported.values())


def _claim_objections(answer: AnswerDraft, report: ReportDraft) -> Iterator[str]:
    if not is_complete(answer, report):
        yield "incomplete_report: not every claim has exactly one verdict"
    for verdict in report.claim_verdicts:
        if verdict.verdict != "supported":
            explanation = verdict.note or verdict.claim
            yield f"{verdict.verdict}_claim: {verdict.claim_id}: {explanation}"
    for issue in report.blocking_issues:
        yield f"blocking_issue: {issue}"


def _overlap_objections(name: str, overlap: float) -> Iterator[str]:
    if overlap < SMALLEST_OVERLAP:
        yield f"{name}: {overlap:.2f} is below {SMALLEST_OVERLAP}"


def _verdict_objections(report: ReportDraft) -> Iterator[str]:
    """Object to an overall verdict that no verdict on a claim explains."""
    verdicts = {verdict.verdict for verdict in report.claim_verdicts}
    is_every_claim_supported = verdicts <= {"supported"}
    if is_every_claim_supported and report.overall_verdict != "supported":
        yield f"overall_verdict: {report.overall_verdict}"
