"""The Authors of one round at work: one piece for each cell."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from goldwright.agents.roles import Author, AuthorWork
from goldwright.agents.toolset import Toolset
from goldwright.plan import Cell
from goldwright.records import CandidateDraft, Evidence
from goldwright.stages.context import READING_TOOLS, CostShare, RoleOutput, StageContext
from goldwright.stages.stage_graph import AUTHOR
from goldwright.stages.transcript import CellCounts, Transcript

Drafts = tuple[CandidateDraft, ...]


@dataclass(frozen=True, slots=True)
class StampedDraft:
    """A draft, and what is known of its making.

    Attributes:
        draft: The draft.
        stamp: Who wrote it, when and at which cost, as fields of a record.
        shown_lines: The lines that its Author was shown.
    """

    draft: CandidateDraft
    stamp: Mapping[str, object]
    shown_lines: tuple[Evidence, ...]


class DraftingRound:
    """Has an Author write drafts for each cell, and holds them until all Authors are done.

    Attributes:
        drafts: The drafts by cell, in the order in which the Author wrote them; a cell whose
            Author failed is missing.
    """

    def __init__(self, author: Author, context: StageContext) -> None:
        self._author = author
        self._context = context
        self.drafts: dict[Cell, tuple[StampedDraft, ...]] = {}

    def name(self, work: AuthorWork) -> str:
        """The name of the work item in the call journal: stage, round and cell."""
        return author_item(work.round, work.cell)

    def next_piece(self, _place: int, work: AuthorWork) -> AuthorWork | None:
        """The whole work of an Author is one piece."""
        return None if work.cell in self.drafts else work

    async def compute(self, work: AuthorWork) -> RoleOutput[Drafts]:
        """Have the Author of one cell write its drafts."""

        async def draft(toolset: Toolset) -> Drafts:
            return await self._author.play(work, toolset)

        identity = self._author.identity
        return await self._context.play(identity, draft, READING_TOOLS)

    def write(self, _place: int, work: AuthorWork, output: RoleOutput[Drafts]) -> None:
        """Write the tool calls down, and stamp the drafts."""
        # Drafts beyond the count would take ids that are reserved for the next cell.
        drafts = output.draft[: work.count]
        case_name = _case_name(work)
        self._context.record(AUTHOR.name, case_name, output)
        item = self.name(work)
        stamped = []
        for position, draft in enumerate(drafts):
            share = CostShare(position, len(drafts))
            stamp = self._context.stamp(item, output, share=share)
            stamped.append(StampedDraft(draft, stamp, output.shown_lines))
        self.drafts[work.cell] = tuple(stamped)

    def release(self, place: int) -> None:
        """Nothing waits behind an Author: drafts are numbered once all of them are there."""


def author_item(number: int, cell: Cell) -> str:
    """Name the work item of the Author of a cell in a round."""
    return f"{AUTHOR.name}:{_case(number, cell)}"


def author_items(transcript: Transcript) -> dict[str, str]:
    """Name, for the id of every draft that was asked for, the work item in which it was written."""
    items: dict[str, str] = {}
    number_before = 0
    for number, cell_counts in sorted(transcript.rounds().items()):
        for cell, first_number, count in reserved_numbers(cell_counts, after=number_before):
            for draft_number in range(first_number, first_number + count):
                items[draft_id(draft_number)] = author_item(number, cell)
            number_before += count
    return items


def reserved_numbers(cell_counts: CellCounts, *, after: int) -> Iterator[tuple[Cell, int, int]]:
    """Give the numbers that the cells of a round reserve: the first of each, and how many.

    A cell reserves as many as it is asked for candidates, so the id of a draft does not depend on
    what was rejected before it, or on an Author who wrote too few.

    Args:
        cell_counts: The cells of the round.
        after: The last number that earlier rounds reserved.
    """
    first_number = after + 1
    for cell, count in cell_counts:
        yield cell, first_number, count
        first_number += count


def draft_id(number: int) -> str:
    """Give the id of a draft by its number, from 1."""
    return f"q_{number:05d}"


def authors_set_aside(transcript: Transcript) -> tuple[str, ...]:
    """Name the work items of Authors that were asked for candidates and never handed any in."""
    items = []
    for number, cell_counts in sorted(transcript.rounds().items()):
        for cell, _ in cell_counts:
            item = author_item(number, cell)
            if not transcript.has_played(item):
                items.append(item)
    return tuple(items)


def author_notes(transcript: Transcript, cell: Cell) -> tuple[str, ...]:
    """Give what the Author of a cell had to say of its work in the last round that asked it."""
    for number in sorted(transcript.rounds(), reverse=True):
        if any(
            cell_of_round == cell and count for cell_of_round, count in transcript.rounds()[number]
        ):
            return transcript.notes(AUTHOR.name, _case(number, cell))
    return ()


def _case_name(work: AuthorWork) -> str:
    return _case(work.round, work.cell)


def _case(number: int, cell: Cell) -> str:
    return f"{number}:{cell}"
