"""One round of authoring: the Authors of all cells at once, then the screen, cell by cell."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from goldwright.agents.roles import Author, AuthorWork
from goldwright.agents.toolset import Toolset
from goldwright.engine.ordered_log import OrderedLog
from goldwright.engine.progress import Progress
from goldwright.engine.scheduler import CaseFailure, work_through
from goldwright.engine.work import Executor
from goldwright.plan import Cell
from goldwright.records import CandidateDraft, QueryCandidate, RejectedRecord
from goldwright.stages.catalog import AUTHOR
from goldwright.stages.context import READING_TOOLS, RoleOutput, StageContext
from goldwright.stages.screen import AcceptedCandidates, ScreeningCase, ScreenRefusal, screen
from goldwright.stages.screen.rules import leaked_names
from goldwright.stages.transcript import CellCounts

Drafts = tuple[CandidateDraft, ...]


@dataclass(frozen=True, slots=True)
class NumberedDraft:
    """A draft with the id and the stamp it gets, whether it is accepted or not."""

    query_id: str
    cell: Cell
    draft: CandidateDraft
    stamp: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Emission:
    """What a round has brought: the accepted candidates, and the Authors that failed."""

    candidates: tuple[QueryCandidate, ...]
    failures: tuple[CaseFailure, ...]


class AuthorStage:
    """Asks the Authors for candidates and lets the screen decide which of them are accepted."""

    def __init__(
        self,
        author: Author,
        context: StageContext,
        *,
        candidates: OrderedLog[QueryCandidate],
        rejected: OrderedLog[RejectedRecord],
        progress: Progress,
        executor: Executor,
        seed: int,
        focus_area: str | None,
        spent_targets: frozenset[str] = frozenset(),
    ) -> None:
        self._author = author
        self._context = context
        self._candidates = candidates
        self._rejected = rejected
        self._progress = progress
        self._executor = executor
        self._seed = seed
        self._focus_area = focus_area
        self._accepted = AcceptedCandidates(spent_targets=spent_targets)
        self._room: dict[Cell, int] = {}
        self._ids_given = 0

    async def emit(self, number: int, asks: CellCounts) -> Emission:
        """Play round ``number``; its candidates come in the order of the cells."""
        standing = {candidate.query_id: candidate for candidate in self._accepted.candidates}
        self._context.transcript.record_round(number, asks, tuple(standing))
        self._progress.expect(AUTHOR.name, sum(count for _, count in asks))
        works = self._works(number, asks, standing)
        drafting = _Drafting(self._author, self._context)
        failures = await work_through(
            works, drafting, executor=self._executor, limit=max(len(works), 1)
        )
        for cell, count in asks:
            self._room[cell] = self._room.get(cell, 0) + count
        numbered = self._numbered(asks, drafting.drafts)
        decided = [self._accept_or_reject(draft) for draft in numbered]
        candidates = tuple(candidate for candidate in decided if candidate is not None)
        return Emission(candidates, failures)

    def _works(
        self, number: int, asks: CellCounts, standing: Mapping[str, QueryCandidate]
    ) -> list[AuthorWork]:
        # A round that is resumed tells its Authors what it told them first, and nothing newer.
        accepted_ids = self._context.transcript.accepted(number)
        accepted = tuple(standing[query_id] for query_id in accepted_ids if query_id in standing)
        return [
            AuthorWork(cell, count, number, asks, accepted, self._seed, self._focus_area)
            for cell, count in asks
        ]

    def _numbered(
        self, asks: CellCounts, drafts: Mapping[Cell, "StampedDrafts"]
    ) -> Iterator[NumberedDraft]:
        """Number the drafts by the places that the asks reserve.

        So the id of a draft does not depend on what was rejected before it.
        """
        for cell, count in asks:
            for place, (draft, stamp) in enumerate(drafts.get(cell, ()), start=1):
                query_id = f"q_{self._ids_given + place:05d}"
                yield NumberedDraft(query_id, cell, draft, stamp)
            self._ids_given += count

    def _accept_or_reject(self, draft: NumberedDraft) -> QueryCandidate | None:
        candidate = self._candidates.done.get(draft.query_id)
        if candidate is None and draft.query_id not in self._rejected.done:
            candidate = self._decide(draft)
        if candidate is not None:
            self._accepted.add(candidate)
        self._progress.advance(AUTHOR.name, "passed" if candidate else "rejected")
        return candidate

    def _decide(self, draft: NumberedDraft) -> QueryCandidate | None:
        room = self._room[draft.cell] - self._accepted.in_cell(draft.cell)
        case = ScreeningCase(draft.draft, draft.cell, room, self._context.snapshot, self._accepted)
        refusal = screen(case)
        if refusal is not None:
            self._rejected.add(_rejection(draft, refusal, self._context.now()))
            return None
        fields = {
            "query_id": draft.query_id,
            "task_type": draft.cell.task_type,
            "difficulty": draft.cell.difficulty,
            "identifier_in_query": bool(leaked_names(case)),
            **dict(draft.draft),
            **draft.stamp,
        }
        candidate = QueryCandidate.model_validate(fields)
        self._candidates.add(candidate)
        return candidate


StampedDrafts = Sequence[tuple[CandidateDraft, Mapping[str, object]]]


class _Drafting:
    """The work of the Authors of one round: one piece a cell."""

    def __init__(self, author: Author, context: StageContext) -> None:
        self._author = author
        self._context = context
        self.drafts: dict[Cell, StampedDrafts] = {}

    def name(self, work: AuthorWork) -> str:
        return f"{AUTHOR.name}:{_case_of(work)}"

    def next_piece(self, _place: int, work: AuthorWork) -> AuthorWork | None:
        return None if work.cell in self.drafts else work

    async def compute(self, work: AuthorWork) -> RoleOutput[Drafts]:
        async def draft(toolset: Toolset) -> Drafts:
            return await self._author.play(work, toolset)

        return await self._context.play(self._author.identity, draft, READING_TOOLS)

    def write(self, _place: int, work: AuthorWork, output: RoleOutput[Drafts]) -> None:
        drafts = output.draft[: work.count]
        self._context.record(AUTHOR.name, _case_of(work), output)
        stamps = [
            self._context.stamp(self.name(work), output, share=(place, len(drafts)))
            for place in range(len(drafts))
        ]
        self.drafts[work.cell] = tuple(zip(drafts, stamps, strict=True))

    def release(self, place: int) -> None:
        """Nothing waits behind an Author: drafts are numbered once all of them are there."""


def _case_of(work: AuthorWork) -> str:
    return f"{work.round}:{work.cell}"


def _rejection(draft: NumberedDraft, refusal: ScreenRefusal, now: str) -> RejectedRecord:
    return RejectedRecord(
        query_id=draft.query_id,
        task_type=draft.cell.task_type,
        difficulty=draft.cell.difficulty,
        stage="screen",
        reason=refusal.reason,
        message=refusal.message,
        query_text=draft.draft.query_text,
        target_entity_ids=draft.draft.target_entity_ids,
        created_at=now,
    )
