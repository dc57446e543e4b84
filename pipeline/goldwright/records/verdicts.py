"""What the Adversary, the gate, the judge and the agreement rule write about an answer."""

from typing import Literal

from pydantic import Field

from goldwright.records.answer import Claim
from goldwright.records.base import (
    CellRecord,
    FileRange,
    QueryRecord,
    Record,
    WorkStamp,
    is_empty,
)

# From best to worst; records store the words.
SupportVerdict = Literal["supported", "partial", "unsupported"]
NarrativeEquivalence = Literal["equivalent", "minor_divergence", "significant_divergence"]


class ClaimVerdict(Claim):
    """Whether the source supports one claim, and where it shows that."""

    verdict: SupportVerdict
    citation: FileRange
    note: str | None = None


class ReportDraft(Record):
    """The content of an Adversary's report.

    Attributes:
        claim_verdicts: A verdict on each claim of the answer.
        overall_verdict: The verdict on the answer as a whole.
        blocking_issues: Why the answer cannot be used, if so.
        missed_entities: Ids of entities that a right answer needs and this one lacks.
        findings: What the Adversary itself read, in prose, for the narrative judge.
    """

    claim_verdicts: tuple[ClaimVerdict, ...]
    overall_verdict: SupportVerdict
    blocking_issues: tuple[str, ...]
    missed_entities: tuple[str, ...]
    findings: str


class AdversaryReport(WorkStamp, ReportDraft, QueryRecord):
    """A verdict on every claim of one answer."""


class NarrativeVerdictDraft(Record):
    """Whether a narrative agrees with what the Adversary found, and why."""

    verdict: NarrativeEquivalence
    reason: str


class NarrativeVerdict(WorkStamp, NarrativeVerdictDraft, QueryRecord):
    """The judge's verdict on one narrative."""


class AnswerVerdict(Record):
    """Which facts and falsehoods of a record a generated answer states.

    Attributes:
        stated: For each fact that the answer must mention, in order, whether it states it.
        asserted: For each falsehood, in order, whether it states that.
        reason: Why, in a sentence or two.
    """

    stated: tuple[bool, ...]
    asserted: tuple[bool, ...]
    reason: str


class CheckFailure(Record):
    """One check that an answer did not pass.

    Attributes:
        check: The code of the check.
        claim: The id of the claim, or the part of the answer, that failed it.
        message: What is wrong.
    """

    check: str
    claim: str
    message: str


class ChangedClaim(Record):
    """A claim of a record from another commit whose code is not what it was there.

    Attributes:
        claim_id: The claim; evidence that changed is the narrative's.
        reason: What is another thing now.
        before: Where its lines stood; None where the reason lies outside its lines.
        old_lines: What they said.
        now: What stands in their place; None where nothing does.
    """

    claim_id: str
    reason: str
    before: FileRange | None = None
    old_lines: tuple[str, ...] = ()
    now: FileRange | None = None


class GateFailure(CellRecord):
    """An answer that the mechanical gate rejected, with every check that it failed.

    Attributes:
        failures: The checks, in their order.
        created_at: When, in UTC.
        changed_claims: For a record that a rebase returned, the claims whose code changed.
        schema_version: The version of the record's schema.
    """

    failures: tuple[CheckFailure, ...]
    created_at: str
    changed_claims: tuple[ChangedClaim, ...] = Field(default=(), exclude_if=is_empty)
    schema_version: Literal["1.0.0"] = "1.0.0"


class QueuedRecord(CellRecord):
    """A record that a person must decide on, with the measures of its disagreement.

    Attributes:
        reasons: Why it was queued.
        entity_jaccard: Jaccard index (0..1) of the entities of Oracle and Adversary; None where
            there is nothing to compare, as when a model refused.
        file_jaccard: The same for their files.
        narrative_verdict: The judge's verdict; None where the judge was not asked.
        created_at: When it was queued, in UTC.
        changed_claims: For a record that a rebase returned, the claims whose code changed; a
            person looks at each of them before the record can be kept.
        schema_version: The version of the record's schema.
    """

    reasons: tuple[str, ...]
    entity_jaccard: float | None
    file_jaccard: float | None
    narrative_verdict: NarrativeEquivalence | None
    created_at: str
    changed_claims: tuple[ChangedClaim, ...] = Field(default=(), exclude_if=is_empty)
    schema_version: Literal["1.0.0"] = "1.0.0"


class RejectedRecord(CellRecord):
    """A candidate that is out for good.

    Attributes:
        stage: Who rejected it: the screen, a person, or the reading of its file, which failed.
        reason: The code of the reason.
        message: What is wrong.
        query_text: The query.
        target_entity_ids: The entities that it is about.
        created_at: When it was rejected, in UTC.
        schema_version: The version of the record's schema.
    """

    stage: Literal["screen", "person", "reading"]
    reason: str
    message: str
    query_text: str
    target_entity_ids: tuple[str, ...]
    created_at: str
    schema_version: Literal["1.0.0"] = "1.0.0"
