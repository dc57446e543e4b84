"""The authoring of one round: every cell's Author at once, then the screen in the order of the
cells.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from goldwright.agents.roles import Author, AuthorWork
from goldwright.engine.ordered_log import OrderedLog
from goldwright.engine.progress import Progress
from goldwright.engine.scheduler import CaseFailure, work_through
from goldwright.plan import Cell
from goldwright.records import CandidateDraft, QueryCandidate, RejectedRecord
from goldwright.stages.context import READING_TOOLS, StageContext
from goldwright.stages.screen import AcceptedCandidates, ScreeningCase, ScreenRefusal, screen
from goldwright.stages.screen.rules import leaks

VERSION: Final = 1

Asks = tuple[tuple[Cell, int], ...]


@dataclass(frozen=True, slots=True)
class CellDrafts:
    """The drafts of one cell with their stamps."""

    drafts: tuple[CandidateDraft, ...] = ()
    stamps: tuple[Mapping[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class NumberedDraft:
    """A draft with the id and the stamp it gets, whether it is accepted or not."""

    query_id: str
    cell: Cell
    draft: CandidateDraft
    stamp: Mapping[str, object]


class AuthorStage:
    """Asks the Authors for candidates and lets the screen decide which of them enter."""

    name: Final = "author"

    def __init__(
        self,
        role: Author,
        context: StageContext,
        *,
        candidates: OrderedLog[QueryCandidate],
        rejected: OrderedLog[RejectedRecord],
        progress: Progress,
        seed: int,
        focus_area: str | None,
        spent_targets: frozenset[str] = frozenset(),
    ) -> None:
        self._role = role
        self._context = context
        self._candidates = candidates
        self._rejected = rejected
        self._progress = progress
        self._seed = seed
        self._focus_area = focus_area
        self._accepted = AcceptedCandidates(spent_targets=spent_targets)
        self._room: dict[Cell, int] = {}
        self._numbered = 0

    async def emit(
        self, number: int, asks: Asks
    ) -> tuple[tuple[QueryCandidate, ...], tuple[CaseFailure, ...]]:
        """Play round ``number``.

        Returns: The candidates that entered, in the order of the cells, and the Authors that could
            not finish.
        """
        standing = {candidate.query_id: candidate for candidate in self._accepted.candidates}
        self._context.transcript.record_round(number, asks, tuple(standing))
        self._progress.expect(self.name, sum(count for _, count in asks))
        told = self._context.transcript.accepted(number)
        accepted = tuple(standing[query_id] for query_id in told if query_id in standing)
        works = [
            AuthorWork(cell, count, number, asks, accepted, self._seed, self._focus_area)
            for cell, count in asks
        ]
        written = {work.cell: CellDrafts() for work in works}

        async def play(_place: int, work: AuthorWork) -> None:
            written[work.cell] = await self._play(work)

        failed = await work_through(
            works,
            play,
            name=lambda work: f"{self.name}:{work.round}:{work.cell}",
            release=lambda _place: None,
            limit=len(works),
        )
        for cell, count in asks:
            self._room[cell] = self._room.get(cell, 0) + count
        entered = [self._enter(emission) for emission in self._numbered_drafts(asks, written)]
        return tuple(candidate for candidate in entered if candidate is not None), failed

    async def _play(self, work: AuthorWork) -> CellDrafts:
        since, case = self._context.clock.seconds(), f"{work.round}:{work.cell}"
        toolset = self._context.toolset(READING_TOOLS)
        drafts = (await self._role.play(work, toolset))[: work.count]
        self._context.transcript.record(self.name, case, self._role.identity, toolset)
        item, identity = f"{self.name}:{case}", self._role.identity
        stamps = tuple(
            self._context.stamp(
                item, identity, since=since, toolset=toolset, share=(place, len(drafts))
            )
            for place in range(len(drafts))
        )
        return CellDrafts(drafts, stamps)

    def _numbered_drafts(
        self, asks: Asks, written: Mapping[Cell, CellDrafts]
    ) -> Iterator[NumberedDraft]:
        """Number the drafts by the places that the asks reserve, so that ids do not hang on what
        was rejected.
        """
        for cell, count in asks:
            numbered = enumerate(
                zip(written[cell].drafts, written[cell].stamps, strict=True), start=1
            )
            for place, (draft, stamp) in numbered:
                yield NumberedDraft(f"q_{self._numbered + place:05d}", cell, draft, stamp)
            self._numbered += count

    def _enter(self, emission: NumberedDraft) -> QueryCandidate | None:
        known = self._candidates.done.get(emission.query_id)
        if known is None and emission.query_id not in self._rejected.done:
            known = self._decide(emission)
        if known is not None:
            self._accepted.add(known)
        self._progress.advance(self.name, "passed" if known else "rejected")
        return known

    def _decide(self, emission: NumberedDraft) -> QueryCandidate | None:
        room = self._room[emission.cell] - self._accepted.in_cell(emission.cell)
        case = ScreeningCase(
            emission.draft, emission.cell, room, self._context.snapshot, self._accepted
        )
        refusal = screen(case)
        if refusal is not None:
            self._rejected.add(_rejection(emission, refusal, self._context.now()))
            return None
        fields = {
            "query_id": emission.query_id,
            "task_type": emission.cell.task_type,
            "difficulty": emission.cell.difficulty,
            "identifier_in_query": bool(leaks(case)),
            **dict(emission.draft),
            **emission.stamp,
        }
        candidate = QueryCandidate.model_validate(fields)
        self._candidates.add(candidate)
        return candidate


def _rejection(emission: NumberedDraft, refusal: ScreenRefusal, now: str) -> RejectedRecord:
    return RejectedRecord(
        query_id=emission.query_id,
        task_type=emission.cell.task_type,
        difficulty=emission.cell.difficulty,
        stage="screen",
        reason=refusal.reason,
        message=refusal.message,
        query_text=emission.draft.query_text,
        target_entity_ids=emission.draft.target_entity_ids,
        created_at=now,
    )
