"""The pages of a training round, as plain values for their templates."""

from dataclasses import dataclass
from typing import Final

from goldwright.plan import Cell
from goldwright.review.guidelines import VERDICT_GUIDELINES
from goldwright.review.practice_answers import WHAT_IS_WRONG, PracticeFeedback, feedback_on
from goldwright.review.queues import QueueItem
from goldwright.review.record_content import RecordContent
from goldwright.review.session import ReviewSession
from goldwright.review.session_view import SessionView
from goldwright.review.training import TrainingRound
from goldwright.web.claim_rows import cited_ranges, claim_groups
from goldwright.web.page_controls import (
    FEEDBACK_TOOLS,
    LAST_FEEDBACK_TOOLS,
    PRACTICE_TOOLS,
    SUMMARY_TOOLS,
    VERDICT_CHOICES,
    ChoiceButton,
    ToolButton,
)
from goldwright.web.page_frame import PageFrame
from goldwright.web.record_page import DisplayOptions, RecordPage
from goldwright.web.source_view import SourceView

_WHY: Final = "a practice record: its answer is known, and no word on it counts"


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """One record of a round that is over.

    Attributes:
        query_id: The id under which the page shows it.
        right: Whether the word on it was right; None where there is none.
        said: The word, as records write it; empty for none.
        truth: What was wrong with the record, in a sentence.
        question: Its question.
    """

    query_id: str
    right: bool | None
    said: str
    truth: str
    question: str


@dataclass(frozen=True, slots=True)
class SummaryPage:
    """How a round went.

    Attributes:
        right: How many words were right.
        judged: How many records have a word.
        rows: The records.
        tools: The buttons.
    """

    right: int
    judged: int
    rows: tuple[SummaryRow, ...]
    tools: tuple[ToolButton, ...] = SUMMARY_TOOLS


def make_practice_frame(
    session: ReviewSession, training: TrainingRound | None, *, run: str
) -> PageFrame:
    """Make the frame of a page of a round; without one, of the page that offers it."""
    records = words = 0
    if training is not None:
        records, words = len(training.records), len(training.words)
    return PageFrame(
        run=run,
        reviewer=session.reviewer,
        review_pass=session.review_pass,
        queues=(),
        squares=(),
        covered=0,
        cells=0,
        reviewed=words,
        total=records,
        is_practice=True,
    )


def make_practice_page(
    session: ReviewSession,
    view: SessionView,
    training: TrainingRound,
    place: int,
    source: SourceView,
    options: DisplayOptions,
) -> RecordPage:
    """Put the page of one practice record together, with what is told of the word on it."""
    record, content = session.practice.find(view, place)
    word = training.words.get(place)
    disputed: frozenset[str] = frozenset()
    feedback: PracticeFeedback | None = None
    choices: tuple[ChoiceButton, ...] = VERDICT_CHOICES
    tools: tuple[ToolButton, ...] = PRACTICE_TOOLS
    note = ""
    ranges = list(cited_ranges(content.answer, session.snapshot))
    upcoming = training.next_record
    following = None
    if word is not None:
        feedback = feedback_on(record, word)
        disputed = frozenset(word.disputed)
        note = word.note or ""
        choices = ()
        tools = LAST_FEEDBACK_TOOLS if upcoming is None else FEEDBACK_TOOLS
        ranges += record.seen_at
        following = None if upcoming is None else f"practice-{upcoming.place}"
    verdict = word.verdict if word is not None else None
    panes = source.panes(ranges, whole_file=options.whole_file, line=options.line)
    return RecordPage(
        item=_item(content, place, verdict),
        place=place,
        count=len(training.records),
        content=content,
        digest=content.digest,
        last=0,
        groups=claim_groups(content.answer, session.snapshot, disputed),
        disputed=disputed,
        panes=panes,
        choices=choices,
        tools=tools,
        is_decision=False,
        guidelines=VERDICT_GUIDELINES,
        failures=(),
        versions=(),
        note=note,
        changes=(),
        found=(),
        previous=None,
        following=following,
        feedback=feedback,
    )


def make_summary_page(
    session: ReviewSession, view: SessionView, training: TrainingRound
) -> SummaryPage:
    """Put together how a round went."""
    rows = tuple(_row(session, view, training, record.place) for record in training.records)
    return SummaryPage(training.right, len(training.words), rows)


def _item(content: RecordContent, place: int, judgement: str | None) -> QueueItem:
    cell = Cell(content.candidate.task_type, content.candidate.difficulty)
    return QueueItem(f"practice-{place}", cell, "practice", (_WHY,), judgement)


def _row(
    session: ReviewSession, view: SessionView, training: TrainingRound, place: int
) -> SummaryRow:
    record, content = session.practice.find(view, place)
    word = training.words.get(place)
    truth = "Nothing was changed in it."
    if record.kind is not None:
        truth = WHAT_IS_WRONG[record.kind]
    right, said_verdict = None, ""
    if word is not None:
        right, said_verdict = word.right, word.verdict
    return SummaryRow(
        query_id=f"practice-{place}",
        right=right,
        said=said_verdict,
        truth=truth,
        question=content.candidate.query_text,
    )
