"""A person's edit of any part of a record: question, entities, lines, facts, narrative.

What depends on the part goes along: an entity brings its file, and lines that nobody had read
become evidence, because the person who names them has read them.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, get_args

from goldwright.errors import InputError
from goldwright.records import AnswerDraft, Evidence, ExpectedEntity, FileRange
from goldwright.records.answer import Role
from goldwright.records.label import EditedField, EditedValue
from goldwright.review.claim_edits import FieldEdit, edit_claim
from goldwright.review.record_content import RecordContent

QUESTION: Final = "question"
"""The id under which the wording of the question is changed; it is no claim of the answer."""

_ROLES: Final[tuple[Role, ...]] = get_args(Role)


@dataclass(frozen=True, slots=True)
class ClaimChange:
    """What a person wants one part of a record to be.

    Attributes:
        claim_id: ``question``, a claim such as ``entity-2``, or ``range-new`` for one more.
        text: The text of a question, narrative or fact, or the reason of an entity; an empty one
            removes the fact or entity.
        lines: The lines of a fact or of a range; a range without any is removed.
        entity_id: The entity to add; claims that are there keep theirs.
        role: The role of the entity; None keeps the one it has.
    """

    claim_id: str
    text: str = ""
    lines: FileRange | None = None
    entity_id: str | None = None
    role: Role | None = None


@dataclass(frozen=True, slots=True)
class RecordEdit:
    """A change of a record, with what goes along.

    Attributes:
        change: The field that changes, and the citations of all facts.
        files: The expected files afterwards; None where they stay.
        evidence: The evidence afterwards; None where it stays.
        named_lines: The lines that the person named.
    """

    change: FieldEdit
    files: tuple[str, ...] | None = None
    evidence: tuple[Evidence, ...] | None = None
    named_lines: tuple[FileRange, ...] = ()


def edit_record(content: RecordContent, change: ClaimChange) -> RecordEdit:
    """Change one part of a record.

    Raises:
        InputError: There is no such part, or the change lacks something.
    """
    answer = content.answer
    kind, _, place = change.claim_id.rpartition("-")
    if change.claim_id == QUESTION:
        text = " ".join(change.text.split())
        return RecordEdit(FieldEdit("query_text", text, answer.fact_citations))
    if kind == "entity":
        return _with_files(answer, "expected_entities", _entities(answer, change, place))
    if kind == "range":
        return _with_lines(answer, _ranges(answer, change, place), change.lines)
    edit = edit_claim(answer, change.claim_id, change.text, change.lines)
    if change.lines is None:
        return RecordEdit(edit)
    evidence = _evidence_with(answer, change.lines)
    return RecordEdit(edit, evidence=evidence, named_lines=(change.lines,))


def _entities(answer: AnswerDraft, change: ClaimChange, place: str) -> tuple[ExpectedEntity, ...]:
    entities = list(answer.expected_entities)
    reason = change.text.strip()
    if place == "new":
        if change.entity_id is None or not reason:
            raise InputError("entity-new: name an entity and why it is expected")
        role = change.role or _ROLES[0]
        entities.append(ExpectedEntity(entity_id=change.entity_id, role=role, rationale=reason))
        return tuple(entities)
    index = _index(change.claim_id, place, len(entities))
    if not reason:
        del entities[index]
        return tuple(entities)
    entity = entities[index]
    role = change.role or entity.role
    entities[index] = entity.model_copy(update={"role": role, "rationale": reason})
    return tuple(entities)


def _ranges(answer: AnswerDraft, change: ClaimChange, place: str) -> tuple[FileRange, ...]:
    ranges = list(answer.expected_line_ranges)
    if place == "new":
        if change.lines is None:
            raise InputError("range-new: name its lines")
        return (*ranges, change.lines)
    index = _index(change.claim_id, place, len(ranges))
    if change.lines is None and change.text.strip():
        raise InputError(f"{change.claim_id}: lines are named, not told; no text removes them")
    if change.lines is None:
        del ranges[index]
    else:
        ranges[index] = change.lines
    return tuple(ranges)


def _index(claim_id: str, place: str, count: int) -> int:
    """The position of a claim in its list, from 0."""
    if not place.isdecimal() or not 1 <= int(place) <= count:
        raise InputError(f"{claim_id}: there is no such claim")
    return int(place) - 1


def _with_lines(
    answer: AnswerDraft, ranges: tuple[FileRange, ...], lines: FileRange | None
) -> RecordEdit:
    edit = _with_files(answer, "expected_line_ranges", ranges)
    if lines is None:
        return edit
    evidence = _evidence_with(answer, lines)
    return RecordEdit(edit.change, edit.files, evidence, (lines,))


def _with_files(answer: AnswerDraft, field: EditedField, after: EditedValue) -> RecordEdit:
    """Change entities or ranges, and list the files that they lie in."""
    edited = answer.model_copy(update={field: after})
    needed_before = _files_needed(answer)
    needed_after = _files_needed(edited)
    # A file that is there for its own sake stays; one of what was removed goes with it.
    removed = needed_before.keys() - needed_after.keys()
    files = [file for file in answer.expected_files if file not in removed]
    files.extend(file for file in needed_after if file not in files)
    change = FieldEdit(field, after, answer.fact_citations)
    if tuple(files) == answer.expected_files:
        return RecordEdit(change)
    return RecordEdit(change, files=tuple(files))


def _files_needed(answer: AnswerDraft) -> dict[str, None]:
    """The files of entities and ranges, in their order; a dictionary keeps each once."""
    entity_ids = (entity.entity_id for entity in answer.expected_entities)
    entity_files = (entity_id.partition("::")[0] for entity_id in entity_ids)
    range_files = (lines.file for lines in answer.expected_line_ranges)
    return dict.fromkeys((*entity_files, *range_files))


def _evidence_with(answer: AnswerDraft, lines: FileRange) -> tuple[Evidence, ...] | None:
    """The evidence with lines that a person read; None where all of them were read before."""
    read_lines = set(_lines_read(answer.source_evidence, lines.file))
    if read_lines.issuperset(range(lines.start, lines.end + 1)):
        return None
    # A person reads after the Oracle: that is one more step.
    steps = [evidence.read_at_step for evidence in answer.source_evidence]
    step = max(steps, default=0) + 1
    reading = Evidence(file=lines.file, start=lines.start, end=lines.end, read_at_step=step)
    return (*answer.source_evidence, reading)


def _lines_read(evidence: Iterable[Evidence], file: str) -> Iterable[int]:
    for reading in evidence:
        if reading.file == file:
            yield from range(reading.start, reading.end + 1)
