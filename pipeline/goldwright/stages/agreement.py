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

SMALLEST_OVERLAP: Final = 0.8


@dataclass(frozen=True, slots=True)
class StructuralAgreement:
    """How far a report bears out the structure of an answer; the indices are in 0..1."""

    entity_jaccard: float
    file_jaccard: float
    objections: tuple[str, ...]


def compare_structure(answer: AnswerDraft, report: ReportDraft) -> StructuralAgreement:
    """Measure the overlap of expected and supported sets, and list what stands against agreement."""
    supported = {
        verdict.claim_id: verdict.claim
        for verdict in report.claim_verdicts
        if verdict.verdict == "supported"
    }
    entities = {claim for claim_id, claim in supported.items() if claim_id.startswith("entity-")}
    files = {claim for claim_id, claim in supported.items() if claim_id.startswith("file-")}
    missed = set(report.missed_entities)
    missed_files = {split_entity_id(one)[0] for one in missed}
    by_entity = jaccard(set(answer.entity_ids), entities | missed)
    by_file = jaccard(set(answer.expected_files), files | missed_files)
    objections = tuple(_objections(answer, report, by_entity, by_file))
    return StructuralAgreement(by_entity, by_file, objections)


def is_total(answer: AnswerDraft, report: ReportDraft) -> bool:
    """Tell whether a report has exactly one verdict for every claim of the answer, word for word."""
    wanted = [(claim.claim_id, claim.claim) for claim in claims_of(answer)]
    given = [(verdict.claim_id, verdict.claim) for verdict in report.claim_verdicts]
    return sorted(wanted) == sorted(given)


def narrative_objection(verdict: NarrativeVerdict) -> str | None:
    """Say what stands against the narrative, or ``None`` when the judge found it equivalent."""
    return (
        None
        if verdict.verdict == "equivalent"
        else f"narrative: {verdict.verdict}: {verdict.reason}"
    )


def _objections(
    answer: AnswerDraft, report: ReportDraft, by_entity: float, by_file: float
) -> Iterator[str]:
    if not is_total(answer, report):
        yield "incomplete_report: not every claim has exactly one verdict"
    for verdict in report.claim_verdicts:
        if verdict.verdict != "supported":
            yield f"{verdict.verdict}_claim: {verdict.claim_id}: {verdict.note or verdict.claim}"
    for issue in report.blocking_issues:
        yield f"blocking_issue: {issue}"
    if by_entity < SMALLEST_OVERLAP:
        yield f"entity_jaccard: {by_entity:.2f} is below {SMALLEST_OVERLAP}"
    if by_file < SMALLEST_OVERLAP:
        yield f"file_jaccard: {by_file:.2f} is below {SMALLEST_OVERLAP}"
    if report.overall_verdict != "supported" and all(
        one.verdict == "supported" for one in report.claim_verdicts
    ):
        yield f"overall_verdict: {report.overall_verdict}"
