"""The claims of an answer as rows of the page, each with the lines that are marked for it."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.records import AnswerDraft, Claim, FileRange, claims_of
from goldwright.records.answer import ClaimType
from goldwright.snapshot import Snapshot

# The groups of claims, in the order in which the page shows them.
_TITLES: Final[dict[ClaimType, str]] = {
    "must_mention_fact": "An answer must mention",
    "must_not_mention_fact": "An answer must not say",
    "entity": "Expected entities",
    "file": "Expected files",
    "line_range": "Expected lines",
    "narrative": "Narrative",
}
_NEW_CLAIM_IDS: Final[dict[ClaimType, str]] = {
    "must_mention_fact": "fact-new",
    "must_not_mention_fact": "not-fact-new",
    "line_range": "range-new",
}
# Files follow from entities and lines, and nobody edits them by themselves.
_EDITABLE: Final[frozenset[ClaimType]] = frozenset({*_NEW_CLAIM_IDS, "entity", "narrative"})


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """One claim on the page.

    Attributes:
        claim_id: Its id.
        text: Its text.
        badge: The role of an entity; None for other claims.
        note: Why an entity is expected; None for other claims.
        lines: The lines of the source that are marked while the person is at the claim.
        edited_text: The text that a person may change: of an entity, why it is expected; of a
            range, nothing but its lines. None where nothing of it can be changed.
        is_disputed: Whether the verdict of this pass points at it.
    """

    claim_id: str
    text: str
    badge: str | None
    note: str | None
    lines: tuple[FileRange, ...]
    edited_text: str | None
    is_disputed: bool


@dataclass(frozen=True, slots=True)
class ClaimGroup:
    """Claims of one type under a title; ``new_claim_id`` is the id under which one may be added."""

    title: str
    claims: tuple[ClaimRow, ...]
    new_claim_id: str | None


def claim_groups(
    answer: AnswerDraft, snapshot: Snapshot, disputed: frozenset[str]
) -> tuple[ClaimGroup, ...]:
    """Group the claims of an answer; a group without claims stays where one may be added."""
    rows_by_type: defaultdict[ClaimType, list[ClaimRow]] = defaultdict(list)
    for claim in claims_of(answer):
        is_disputed = claim.claim_id in disputed
        row = _row(answer, snapshot, claim, is_disputed=is_disputed)
        rows_by_type[claim.claim_type].append(row)
    groups = []
    for claim_type, title in _TITLES.items():
        rows = tuple(rows_by_type[claim_type])
        new_claim_id = _NEW_CLAIM_IDS.get(claim_type)
        if rows or new_claim_id:
            groups.append(ClaimGroup(title, rows, new_claim_id))
    return tuple(groups)


def cited_ranges(answer: AnswerDraft, snapshot: Snapshot) -> Iterator[FileRange]:
    """The lines of all claims, and an empty range for each expected file.

    The empty ranges give a file its place in the source view even where no claim cites its lines.
    """
    for claim in claims_of(answer):
        yield from _lines(answer, snapshot, claim)
    for file in answer.expected_files:
        yield FileRange(file=file, start=1, end=0)


def _row(answer: AnswerDraft, snapshot: Snapshot, claim: Claim, *, is_disputed: bool) -> ClaimRow:
    badge = note = None
    if claim.claim_type == "entity":
        entity = answer.expected_entities[_index(claim)]
        badge, note = entity.role, entity.rationale
    lines = _lines(answer, snapshot, claim)
    edited_text = None
    if claim.claim_type in _EDITABLE:
        edited_text = _edited_text(claim, note)
    return ClaimRow(
        claim_id=claim.claim_id,
        text=claim.claim,
        badge=badge,
        note=note,
        lines=tuple(lines),
        edited_text=edited_text,
        is_disputed=is_disputed,
    )


def _edited_text(claim: Claim, reason: str | None) -> str:
    match claim.claim_type:
        case "entity":
            return reason or ""
        case "line_range":
            return ""
        case _:
            return claim.claim


def _lines(answer: AnswerDraft, snapshot: Snapshot, claim: Claim) -> Sequence[FileRange]:
    """The lines to mark for a claim."""
    expected = answer.expected_line_ranges
    match claim.claim_type:
        case "must_mention_fact" | "must_not_mention_fact":
            citations = answer.fact_citations
            return [cited for cited in citations if cited.claim_id == claim.claim_id]
        case "line_range":
            return [expected[_index(claim)]]
        case "file":
            return [lines for lines in expected if lines.file == claim.claim]
        case "narrative":
            return expected
        case "entity":
            return list(_definition_lines(snapshot, entity_id=claim.claim))


def _definition_lines(snapshot: Snapshot, entity_id: str) -> Iterator[FileRange]:
    entity = snapshot.entity(entity_id)
    # An answer that failed the gate may name an entity that is not there.
    if entity is None:
        return
    for span in entity.spans:
        yield FileRange(file=entity.path, start=span.first, end=span.last)


def _index(claim: Claim) -> int:
    """The position of a numbered claim in its list, from 0."""
    _, _, number = claim.claim_id.rpartition("-")
    return int(number) - 1
