"""The Author's stage: what a late Author is told and held against, and what a top-up is told."""

import asyncio
from pathlib import Path
from typing import Any, Final

import pytest

from goldwright.agents.roles import AuthorWork
from goldwright.agents.toolset import Toolset
from goldwright.engine.ordered_log import OrderedLog
from goldwright.engine.progress import SilentProgress
from goldwright.engine.work import LocalExecutor
from goldwright.errors import QuarantineError
from goldwright.plan import Cell
from goldwright.records import CandidateDraft, QueryCandidate, RejectedRecord
from goldwright.stages.author import AuthorStage
from goldwright.stages.context import StageContext
from goldwright.stages.drafting import authors_set_aside
from goldwright.stages.gate.examples import BASKET, PRICES
from units.stages.cases import shop_context

EASY: Final = Cell("explain", "easy")
GENERAL: Final = Cell("general", "easy")
ASKED: Final = "What happens to an amount below one?"


class MemoryLog:
    """Records that nobody keeps."""

    def __init__(self) -> None:
        self.records: list[Any] = []

    def append(self, record: Any) -> None:
        self.records.append(record)


class ScriptedAuthor:
    """Reads everything and hands back what it was given; what is missing it gives up."""

    identity = "agent:author:scripted"

    def __init__(self, drafts: dict[Cell, list[CandidateDraft]]) -> None:
        self.drafts = drafts
        self.works: list[AuthorWork] = []

    async def play(self, work: AuthorWork, toolset: Toolset) -> tuple[CandidateDraft, ...]:
        self.works.append(work)
        if work.cell not in self.drafts:
            raise QuarantineError("given up")
        for path in (BASKET, PRICES):
            toolset.read(path)
        return tuple(self.drafts[work.cell])


@pytest.fixture
def context(tmp_path: Path) -> StageContext:
    return shop_context(tmp_path)


class Rig:
    """The files of one run, and processes that work on it one after the other."""

    def __init__(self, context: StageContext) -> None:
        self.context = context
        self.candidates = MemoryLog()
        self.rejected = MemoryLog()

    def process(self, author: ScriptedAuthor) -> AuthorStage:
        """Begin a process."""
        candidates: OrderedLog[QueryCandidate] = OrderedLog(self.candidates)
        rejected: OrderedLog[RejectedRecord] = OrderedLog(self.rejected)
        return AuthorStage(
            author,
            self.context,
            candidates=candidates,
            rejected=rejected,
            progress=SilentProgress(),
            executor=LocalExecutor(),
            seed=0,
            focus_area=None,
        )


def question(text: str, target: str = f"{BASKET}::Basket.add") -> CandidateDraft:
    return CandidateDraft(query_text=text, target_entity_ids=(target,))


COUNTS: Final = ((GENERAL, 1), (EASY, 1))


def test_a_late_author_is_held_against_what_later_cells_brought(context: StageContext) -> None:
    rig = Rig(context)
    first = ScriptedAuthor({EASY: [question(ASKED)]})
    emission = asyncio.run(rig.process(first).emit(0, COUNTS))
    assert len(emission.failures) == 1
    assert authors_set_aside(context.transcript) == ("author:0:general/easy",)
    (accepted,) = rig.candidates.records
    # The call journal knows that it was given up.
    context.call_journal.quarantine("author:0:general/easy", "given up")
    late = ScriptedAuthor({GENERAL: [question(ASKED)], **first.drafts})
    asyncio.run(rig.process(late).emit(0, COUNTS))
    works = {work.cell: work for work in late.works}
    assert [record.query_id for record in works[GENERAL].accepted] == [accepted.query_id]
    # Who was done is shown what it was shown, or its replies would not be found again.
    assert works[EASY].accepted == ()
    assert rig.candidates.records == [accepted]
    assert [record.reason for record in rig.rejected.records] == ["duplicate"]
    assert authors_set_aside(context.transcript) == ()


def test_a_late_author_plays_again_as_it_was_told_when_it_began_anew(
    context: StageContext,
) -> None:
    rig = Rig(context)
    first = ScriptedAuthor({EASY: [question(ASKED)]})
    asyncio.run(rig.process(first).emit(0, COUNTS))
    context.call_journal.quarantine("author:0:general/easy", "given up")
    where = question("Where is an amount multiplied?", f"{PRICES}::total")
    told = []
    for _ in range(2):
        late = ScriptedAuthor({GENERAL: [where], **first.drafts})
        asyncio.run(rig.process(late).emit(0, COUNTS))
        told.append([[record.query_id for record in work.accepted] for work in late.works])
    assert told[0] == told[1]


def test_a_top_up_is_told_why_drafts_of_its_cell_were_rejected(context: StageContext) -> None:
    rig = Rig(context)
    leaky = question("What does `Basket.add` do?")
    author = ScriptedAuthor({GENERAL: [leaky], EASY: [question(ASKED)]})
    stage = rig.process(author)
    asyncio.run(stage.emit(0, COUNTS))
    asyncio.run(stage.emit(1, COUNTS))
    by_round = {(work.round, work.cell): work.rejected for work in author.works}
    assert by_round[(0, GENERAL)] == by_round[(1, EASY)] == ()
    (told,) = by_round[(1, GENERAL)]
    assert (told.query_text, told.reason) == (leaky.query_text, "identifier_leak")


def test_every_author_begins_elsewhere_and_a_resumed_one_where_it_began(
    context: StageContext,
) -> None:
    rig = Rig(context)
    told = []
    for _ in range(2):
        author = ScriptedAuthor({GENERAL: [question(ASKED)], EASY: []})
        stage = rig.process(author)
        for number, counts in enumerate((COUNTS, (COUNTS[1],))):
            asyncio.run(stage.emit(number, counts))
        told.append({(work.round, work.cell): work.start_area for work in author.works})
    assert told[0] == told[1]
    areas = set(told[0].values())
    assert None not in areas
    # There are but two files: the top-up has the one that its cell did not have.
    assert areas == {BASKET, PRICES}
    assert told[0][0, GENERAL] != told[0][0, EASY]
    assert told[0][1, EASY] != told[0][0, EASY]
