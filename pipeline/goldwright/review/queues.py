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


def lanes_of(plan: Plan, cases: ReviewState, sitting: ReviewPass) -> tuple[ReviewQueue, ...]:
    """Sort what waits for a person into lanes; a second reviewer sees the sample alone."""
    if sitting == "adjudication":
        return (ReviewQueue("adjudication", tuple(_differing(cases))),)
    sample = ReviewQueue("sample", tuple(_sampled(cases, sitting)))
    if sitting == "second":
        return (sample,)
    after = record_fates(plan, cases.books, cases.rulings)
    before = record_fates(plan, cases.books)
    return (
        sample,
        ReviewQueue("look", tuple(_each(cases, after))),
        ReviewQueue("queued", tuple(_undecided(cases, before, "queued"))),
        ReviewQueue("failed_gate", tuple(_undecided(cases, before, "failed_gate"))),
    )


def _sampled(cases: ReviewState, sitting: ReviewPass) -> Iterator[QueueItem]:
    words = cases.words
    asked = {
        one for one in words.sampled if one not in cases.books.rejected.done
    } | words.canaries.keys()
    sizes: dict[Cell, int] = {}
    for one in words.sample.population if words.sample else ():
        sizes[_cell(cases, one.query_id)] = sizes.get(_cell(cases, one.query_id), 0) + 1
    for query_id in sorted(asked):
        cell = _cell(cases, query_id)
        size = sizes.get(cell, 0)
        why = (
            f"drawn by chance to stand for the {'one record' if size == 1 else f'{size} records'} of {cell}",
        )
        yield QueueItem(query_id, cell, "sample", why, _verdict(cases, query_id, sitting))


def _each(cases: ReviewState, after: tuple[RecordFate, ...]) -> Iterator[QueueItem]:
    if cases.words.sample is None:
        return
    elsewhere = {*cases.words.sampled, *cases.words.canaries}
    looked = {
        query_id for query_id, sitting in cases.words.verdicts if sitting == "first"
    } - elsewhere
    wanted = dict.fromkeys(looked, "it wanted a look, and has had one") | unlooked(cases, after)
    for query_id, reason in sorted(wanted.items()):
        yield QueueItem(
            query_id, _cell(cases, query_id), "look", (reason,), _verdict(cases, query_id, "first")
        )


def _undecided(
    cases: ReviewState, before: tuple[RecordFate, ...], fate: Literal["queued", "failed_gate"]
) -> Iterator[QueueItem]:
    for one in before:
        if one.fate == fate and cases.original(one.query_id) is not None:
            yield QueueItem(
                one.query_id,
                one.cell,
                fate,
                _reasons(cases, one.query_id),
                _decision(cases, one.query_id),
            )


def _reasons(cases: ReviewState, query_id: str) -> tuple[str, ...]:
    books = cases.books
    if query_id in books.failures.done:
        return tuple(
            f"{one.check}: {one.claim}: {one.message}"
            for one in books.failures.done[query_id].failures
        )
    return books.queue.done[query_id].reasons if query_id in books.queue.done else ()


def _differing(cases: ReviewState) -> Iterator[QueueItem]:
    for query_id in cases.words.sampled:
        case = cases.settlement(query_id, twice=True)
        if case is None or case.first is None or case.second is None:
            continue
        if case.stage == "disputed" or case.adjudication is not None:
            said = case.adjudication.verdict if case.adjudication else None
            yield QueueItem(
                query_id,
                _cell(cases, query_id),
                "adjudication",
                tuple(_difference(cases, query_id)),
                said,
            )


def _difference(cases: ReviewState, query_id: str) -> Iterator[str]:
    for sitting, who in (("first", "First"), ("second", "Second")):
        given = cases.verdict(query_id, "first" if sitting == "first" else "second")
        if given is None:
            continue
        edits = len(cases.words.edits_of(query_id, given.sitting))
        said = given.verdict.replace("_", " ")
        parts = [f"{who} reviewer: {said}", given.note or "", f"edits: {edits}" if edits else ""]
        if given.disputed:
            parts.append(f"points at {', '.join(given.disputed)}")
        yield "; ".join(part for part in parts if part)


def _verdict(cases: ReviewState, query_id: str, sitting: ReviewPass) -> str | None:
    given = cases.verdict(query_id, sitting)
    return given.verdict if given else None


def _decision(cases: ReviewState, query_id: str) -> str | None:
    decided = cases.words.decisions.get(query_id)
    content = cases.seen_by(query_id, "first")
    return decided.decision if decided and content and decided.content == content.digest else None


def _cell(cases: ReviewState, query_id: str) -> Cell:
    candidate = cases.books.candidates.done[query_id]
    return Cell(candidate.task_type, candidate.difficulty)
