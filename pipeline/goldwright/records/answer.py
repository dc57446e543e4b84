"""What the Oracle writes, and the claims in it that an Adversary can refute one by one."""

from collections.abc import Iterator, Sequence
from typing import Literal

from pydantic import Field

from goldwright.records.base import CellRecord, FileRange, Record, WorkStamp, is_empty

Role = Literal["primary", "supporting", "contextual"]
Confidence = Literal["high", "medium", "low"]
ClaimType = Literal[
    "entity", "file", "line_range", "must_mention_fact", "must_not_mention_fact", "narrative"
]


class ExpectedEntity(Record):
    """An entity that a right answer names, its part in the answer, and why."""

    entity_id: str
    role: Role
    rationale: str


class FactCitation(FileRange):
    """The lines that support one fact.

    Attributes:
        claim_id: ``fact-N`` or ``not-fact-N``, counted from 1.
    """

    claim_id: str


class Evidence(FileRange):
    """Lines that the Oracle read.

    Attributes:
        read_at_step: The step of its work at which it read them, from 1.
    """

    read_at_step: int


class AnswerDraft(Record):
    """The content of an answer, without its identity and provenance."""

    expected_entities: tuple[ExpectedEntity, ...]
    expected_files: tuple[str, ...]
    expected_line_ranges: tuple[FileRange, ...]
    must_mention_facts: tuple[str, ...]
    must_not_mention_facts: tuple[str, ...]
    fact_citations: tuple[FactCitation, ...]
    canonical_narrative: str
    source_evidence: tuple[Evidence, ...]
    confidence: Confidence
    uncertainty_notes: str | None = None

    @property
    def entity_ids(self) -> tuple[str, ...]:
        """The ids of the expected entities, in their order."""
        return tuple(entity.entity_id for entity in self.expected_entities)


class OracleAnswer(WorkStamp, AnswerDraft, CellRecord):
    """The canonical answer to one candidate.

    Attributes:
        cited_text: The digest of the text of each cited range, by the range as in ``a.py:6-10``;
            for answers that were carried over from another commit.
    """

    cited_text: dict[str, str] = Field(default={}, exclude_if=is_empty)


class Claim(Record):
    """One checkable statement of an answer."""

    claim_id: str
    claim_type: ClaimType
    claim: str


def claims_of(answer: AnswerDraft) -> Iterator[Claim]:
    """List every claim of an answer; an id is its kind and position from 1, as in ``fact-3``."""
    # Ids are stored in verdicts and citations, so neither order nor prefixes can change.
    yield from _number_claims("entity", "entity", answer.entity_ids)
    yield from _number_claims("file", "file", answer.expected_files)
    yield from _number_claims("range", "line_range", answer.expected_line_ranges)
    yield from _number_claims("fact", "must_mention_fact", answer.must_mention_facts)
    yield from _number_claims("not-fact", "must_not_mention_fact", answer.must_not_mention_facts)
    yield Claim(claim_id="narrative", claim_type="narrative", claim=answer.canonical_narrative)


def _number_claims(
    id_prefix: str, claim_type: ClaimType, items: Sequence[object]
) -> Iterator[Claim]:
    for number, item in enumerate(items, start=1):
        yield Claim(claim_id=f"{id_prefix}-{number}", claim_type=claim_type, claim=str(item))
