"""Training rounds: what people said of records with known answers, and what was right of it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from goldwright.records import (
    PracticeEvent,
    PracticeRecord,
    ReviewPass,
    TrainingEvent,
    TrainingSkipEvent,
)
from goldwright.review.person_names import person_key, same_person


@dataclass
class TrainingRound:
    """One training round of one person.

    Attributes:
        reviewer: The person.
        sitting: The review pass that they were about to take part in.
        records: What they practise on; nothing where they skipped the round before it began.
        words: What they said, by the place of the record.
        is_skipped: Whether they did without it, or ended it before the last record.
    """

    reviewer: str
    sitting: ReviewPass
    records: tuple[PracticeRecord, ...] = ()
    words: dict[int, PracticeEvent] = field(default_factory=dict)
    is_skipped: bool = False

    @property
    def right(self) -> int:
        """How many words were right."""
        return sum(word.right for word in self.words.values())

    @property
    def is_over(self) -> bool:
        """Whether nothing more is asked in it."""
        has_every_word = len(self.words) == len(self.records)
        return self.is_skipped or has_every_word

    @property
    def next_record(self) -> PracticeRecord | None:
        """The first record without a word; None where the round is over."""
        if self.is_over:
            return None
        open_records = (record for record in self.records if record.place not in self.words)
        return next(open_records)

    def record(self, place: int) -> PracticeRecord | None:
        """Give the record at a place, or None where there is none."""
        records_there = (record for record in self.records if record.place == place)
        return next(records_there, None)


@dataclass(frozen=True, slots=True)
class TrainingResult:
    """How one training round of one person went.

    Attributes:
        reviewer: The person.
        sitting: The review pass that they were about to take part in.
        records: How many records the round holds; 0 where it was skipped before it began.
        judged: How many of them the person gave a word on.
        right: How many of these words were right.
        skipped: Whether the person did without it, or ended it before the last record.
    """

    reviewer: str
    sitting: ReviewPass
    records: int
    judged: int
    right: int
    skipped: bool


def add_to_rounds(
    rounds: list[TrainingRound], event: TrainingEvent | PracticeEvent | TrainingSkipEvent
) -> None:
    """Add what an event says to the rounds so far."""
    latest = latest_round(rounds, event.reviewer)
    match event:
        case TrainingEvent():
            rounds.append(TrainingRound(event.reviewer, event.sitting, event.records))
        case PracticeEvent():
            # The first word on a record holds: what comes later was said with the answer known.
            if latest is not None:
                latest.words.setdefault(event.place, event)
        case TrainingSkipEvent():
            if latest is None or latest.is_over:
                rounds.append(TrainingRound(event.reviewer, event.sitting, is_skipped=True))
            else:
                latest.is_skipped = True


def latest_round(rounds: Sequence[TrainingRound], reviewer: str) -> TrainingRound | None:
    """Find the latest round of a person, by any spelling of their name."""
    for training_round in reversed(rounds):
        if same_person(training_round.reviewer, reviewer):
            return training_round
    return None


def training_results(rounds: Iterable[TrainingRound]) -> tuple[TrainingResult, ...]:
    """Sum up all rounds, oldest first."""
    return tuple(map(_result, rounds))


def training_sentences(results: Iterable[TrainingResult]) -> Iterator[str]:
    """Say how everybody practised, a sentence for each person."""
    by_person: defaultdict[str, list[TrainingResult]] = defaultdict(list)
    for result in results:
        by_person[person_key(result.reviewer)].append(result)
    for rounds in by_person.values():
        accounts = ", then ".join(map(_account, rounds))
        reviewer = rounds[0].reviewer
        yield f"{reviewer} {accounts}."


def _result(training: TrainingRound) -> TrainingResult:
    return TrainingResult(
        reviewer=training.reviewer,
        sitting=training.sitting,
        records=len(training.records),
        judged=len(training.words),
        right=training.right,
        skipped=training.is_skipped,
    )


def _account(result: TrainingResult) -> str:
    if not result.judged:
        return "skipped the practice records" if result.skipped else "has begun to practise"
    right = f"practised: {result.right} of {result.judged}"
    if result.judged == result.records:
        return right
    state = "ended it" if result.skipped else "not finished"
    return f"{right} right, {state} after {result.judged} of {result.records}"
