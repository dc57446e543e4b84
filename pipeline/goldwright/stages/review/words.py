"""The events of ``human_reviews.jsonl`` folded into what holds now."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from goldwright.records import (
    FieldEdited,
    HumanReview,
    PlantedCanary,
    RecordDecided,
    SampleDrawn,
    Sitting,
    Undone,
    VerdictGiven,
)

Case = tuple[str, Sitting]
Undoable = VerdictGiven | FieldEdited | RecordDecided


@dataclass
class Words:
    """What people said and did not take back; a later word on the same thing replaces the earlier one."""

    sample: SampleDrawn | None = None
    edits: dict[Case, list[FieldEdited]] = field(default_factory=dict)
    verdicts: dict[Case, VerdictGiven] = field(default_factory=dict)
    decisions: dict[str, RecordDecided] = field(default_factory=dict)
    last: dict[Case, int] = field(default_factory=dict)
    said: list[Undoable] = field(default_factory=list)

    @property
    def canaries(self) -> dict[str, PlantedCanary]:
        """The falsified answers among the sample, by the id they stand under."""
        return {one.query_id: one for one in self.sample.canaries} if self.sample else {}

    @property
    def sampled(self) -> tuple[str, ...]:
        """The ids of the sample, canaries not among them."""
        return tuple(one.query_id for one in self.sample.drawn) if self.sample else ()

    def edits_of(self, query_id: str, sitting: Sitting) -> Sequence[FieldEdited]:
        """The edits of one sitting on one record, oldest first."""
        return self.edits.get((query_id, sitting), [])

    def undoable_by(self, reviewer: str, sitting: Sitting) -> Undoable | None:
        """The last thing a reviewer said in a sitting, if there is one to take back."""
        mine = (one for one in reversed(self.said) if one.reviewer == reviewer and one.sitting == sitting)
        return next(mine, None)


def words_of(events: Sequence[HumanReview]) -> Words:
    """Fold events, oldest first; of two samples of one round the first holds."""
    words = Words()
    for event in events:
        if isinstance(event, SampleDrawn) and (words.sample is None or event.round > words.sample.round):
            words.sample = event
    taken_back = {event.undoes: event.number for event in events if isinstance(event, Undone)}
    for said in _said(events):
        case = (said.query_id, said.sitting)
        words.last[case] = max(said.number, taken_back.get(said.key, 0), words.last.get(case, 0))
        if said.key not in taken_back:
            _count_in(words, said)
    return words


def _said(events: Iterable[HumanReview]) -> Iterator[Undoable]:
    for event in events:
        if isinstance(event, VerdictGiven | FieldEdited | RecordDecided):
            yield event


def _count_in(words: Words, said: Undoable) -> None:
    case = (said.query_id, said.sitting)
    words.said.append(said)
    if isinstance(said, VerdictGiven):
        words.verdicts[case] = said
    elif isinstance(said, FieldEdited):
        words.edits.setdefault(case, []).append(said)
    else:
        words.decisions[said.query_id] = said
