"""What there is for a person to look at, lane by lane, and why each record is there."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from goldwright.plan import Cell, Plan
from goldwright.records import ReviewPass
from goldwright.review.review_state import ReviewState
from goldwright.review.spot_check import unlooked
from goldwright.stages.fates import RecordFate, record_fates

LaneName = Literal["sample", "look", "queued", "failed_gate", "adjudication"]

TITLES: Final[dict[LaneName, str]] = {
    "sample": "Sample",
    "look": "Look at each",
    "queued": "Queued",
    "failed_gate": "Failed the gate",
    "adjudication": "Reviewers differ",
}
VERDICT_LANES: Final[frozenset[LaneName]] = frozenset({"sample", "look", "adjudication"})


@dataclass(frozen=True, slots=True)
class QueueItem:
    """One record of a lane: ``said`` is the verdict or decision of this sitting, if there is one."""

    query_id: str
    cell: Cell
    lane: LaneName
    why: tuple[str, ...]
    said: str | None


@dataclass(frozen=True, slots=True)
class ReviewQueue:
    """Records that are here for one reason, in the order in which they are shown."""

    name: LaneName
    items: tuple[QueueItem, ...]

    @property
    def title(self) -> str:
        """The lane's name for people."""
        return TITLES[self.name]

    @property
    def done(self) -> int:
        """How many records have a word of this sitting."""
        return sum(one.said is not None for one in self.items)


def lanes_of(plan: Plan, review_state: ReviewState, sitting: ReviewPass) -> tuple[ReviewQueue, ...]:
    """Sort what waits for a person into lanes; a second reviewer sees the sample alone."""
    if sitting == "adjudication":
        return (ReviewQueue("adjudication", tuple(_differing(review_state))),)
    sample = ReviewQueue("sample", tuple(_sampled(review_state, sitting)))
    if sitting == "second":
        return (sample,)
    after = record_fates(plan, review_state.stage_files, review_state.rulings)
    before = record_fates(plan, review_state.stage_files)
    return (
        sample,
        ReviewQueue("look", tuple(_each(review_state, after))),
        ReviewQueue("queued", tuple(_undecided(review_state, before, "queued"))),
        ReviewQueue("failed_gate", tuple(_undecided(review_state, before, "failed_gate"))),
    )


def _sampled(review_state: ReviewState, sitting: ReviewPass) -> Iterator[QueueItem]:
    events = review_state.events
    asked = {
        one for one in events.sampled if one not in review_state.stage_files.rejected.done
    } | events.canaries.keys()
    sizes: dict[Cell, int] = {}
    for one in events.sample.population if events.sample else ():
        sizes[_cell(review_state, one.query_id)] = (
            sizes.get(_cell(review_state, one.query_id), 0) + 1
        )
    for query_id in sorted(asked):
        cell = _cell(review_state, query_id)
        size = sizes.get(cell, 0)
        why = (
            f"drawn by chance to stand for the {'one record' if size == 1 else f'{size} records'} of {cell}",
        )
        yield QueueItem(query_id, cell, "sample", why, _verdict(review_state, query_id, sitting))


def _each(review_state: ReviewState, after: tuple[RecordFate, ...]) -> Iterator[QueueItem]:
    if review_state.events.sample is None:
        return
    elsewhere = {*review_state.events.sampled, *review_state.events.canaries}
    looked = {
        query_id for query_id, sitting in review_state.events.verdicts if sitting == "first"
    } - elsewhere
    wanted = dict.fromkeys(looked, "it wanted a look, and has had one") | unlooked(
        review_state, after
    )
    for query_id, reason in sorted(wanted.items()):
        yield QueueItem(
            query_id,
            _cell(review_state, query_id),
            "look",
            (reason,),
            _verdict(review_state, query_id, "first"),
        )


def _undecided(
    review_state: ReviewState,
    before: tuple[RecordFate, ...],
    fate: Literal["queued", "failed_gate"],
) -> Iterator[QueueItem]:
    for one in before:
        if one.fate == fate and review_state.original(one.query_id) is not None:
            yield QueueItem(
                one.query_id,
                one.cell,
                fate,
                _reasons(review_state, one.query_id),
                _decision(review_state, one.query_id),
            )


def _reasons(review_state: ReviewState, query_id: str) -> tuple[str, ...]:
    stage_files = review_state.stage_files
    if query_id in stage_files.failures.done:
        return tuple(
            f"{one.check}: {one.claim}: {one.message}"
            for one in stage_files.failures.done[query_id].failures
        )
    return stage_files.queue.done[query_id].reasons if query_id in stage_files.queue.done else ()


def _differing(review_state: ReviewState) -> Iterator[QueueItem]:
    for query_id in review_state.events.sampled:
        case = review_state.settlement(query_id, twice=True)
        if case is None or case.first is None or case.second is None:
            continue
        if case.stage == "disputed" or case.adjudication is not None:
            said = case.adjudication.verdict if case.adjudication else None
            yield QueueItem(
                query_id,
                _cell(review_state, query_id),
                "adjudication",
                tuple(_difference(review_state, query_id)),
                said,
            )


def _difference(review_state: ReviewState, query_id: str) -> Iterator[str]:
    for sitting, who in (("first", "First"), ("second", "Second")):
        given = review_state.verdict(query_id, "first" if sitting == "first" else "second")
        if given is None:
            continue
        edits = len(review_state.events.edits_of(query_id, given.sitting))
        said = given.verdict.replace("_", " ")
        parts = [f"{who} reviewer: {said}", given.note or "", f"edits: {edits}" if edits else ""]
        if given.disputed:
            parts.append(f"points at {', '.join(given.disputed)}")
        yield "; ".join(part for part in parts if part)


def _verdict(review_state: ReviewState, query_id: str, sitting: ReviewPass) -> str | None:
    given = review_state.verdict(query_id, sitting)
    return given.verdict if given else None


def _decision(review_state: ReviewState, query_id: str) -> str | None:
    decided = review_state.events.decisions.get(query_id)
    content = review_state.seen_by(query_id, "first")
    return decided.decision if decided and content and decided.content == content.digest else None


def _cell(review_state: ReviewState, query_id: str) -> Cell:
    candidate = review_state.stage_files.candidates.done[query_id]
    return Cell(candidate.task_type, candidate.difficulty)
