"""Editing any part of a record: what follows from an edit, and what is refused."""

import pytest

from goldwright.errors import InputError
from goldwright.plan import Cell
from goldwright.records import AnswerDraft, EditEvent, FileRange
from goldwright.review.record_content import RecordContent
from goldwright.review.record_edits import ClaimChange, edit_record
from goldwright.stages.gate import run_gate
from goldwright.stages.gate.examples import ANSWER, BASKET, PRICES, SHOP
from units.review.batches import candidate

PLACE = FileRange(file=PRICES, start=4, end=5)


def edited(content: RecordContent, change: ClaimChange) -> RecordContent:
    """Give the content after a change, by the event that the log would hold."""
    edit = edit_record(content, change)
    event = EditEvent(
        number=1,
        key="key-1",
        reviewer="Ada",
        reviewed_at="2026-01-01T00:00:00Z",
        query_id=content.candidate.query_id,
        sitting="first",
        content=content.digest,
        field=edit.change.field,
        before=content.value(edit.change.field),
        after=edit.change.after,
        citations=edit.change.citations,
        files=edit.files,
        evidence=edit.evidence,
    )
    return content.with_edits([EditEvent.model_validate_json(event.as_json())])


@pytest.fixture
def content() -> RecordContent:
    """A record that passes the gate."""
    return RecordContent(candidate("q1", Cell("explain", "easy")), ANSWER)


def without_note(answer: AnswerDraft) -> tuple[object, ...]:
    """What an answer expects."""
    return answer.expected_entities, answer.expected_line_ranges, answer.expected_files


def test_an_entity_brings_its_file_and_takes_it_away_again(content: RecordContent) -> None:
    entity_id = next(entity.entity_id for entity in SHOP.entities() if entity.path == PRICES)
    assert PRICES not in content.answer.expected_files
    added = edited(
        content, ClaimChange("entity-new", "It counts.", entity_id=entity_id, role="supporting")
    )
    assert PRICES in added.answer.expected_files
    count = len(added.answer.expected_entities)
    removed = edited(added, ClaimChange(f"entity-{count}", ""))
    assert without_note(removed.answer) == without_note(content.answer)
    assert removed.digest == content.digest


def test_a_role_changes_without_its_reason(content: RecordContent) -> None:
    entity = content.answer.expected_entities[0]
    change = ClaimChange("entity-1", entity.rationale, role="contextual")
    after = edited(content, change).answer.expected_entities[0]
    assert after == entity.model_copy(update={"role": "contextual"})


def test_lines_that_a_person_names_count_as_read(content: RecordContent) -> None:
    """The gate refuses a citation that nobody read, so an edit of lines must bring its evidence."""
    before = {failure.check for failure in run_gate(ANSWER, SHOP)}
    fact = content.answer.must_mention_facts[0]
    after = edited(content, ClaimChange("fact-1", fact, PLACE))
    checks = {failure.check for failure in run_gate(after.answer, SHOP)} - before
    assert "evidence_read" not in checks
    assert after.answer.source_evidence[-1].file == PRICES
    read_before = ClaimChange("fact-1", fact, FileRange(file=BASKET, start=9, end=9))
    assert edit_record(content, read_before).evidence is None


def test_a_question_is_reworded_and_nothing_else_is(content: RecordContent) -> None:
    after = edited(content, ClaimChange("question", "  What is refused,\n and why? "))
    assert after.candidate.query_text == "What is refused, and why?"
    assert after.answer == content.answer
    assert after.digest != content.digest


@pytest.mark.parametrize(
    "change",
    [
        ClaimChange("entity-new", "It counts."),
        ClaimChange("entity-9", "It counts."),
        ClaimChange("entity-x", ""),
        ClaimChange("range-new"),
        ClaimChange("range-0", lines=PLACE),
        ClaimChange("range-1", "Lines have no words."),
        ClaimChange("file-1", "a.py"),
    ],
)
def test_what_is_not_there_or_lacks_something_is_refused(
    content: RecordContent, change: ClaimChange
) -> None:
    with pytest.raises(InputError):
        edit_record(content, change)
