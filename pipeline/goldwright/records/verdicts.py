"""What the Adversary, the gate, the judge and the agreement rule write about an answer."""

from typing import Literal

from goldwright.records.answer import Claim
from goldwright.records.base import CellRecord, FileRange, QueryRecord, Record, WorkStamp

SupportVerdict = Literal["supported", "partial", "unsupported"]
NarrativeEquivalence = Literal["equivalent", "minor_divergence", "significant_divergence"]


class ClaimVerdict(Claim):
    """What reading the source says of one claim, and where it says so."""

    verdict: SupportVerdict
    citation: FileRange
    note: str | None = None


class ReportDraft(Record):
    """The content of an Adversary's report.

    ``missed_entities`` are ids that a right answer needs and this one lacks;
    ``findings`` is what the Adversary itself read, in prose, for the narrative judge.
    """

    claim_verdicts: tuple[ClaimVerdict, ...]
    overall_verdict: SupportVerdict
    blocking_issues: tuple[str, ...]
    missed_entities: tuple[str, ...]
    findings: str


class AdversaryReport(WorkStamp, ReportDraft, QueryRecord):
    """A verdict on every claim of one answer."""


class NarrativeVerdictDraft(Record):
    """Whether a narrative says what the Adversary found, and why."""

    verdict: NarrativeEquivalence
    reason: str


class NarrativeVerdict(WorkStamp, NarrativeVerdictDraft, QueryRecord):
    """The judge's word on one narrative."""


class AnswerVerdict(Record):
    """Which of the facts that an answer must state it does, in their order, and which falsehoods it
    states.
    """

    stated: tuple[bool, ...]
    asserted: tuple[bool, ...]
    reason: str


class CheckFailure(Record):
    """One check that an answer did not pass, the claim it stumbled on, and the fact of it."""

    check: str
    claim: str
    message: str


class GateFailure(CellRecord):
    """An answer that the mechanical gate turned away, with every failure of it."""

    failures: tuple[CheckFailure, ...]
    created_at: str
    schema_version: Literal["1.0.0"] = "1.0.0"


class QueuedRecord(CellRecord):
    """A record that a person must decide on, with the measures of its disagreement.

    The two Jaccard indices are in 0..1, and missing where there is nothing to compare, as when a
    model refused; ``narrative_verdict`` is missing where the judge was not asked.
    """

    reasons: tuple[str, ...]
    entity_jaccard: float | None
    file_jaccard: float | None
    narrative_verdict: NarrativeEquivalence | None
    created_at: str
    schema_version: Literal["1.0.0"] = "1.0.0"


class RejectedRecord(CellRecord):
    """A candidate that is out for good: at which stage, under which reason, and the fact of it."""

    stage: Literal["screen", "person"]
    reason: str
    message: str
    query_text: str
    target_entity_ids: tuple[str, ...]
    created_at: str
    schema_version: Literal["1.0.0"] = "1.0.0"
