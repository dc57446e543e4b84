"""The sample as an event: who is in it, and which falsified answers stand hidden among it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Final, get_args

from goldwright.canaries.mutations import falsify
from goldwright.plan import Cell, Plan
from goldwright.records import CanaryKind, ReviewCanary, SampledRecord, SampleEvent
from goldwright.review.review_state import ReviewState
from goldwright.review.sampling import draw_sample
from goldwright.snapshot import Snapshot
from goldwright.stages.context import without_authorship
from goldwright.stages.fates import record_fates

KINDS: Final[tuple[CanaryKind, ...]] = get_args(CanaryKind)

Event = Callable[[int, str, str, str], SampleEvent]


@dataclass(frozen=True, slots=True)
class SampleDraw:
    """What a sample is drawn from; ``canaries`` is how many falsified answers are wanted among it."""

    plan: Plan
    review_state: ReviewState
    seed: int
    round: int
    canaries: int


def draw(drawing: SampleDraw, snapshot: Snapshot) -> Event:
    """Draw the sample of a batch; what comes back makes the event of a number, key, reviewer and
    time.
    """
    selected = _selected(drawing)
    seed = f"{drawing.seed}:sample:{drawing.round}"
    names = frozenset(draw_sample(list(selected.items()), drawing.plan, seed=seed))
    population = tuple(_drawn(drawing.review_state, one) for one in sorted(selected))
    canaries = tuple(
        _canaries(drawing, [one for one in sorted(selected) if one not in names], snapshot)
    )

    def event(number: int, key: str, reviewer: str, reviewed_at: str) -> SampleEvent:
        return SampleEvent(
            number=number,
            key=key,
            reviewer=reviewer,
            reviewed_at=reviewed_at,
            round=drawing.round,
            population=population,
            drawn=tuple(one for one in population if one.query_id in names),
            canaries=canaries,
        )

    return event


def _selected(drawing: SampleDraw) -> dict[str, Cell]:
    """The records that stand in the dataset by the run's own outcome; what people kept they have
    looked at.
    """
    rulings = drawing.review_state.rulings
    found = record_fates(drawing.plan, drawing.review_state.stage_files, rulings)
    return {
        one.query_id: one.cell
        for one in found
        if one.fate == "pending" and one.query_id not in rulings.kept
    }


def _drawn(review_state: ReviewState, query_id: str) -> SampledRecord:
    content = review_state.original(query_id)
    if content is None:
        raise ValueError(f"{query_id} was selected without an answer")
    return SampledRecord(query_id=query_id, content=content.digest)


def _canaries(drawing: SampleDraw, others: list[str], snapshot: Snapshot) -> Iterator[ReviewCanary]:
    """Falsify answers outside the sample, one kind after the other, as many as are wanted and give
    ground for it.
    """
    chance = Random(f"{drawing.seed}:canaries:{drawing.round}")  # noqa: S311  # draws a sample, no secret
    answers = drawing.review_state.stage_files.answers.done
    sure = [one for one in others if answers[one].confidence != "low"]
    chance.shuffle(sure)
    made = 0
    for query_id in sure:
        if made == drawing.canaries:
            return
        for turn in range(len(KINDS)):
            falsified = falsify(
                answers[query_id], snapshot, KINDS[(made + turn) % len(KINDS)], chance
            )
            if falsified is not None:
                made += 1
                yield ReviewCanary(
                    query_id=query_id,
                    kind=KINDS[(made - 1 + turn) % len(KINDS)],
                    claim_id=falsified.claim_id,
                    what=falsified.what,
                    answer=without_authorship(falsified.answer),
                )
                break
