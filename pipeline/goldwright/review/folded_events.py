"""The events of ``human_reviews.jsonl`` folded into what holds now."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from goldwright.records import (
    AnyReviewEvent,
    ClosingEvent,
    DecisionEvent,
    EditEvent,
    LookEvent,
    PracticeEvent,
    ReviewCanary,
    ReviewPass,
    SampleEvent,
    TrainingEvent,
    TrainingSkipEvent,
    UndoEvent,
    VerdictEvent,
)
from goldwright.review.late_changes import count_late_changes
from goldwright.review.training import TrainingRound, add_to_rounds

RecordInPass = tuple[str, ReviewPass]
"""The id of a record, and the pass in which somebody said something about it."""

UndoableEvent = VerdictEvent | EditEvent | DecisionEvent
EditLists = dict[RecordInPass, list[EditEvent]]


@dataclass
class ReviewEvents:
    """The events that were not undone; a later one on the same subject replaces an earlier one.

    Attributes:
        sample: The sample of the latest round, if one is drawn.
        drawn_numbers: The number of the event that put each record into the sample, or a canary
            in its place.
        first_draw: The number of the first draw of that sample; None where none is drawn.
        edits: The edits of each record in each pass, oldest first.
        verdicts: The last verdict on each record in each pass.
        decisions: The last decision on each record outside the sample.
        last_numbers: The number of the last event on each record in each pass. Undoing an event
            counts as one, so this number never goes back.
        undoable: All verdicts, edits and decisions that hold, oldest first.
        looks: The claims of each record that each person looked at because their code changed.
        replaced_by: The run that replaces this one; None for a batch that stands.
        scripted: How many events came through a pipe.
        late_changes: How many blind verdicts were changed once the results had been shown.
        trainings: The training rounds of all people, oldest first.
    """

    sample: SampleEvent | None = None
    drawn_numbers: dict[str, int] = field(default_factory=dict)
    first_draw: int | None = None
    edits: EditLists = field(default_factory=dict)
    verdicts: dict[RecordInPass, VerdictEvent] = field(default_factory=dict)
    decisions: dict[str, DecisionEvent] = field(default_factory=dict)
    last_numbers: dict[RecordInPass, int] = field(default_factory=dict)
    undoable: list[UndoableEvent] = field(default_factory=list)
    looks: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    replaced_by: str | None = None
    scripted: int = 0
    late_changes: int = 0
    trainings: list[TrainingRound] = field(default_factory=list)

    @property
    def canaries(self) -> dict[str, ReviewCanary]:
        """The falsified answers among the sample, by the id of the record whose place they take."""
        if self.sample is None:
            return {}
        return {canary.query_id: canary for canary in self.sample.canaries}

    @property
    def sampled(self) -> tuple[str, ...]:
        """The ids of the sample, without the canaries."""
        if self.sample is None:
            return ()
        return tuple(record.query_id for record in self.sample.drawn)

    def edits_of(self, query_id: str, review_pass: ReviewPass) -> Sequence[EditEvent]:
        """The edits of one record in one pass, oldest first."""
        return self.edits.get((query_id, review_pass), [])

    def undoable_by(self, reviewer: str, review_pass: ReviewPass) -> UndoableEvent | None:
        """The last event of a reviewer in a pass, or None when nothing is left to undo."""
        for event in reversed(self.undoable):
            if event.reviewer == reviewer and event.sitting == review_pass:
                return event
        return None


def fold_review_events(log: Sequence[AnyReviewEvent]) -> ReviewEvents:
    """Fold the events of a file, oldest first, into what holds after the last of them."""
    samples = _samples_that_count(log)
    events = ReviewEvents(sample=samples[-1] if samples else None)
    _note_draws(events, samples)
    events.late_changes = count_late_changes(log)
    undo_numbers = _undo_numbers(log)
    for event in log:
        events.scripted += event.scripted
        if isinstance(event, LookEvent):
            onlooker = (event.query_id, event.reviewer)
            looked_at = events.looks.setdefault(onlooker, set())
            looked_at.update(event.claims)
        elif isinstance(event, ClosingEvent):
            events.replaced_by = event.replaced_by
        elif isinstance(event, TrainingEvent | PracticeEvent | TrainingSkipEvent):
            add_to_rounds(events.trainings, event)
        elif isinstance(event, VerdictEvent | EditEvent | DecisionEvent):
            _note_number(events, event, event.number)
            undo_number = undo_numbers.get(event.key)
            if undo_number is None:
                _add(events, event)
            else:
                _note_number(events, event, undo_number)
    return events


def _note_draws(events: ReviewEvents, samples: Sequence[SampleEvent]) -> None:
    if samples:
        events.first_draw = samples[0].number
    for sample in samples:
        query_ids = [record.query_id for record in sample.drawn]
        query_ids += [canary.query_id for canary in sample.canaries]
        for query_id in query_ids:
            events.drawn_numbers.setdefault(query_id, sample.number)


def _samples_that_count(log: Sequence[AnyReviewEvent]) -> tuple[SampleEvent, ...]:
    """The sample of the latest round and those that it adds to, oldest first."""
    by_number = {event.number: event for event in log if isinstance(event, SampleEvent)}
    sample = _latest_sample(log)
    samples: list[SampleEvent] = []
    while sample is not None:
        samples.append(sample)
        # What is added to came before, so this ends whatever the file says.
        number = sample.extends
        if number is None or number >= sample.number:
            break
        sample = by_number.get(number)
    return tuple(reversed(samples))


def _latest_sample(log: Sequence[AnyReviewEvent]) -> SampleEvent | None:
    latest: SampleEvent | None = None
    for event in log:
        if not isinstance(event, SampleEvent):
            continue
        # Of two samples of one round the first holds: verdicts may rest on it already.
        if latest is None or event.round > latest.round:
            latest = event
    return latest


def _undo_numbers(log: Sequence[AnyReviewEvent]) -> dict[str, int]:
    """The number of the last undo of each event, by the key of the undone event."""
    return {event.undoes: event.number for event in log if isinstance(event, UndoEvent)}


def _note_number(events: ReviewEvents, event: UndoableEvent, number: int) -> None:
    subject = (event.query_id, event.sitting)
    last_number = events.last_numbers.get(subject, 0)
    events.last_numbers[subject] = max(number, last_number)


def _add(events: ReviewEvents, event: UndoableEvent) -> None:
    subject = (event.query_id, event.sitting)
    events.undoable.append(event)
    match event:
        case VerdictEvent():
            events.verdicts[subject] = event
        case EditEvent():
            events.edits.setdefault(subject, []).append(event)
        case DecisionEvent():
            events.decisions[event.query_id] = event
