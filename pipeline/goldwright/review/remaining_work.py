"""What is left of a review, the settling of differences included, and how long it will take."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from goldwright.records import ReviewPass, VerdictEvent
from goldwright.review.passes import ADJUDICATION, INDEPENDENT_PASSES
from goldwright.review.person_names import same_person
from goldwright.review.review_state import ReviewState
from goldwright.review.settlement import Settlements
from goldwright.text import counted

FEWEST_OWN: Final = 5
"""With so many verdicts of a person in a pass, their own pace is no guess."""


@dataclass(frozen=True, slots=True)
class WorkLeft:
    """What is left of one pass.

    Attributes:
        sitting: The pass.
        left: How many records still want a verdict in it.
        total: How many wanted one; of the adjudication, all on which the two differed.
        seconds_each: The median time of a record; None where nobody has judged one in the page.
        basis: Whose time that is, for people.
        is_guess: Whether it rests on few verdicts, on another pass, or on other people.
    """

    sitting: ReviewPass
    left: int
    total: int
    seconds_each: float | None
    basis: str
    is_guess: bool

    @property
    def minutes(self) -> int | None:
        """The time that is left, at least a minute: nobody plans by seconds."""
        if self.seconds_each is None:
            return None
        minutes = self.left * self.seconds_each / 60
        return max(round(minutes), 1)


def open_passes(review_state: ReviewState) -> tuple[ReviewPass, ...]:
    """The blind passes in which a record of the sample or a canary wants a verdict."""
    return tuple(
        review_pass for review_pass in INDEPENDENT_PASSES if _unjudged(review_state, review_pass)
    )


def records_to_judge(review_state: ReviewState) -> list[str]:
    """The records of the sample that nobody took out, and the canaries."""
    rejected = review_state.stage_files.rejected.done
    events = review_state.events
    standing = [query_id for query_id in events.sampled if query_id not in rejected]
    return [*standing, *events.canaries]


def work_left(
    review_state: ReviewState,
    settlements: Settlements,
    people: Mapping[ReviewPass, str] | None = None,
) -> tuple[WorkLeft, ...]:
    """Measure what is left of each pass of which something is left.

    Args:
        review_state: The records and the review events about them.
        settlements: How far people are with each record of the sample.
        people: Who works on each pass; for one without a name, who judged in it last.
    """
    names = {**_last_speakers(review_state), **(people or {})}
    work = []
    for sitting in (*INDEPENDENT_PASSES, ADJUDICATION):
        if sitting == ADJUDICATION:
            left_count, total = _differences(settlements)
        else:
            left_count = len(_unjudged(review_state, sitting))
            total = len(records_to_judge(review_state))
        if left_count:
            pace = _pace(review_state, sitting, names.get(sitting))
            work.append(WorkLeft(sitting, left_count, total, *pace))
    return tuple(work)


def own_work_left(
    review_state: ReviewState, sitting: ReviewPass, reviewer: str
) -> tuple[WorkLeft, ...]:
    """Measure what is left of one blind pass, from nothing but its reviewer's own verdicts."""
    left_count = len(_unjudged(review_state, sitting))
    if not left_count:
        return ()
    total = len(records_to_judge(review_state))
    pace = _pace(review_state, sitting, reviewer, counts_others=False)
    return (WorkLeft(sitting, left_count, total, *pace),)


def work_sentences(work: Sequence[WorkLeft]) -> Iterator[str]:
    """Put what is left into sentences."""
    for part in work:
        is_adjudication = part.sitting == ADJUDICATION
        noun = "differences" if is_adjudication else "records"
        heading = part.sitting if is_adjudication else f"{part.sitting} pass"
        sentence = f"{heading}: {part.left} of {part.total} {noun} left"
        if part.minutes is None:
            yield f"{sentence}; how long it takes is not known before the first verdict"
            continue
        minutes = counted(part.minutes, "minute")
        opening = "a guess by" if part.is_guess else "by"
        pace = f"{part.seconds_each:g} s a record"
        yield f"{sentence}, about {minutes}, {opening} {part.basis} ({pace})"


def _unjudged(review_state: ReviewState, sitting: ReviewPass) -> list[str]:
    to_judge = records_to_judge(review_state)
    return [name for name in to_judge if review_state.verdict(name, sitting) is None]


def _differences(settlements: Settlements) -> tuple[int, int]:
    """How many differences are open, and how many there are with those that are settled."""
    there = [settlement for settlement in settlements.values() if settlement is not None]
    disputed = sum(settlement.stage == "disputed" for settlement in there)
    settled = sum(settlement.adjudication is not None for settlement in there)
    return disputed, disputed + settled


def _last_speakers(review_state: ReviewState) -> dict[ReviewPass, str]:
    verdicts = sorted(review_state.events.verdicts.values(), key=lambda event: event.number)
    return {event.sitting: event.reviewer for event in verdicts}


def _pace(
    review_state: ReviewState, sitting: ReviewPass, name: str | None, *, counts_others: bool = True
) -> tuple[float | None, str, bool]:
    """The time of a record, whose it is, and whether that is a guess."""
    # A verdict from a terminal or a script has no time.
    verdicts = review_state.events.verdicts.values()
    timed = [event for event in verdicts if event.seconds > 0]
    own_verdicts: list[VerdictEvent] = []
    if name is not None:
        own_verdicts = [event for event in timed if same_person(event.reviewer, name)]
    here = [event for event in own_verdicts if event.sitting == sitting]
    if not counts_others:
        own_verdicts = here
    if here:
        count = len(here)
        basis = f"{name}'s median of {count}"
        return _median(here), basis, count < FEWEST_OWN
    if own_verdicts:
        return _median(own_verdicts), f"{name}'s median in another pass", True
    if timed and counts_others:
        return _median(timed), "everybody's median", True
    return None, "", True


def _median(events: Sequence[VerdictEvent]) -> float:
    return round(median(event.seconds for event in events), 1)
