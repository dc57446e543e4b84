"""The events of ``human_reviews.jsonl`` folded into what holds now."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from goldwright.records import (
    AnyReviewEvent,
    DecisionEvent,
    EditEvent,
    ReviewCanary,
    ReviewPass,
    SampleEvent,
    UndoEvent,
    VerdictEvent,
)

Case = tuple[str, ReviewPass]
Undoable = VerdictEvent | EditEvent | DecisionEvent


@dataclass
class ReviewEvents:
    """What people said and did not take back; a later word on the same thing replaces the earlier
    one.
    """

    sample: SampleEvent | None = None
    edits: dict[Case, list[EditEvent]] = field(default_factory=dict)
    verdicts: dict[Case, VerdictEvent] = field(default_factory=dict)
    decisions: dict[str, DecisionEvent] = field(default_factory=dict)
    last: dict[Case, int] = field(default_factory=dict)
    said: list[Undoable] = field(default_factory=list)

    @property
    def canaries(self) -> dict[str, ReviewCanary]:
        """The falsified answers among the sample, by the id they stand under."""
        return {one.query_id: one for one in self.sample.canaries} if self.sample else {}

    @property
    def sampled(self) -> tuple[str, ...]:
        """The ids of the sample, canaries not among them."""
        return tuple(one.query_id for one in self.sample.drawn) if self.sample else ()

    def edits_of(self, query_id: str, sitting: ReviewPass) -> Sequence[EditEvent]:
        """The edits of one sitting on one record, oldest first."""
        return self.edits.get((query_id, sitting), [])

    def undoable_by(self, reviewer: str, sitting: ReviewPass) -> Undoable | None:
        """The last thing a reviewer said in a sitting, if there is one to take back."""
        mine = (
            one
            for one in reversed(self.said)
            if one.reviewer == reviewer and one.sitting == sitting
        )
        return next(mine, None)


def fold_review_events(log: Sequence[AnyReviewEvent]) -> ReviewEvents:
    """Fold events, oldest first; of two samples of one round the first holds."""
    events = ReviewEvents()
    for event in log:
        if isinstance(event, SampleEvent) and (
            events.sample is None or event.round > events.sample.round
        ):
            events.sample = event
    taken_back = {event.undoes: event.number for event in log if isinstance(event, UndoEvent)}
    for said in _said(log):
        case = (said.query_id, said.sitting)
        events.last[case] = max(said.number, taken_back.get(said.key, 0), events.last.get(case, 0))
        if said.key not in taken_back:
            _count_in(events, said)
    return events


def _said(log: Iterable[AnyReviewEvent]) -> Iterator[Undoable]:
    for event in log:
        if isinstance(event, VerdictEvent | EditEvent | DecisionEvent):
            yield event


def _count_in(events: ReviewEvents, said: Undoable) -> None:
    case = (said.query_id, said.sitting)
    events.said.append(said)
    if isinstance(said, VerdictEvent):
        events.verdicts[case] = said
    elif isinstance(said, EditEvent):
        events.edits.setdefault(case, []).append(said)
    else:
        events.decisions[said.query_id] = said
