"""One round of authoring: the Authors of all cells at once, then the screen, cell by cell."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from goldwright.agents.roles import Author, AuthorWork
from goldwright.engine.ordered_log import OrderedLog
from goldwright.engine.progress import Progress
from goldwright.engine.scheduler import CaseFailure, work_through
from goldwright.engine.work import Executor
from goldwright.plan import Cell
from goldwright.records import CandidateDraft, QueryCandidate, RejectedRecord
from goldwright.stages.context import StageContext
from goldwright.stages.draft_check import screen_before_handing_in
from goldwright.stages.drafting import (
    DraftingRound,
    StampedDraft,
    author_item,
    draft_id,
    reserved_numbers,
)
from goldwright.stages.screen import AcceptedCandidates, ScreeningCase, ScreenRefusal, screen
from goldwright.stages.screen.rules import leaked_names
from goldwright.stages.stage_graph import AUTHOR
from goldwright.stages.start_areas import AREAS_PER_AUTHOR, deal_areas, draw_areas
from goldwright.stages.transcript import CellCounts

AUTHOR_SCREEN: Final = "screen"
"""The stage of records that the screen rejected; people reject others."""


@dataclass(frozen=True, slots=True)
class NumberedDraft:
    """A draft with the id it gets, whether it is accepted or not."""

    query_id: str
    cell: Cell
    stamped: StampedDraft

    @property
    def draft(self) -> CandidateDraft:
        """The draft alone."""
        return self.stamped.draft


@dataclass(frozen=True, slots=True)
class Emission:
    """The results of a round: the accepted candidates, and the Authors that failed."""

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
        # All that earlier processes accepted, of later rounds too: the drafts of an Author that
        # comes late are held against it. Another attempt at a question is no further question.
        drafts = candidates.done.values()
        accepted = [draft for draft in drafts if draft.parent is None]
        self._accepted = AcceptedCandidates(accepted, spent_targets)
        self._spent = tuple(_spent_candidates(spent_targets))
        self._reserved_ids = 0

    async def emit(self, number: int, cell_counts: CellCounts) -> Emission:
        """Play a round; its candidates come in the order of the cells.

        Args:
            number: The round; 0 for the first emission, the top-ups are counted from 1.
            cell_counts: How many candidates each cell is asked for.
        """
        works = self._begin_round(number, cell_counts)
        drafting = DraftingRound(self._author, self._context)
        # All Authors of a round work at once: no query of one depends on a query of another.
        limit = len(works)
        failures = await work_through(works, drafting, executor=self._executor, limit=limit)
        numbered = tuple(self._number_drafts(cell_counts, drafting.drafts))
        # Where a codebase holds less than was asked for, no more will come.
        asked_for = sum(count for _, count in cell_counts)
        self._progress.expect(AUTHOR.name, len(numbered) - asked_for)
        candidates = tuple(self._accept_drafts(numbered))
        return Emission(candidates, failures)

    def _begin_round(self, number: int, cell_counts: CellCounts) -> list[AuthorWork]:
        accepted_ids = [candidate.query_id for candidate in self._accepted.candidates]
        rejections = self._rejected.done.values()
        rejected_ids = [record.query_id for record in rejections if record.stage == AUTHOR_SCREEN]
        self._context.transcript.record_round(
            number, cell_counts, accepted=accepted_ids, rejected=rejected_ids
        )
        expected = sum(count for _, count in cell_counts)
        self._progress.expect(AUTHOR.name, expected)
        areas = self._start_areas()
        works = []
        for cell, count in cell_counts:
            work = self._work(number, cell, count, cell_counts)
            start_area = areas.get((number, cell))
            works.append(replace(work, start_area=start_area))
        return works

    def _start_areas(self) -> Mapping[tuple[int, Cell], str]:
        """Where the Author of each cell begins, by the seed and the rounds written down so far."""
        rounds = self._context.transcript.rounds()
        # Later rounds find the areas as the first one did.
        first_round = rounds[min(rounds)]
        wanted_count = AREAS_PER_AUTHOR * len(first_round)
        areas = draw_areas(
            self._context.snapshot, wanted_count, seed=self._seed, focus_area=self._focus_area
        )
        return deal_areas(areas, rounds)

    def _work(self, number: int, cell: Cell, count: int, cell_counts: CellCounts) -> AuthorWork:
        snapshot = self._context.snapshot
        accepted = self._accepted_before(number, cell)
        spent_targets = self._accepted.spent_targets
        check = screen_before_handing_in(
            cell, count, snapshot, accepted=accepted, spent_targets=spent_targets
        )
        taken_candidates = (*self._spent, *accepted)
        return AuthorWork(
            cell=cell,
            count=count,
            round=number,
            cells=cell_counts,
            accepted=taken_candidates,
            seed=self._seed,
            focus_area=self._focus_area,
            rejected=self._rejected_before(number, cell),
            check=check,
        )

    def _accepted_before(self, number: int, cell: Cell) -> tuple[QueryCandidate, ...]:
        """The candidates that the Author of a cell is shown in a round.

        A round that is resumed shows its Authors what it showed them first, and nothing newer: the
        call journal has replies to the old requests only. An Author that was given up has none,
        and is shown all that was accepted since.
        """
        transcript = self._context.transcript
        item = author_item(number, cell)
        candidates = {candidate.query_id: candidate for candidate in self._accepted.candidates}
        accepted_ids = transcript.accepted(number, item)
        is_incomplete = len(accepted_ids) < len(candidates)
        is_late = is_incomplete and not transcript.has_played(item)
        if is_late and self._context.call_journal.begins_anew(item):
            transcript.record_late_author(item, accepted=tuple(candidates))
            accepted_ids = transcript.accepted(number, item)
        return tuple(candidates[query_id] for query_id in accepted_ids if query_id in candidates)

    def _rejected_before(self, number: int, cell: Cell) -> tuple[RejectedRecord, ...]:
        """The drafts of earlier rounds for a cell that the screen rejected."""
        rejected_ids = self._context.transcript.rejected(number)
        records = [self._rejected.done[query_id] for query_id in rejected_ids]
        return tuple(record for record in records if (record.task_type, record.difficulty) == cell)

    def _capacity(self, cell: Cell) -> int:
        """How many candidates a cell was asked for so far, in all rounds; it takes no more."""
        rounds = self._context.transcript.rounds().values()
        counts = (dict(cell_counts).get(cell, 0) for cell_counts in rounds)
        return sum(counts)

    def _number_drafts(
        self, cell_counts: CellCounts, drafts: Mapping[Cell, tuple[StampedDraft, ...]]
    ) -> Iterator[NumberedDraft]:
        """Give each draft an id, by the ids that the cells of a round reserve."""
        reserved = reserved_numbers(cell_counts, after=self._reserved_ids)
        for cell, first_number, count in reserved:
            for number, stamped in enumerate(drafts.get(cell, ()), start=first_number):
                yield NumberedDraft(draft_id(number), cell, stamped)
            self._reserved_ids += count

    def _accept_drafts(self, drafts: Iterable[NumberedDraft]) -> Iterator[QueryCandidate]:
        for draft in drafts:
            candidate = self._recall_or_screen(draft)
            if candidate is None:
                self._progress.advance(AUTHOR.name, "rejected")
                continue
            self._progress.advance(AUTHOR.name, "passed")
            yield candidate

    def _recall_or_screen(self, draft: NumberedDraft) -> QueryCandidate | None:
        # The decision of an earlier process is in one of the two files, and stands.
        candidate = self._candidates.done.get(draft.query_id)
        if candidate is not None or draft.query_id in self._rejected.done:
            return candidate
        return self._screen(draft)

    def _screen(self, draft: NumberedDraft) -> QueryCandidate | None:
        accepted_count = self._accepted.in_cell(draft.cell)
        # A place that an earlier round left empty in the cell may be filled by this one.
        room = self._capacity(draft.cell) - accepted_count
        snapshot = self._context.snapshot
        shown_lines = draft.stamped.shown_lines
        case = ScreeningCase(draft.draft, draft.cell, room, snapshot, self._accepted, shown_lines)
        refusal = screen(case)
        if refusal is not None:
            rejection = _rejection(draft, refusal, created_at=self._context.now())
            self._rejected.add(rejection)
            return None
        names_target = bool(leaked_names(case))
        candidate = _candidate(draft, identifier_in_query=names_target)
        self._candidates.add(candidate)
        self._accepted.add(candidate)
        return candidate


def _candidate(draft: NumberedDraft, *, identifier_in_query: bool) -> QueryCandidate:
    cell = draft.cell
    question_fields = dict(draft.draft)
    fields = {
        "query_id": draft.query_id,
        "task_type": cell.task_type,
        "difficulty": cell.difficulty,
        "identifier_in_query": identifier_in_query,
        **question_fields,
        **draft.stamped.stamp,
    }
    return QueryCandidate.model_validate(fields)


def _rejection(draft: NumberedDraft, refusal: ScreenRefusal, *, created_at: str) -> RejectedRecord:
    cell = draft.cell
    question = draft.draft
    return RejectedRecord(
        query_id=draft.query_id,
        task_type=cell.task_type,
        difficulty=cell.difficulty,
        stage="screen",
        reason=refusal.reason,
        message=refusal.message,
        query_text=question.query_text,
        target_entity_ids=question.target_entity_ids,
        created_at=created_at,
    )


def _spent_candidates(targets: Iterable[str]) -> Iterator[QueryCandidate]:
    """Show Authors what is asked about already in the form in which they know it."""
    for number, target in enumerate(sorted(targets), start=1):
        query_id = f"spent_{number:05}"
        yield QueryCandidate(
            query_id=query_id,
            # Of any cell: what counts of it is the target, and that it is taken.
            task_type="locate",
            difficulty="easy",
            query_text=f"Spent {number}: asked about in an earlier batch.",
            target_entity_ids=(target,),
            focus_area=None,
            difficulty_rationale=None,
            classifier_expectation=None,
            authored_by="goldwright",
            created_at="",
        )
