"""How long people took, and how fast they went."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import Final

from goldwright.records import ReviewPass, VerdictEvent
from goldwright.review.folded_events import ReviewEvents
from goldwright.review.passes import ADJUDICATION, INDEPENDENT_PASSES
from goldwright.review.person_names import same_person
from goldwright.text import counted

# Seconds. A question, an answer of three facts and their code take longer than this to read once:
# 150 words at the 250 words a minute of silent reading are 36 s.
QUICKEST_READING: Final = 10.0


_PassOfReviewer = tuple[ReviewPass, str]


@dataclass(frozen=True, slots=True)
class Pace:
    """How long the verdicts of one person in one pass took.

    Attributes:
        reviewer: The person.
        sitting: The review pass.
        verdicts: How many verdicts hold.
        median_seconds: The median time that a record was on screen.
        hurried: How many verdicts came sooner than anybody reads a record.
        scripted: How many came through a pipe.
    """

    reviewer: str
    sitting: ReviewPass
    verdicts: int
    median_seconds: float
    hurried: int
    scripted: int


def review_paces(events: ReviewEvents) -> tuple[Pace, ...]:
    """Measure everybody's pace, by pass and name."""
    verdicts: defaultdict[_PassOfReviewer, list[VerdictEvent]] = defaultdict(list)
    for event in events.verdicts.values():
        verdicts[event.sitting, event.reviewer].append(event)
    return tuple(_pace(key, verdicts) for key in sorted(verdicts))


def pace_sentences(paces: tuple[Pace, ...]) -> tuple[str, ...]:
    """Put paces into sentences."""
    return tuple(_sentence(pace) for pace in paces)


def own_adjudications(events: ReviewEvents) -> tuple[str, ...]:
    """Name the records on which somebody settled a difference that they were one side of."""
    own_ids: list[str] = []
    for (query_id, sitting), event in sorted(events.verdicts.items()):
        if sitting != ADJUDICATION:
            continue
        for independent_pass in INDEPENDENT_PASSES:
            side = events.verdicts.get((query_id, independent_pass))
            if side is not None and same_person(side.reviewer, event.reviewer):
                own_ids.append(query_id)
    return tuple(dict.fromkeys(own_ids))


def _pace(
    key: _PassOfReviewer,
    verdicts: Mapping[_PassOfReviewer, list[VerdictEvent]],
) -> Pace:
    sitting, reviewer = key
    seconds = [event.seconds for event in verdicts[key]]
    hurried = sum(duration < QUICKEST_READING for duration in seconds)
    median_seconds = round(median(seconds), 1)
    scripted = sum(event.scripted for event in verdicts[key])
    return Pace(
        reviewer=reviewer,
        sitting=sitting,
        verdicts=len(seconds),
        median_seconds=median_seconds,
        hurried=hurried,
        scripted=scripted,
    )


def _sentence(pace: Pace) -> str:
    person = f"{pace.reviewer} ({pace.sitting})"
    verdicts = counted(pace.verdicts, "verdict")
    count = f"{verdicts}, the median after {pace.median_seconds:g} s"
    hurried = f"{pace.hurried} came within {QUICKEST_READING:g} s"
    sentence = f"{person} gave {count}; {hurried}"
    if pace.scripted:
        sentence += f"; {pace.scripted} came from a script"
    return f"{sentence}."
