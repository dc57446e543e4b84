"""What every stage works with: the snapshot, new tools for each work item, transcript, clock."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from goldwright.agents.toolset import ToolCall, Toolset
from goldwright.engine.clock import Clock, timestamp
from goldwright.llm.budget import MICRO
from goldwright.llm.call_journal import CallJournal
from goldwright.records import AnswerDraft, Evidence, QueryCandidate
from goldwright.retrieval.port import Retriever
from goldwright.snapshot import Snapshot
from goldwright.stages.transcript import Transcript
from goldwright.task_types import definition_of

Draft = TypeVar("Draft")

# Authors read. Oracles and Adversaries also follow definitions, and look at the history where the
# task type is about it.
NO_TOOLS: Final[frozenset[str]] = frozenset()
READING_TOOLS: Final = frozenset({"list", "search", "read"})
TRACING_TOOLS: Final = READING_TOOLS | {"outline"}
HISTORY_TOOLS: Final = TRACING_TOOLS | {"log", "blame"}


@dataclass(frozen=True, slots=True)
class CostShare:
    """Which part of the cost of a work item one of its records bears.

    An Author writes several candidates in one work item. Each bears an equal part, as far as
    whole tokens allow, and the parts add up to the cost.

    Attributes:
        position: Which of the records it is, from 0.
        count: How many records the work item brought.
    """

    position: int
    count: int

    def of(self, total: int) -> int:
        """The part of a total."""
        # Differences of rounded running totals: rounding each part by itself would lose units.
        before = total * self.position // self.count
        through_this = total * (self.position + 1) // self.count
        return through_this - before


FULL_COST: Final = CostShare(0, 1)


@dataclass(frozen=True, slots=True)
class RoleOutput(Generic[Draft]):
    """What a role made of one work item, before anything of it is written.

    Attributes:
        draft: What it handed back.
        identity: Who played it.
        calls: Every call of a tool, in order; empty for a role without tools.
        flags: The passages it was shown that address a model.
        shown_lines: The lines that its tools showed it.
        seconds: How long it took.
        notes: What the role had to say of its work, in order.
        slips: How often it had to put something right, by what it was.
    """

    draft: Draft
    identity: str
    calls: tuple[ToolCall, ...]
    flags: tuple[str, ...]
    shown_lines: tuple[Evidence, ...]
    seconds: float
    notes: tuple[str, ...] = ()
    slips: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StageContext:
    """What the roles of one run share.

    Attributes:
        snapshot: The codebase.
        transcript: What every role was shown.
        call_journal: What was asked of models.
        clock: Stamps records.
        dense: Search by meaning for the pool of completeness, where an encoder is installed.
    """

    snapshot: Snapshot
    transcript: Transcript
    call_journal: CallJournal
    clock: Clock
    dense: Retriever | None = None

    async def play(
        self, identity: str, play: Callable[[Toolset], Awaitable[Draft]], tools: frozenset[str]
    ) -> RoleOutput[Draft]:
        """Have a role do one work item with tools of its own; nothing of it is written here."""
        began = self.clock.seconds()
        toolset = Toolset(self.snapshot, tools=tools)
        draft = await play(toolset)
        elapsed = self.clock.seconds() - began
        return RoleOutput(
            draft=draft,
            identity=identity,
            calls=toolset.calls,
            flags=toolset.flags,
            shown_lines=toolset.shown,
            # A record refuses a negative time, whatever clock it was measured with.
            seconds=max(elapsed, 0.0),
            notes=toolset.notes,
            slips=toolset.slips,
        )

    def now(self) -> str:
        """The current time, as records write it."""
        return timestamp(self.clock)

    def record(self, role: str, case: str, output: RoleOutput[Draft]) -> None:
        """Write down the tool calls of a work item, before anything that rests on them."""
        self.transcript.record(
            role,
            case,
            output.identity,
            calls=output.calls,
            flags=output.flags,
            notes=output.notes,
            slips=output.slips,
        )

    def stamp(
        self, item: str, output: RoleOutput[Draft], *, share: CostShare = FULL_COST
    ) -> Mapping[str, object]:
        """The provenance and cost fields of a record.

        Args:
            item: The work item that brought the record, as the call journal names it.
            output: What its role made of it.
            share: Which part of the cost the record bears.
        """
        spend = self.call_journal.spent(item)
        tokens = share.of(spend.tokens)
        usd = share.of(spend.micro_usd) / MICRO
        tool_calls = len(output.calls)
        # An offline role asks no model, and has done its work in one turn.
        turns = spend.calls or 1
        wall_clock_s = round(output.seconds, 3)
        return {
            "authored_by": output.identity,
            "created_at": self.now(),
            "tool_calls": tool_calls,
            "turns": turns,
            "total_tokens": tokens,
            "usd": usd,
            "wall_clock_s": wall_clock_s,
        }


def tools_for(candidate: QueryCandidate) -> frozenset[str]:
    """The tools of Oracle and Adversary for a query, by its task type."""
    if definition_of(candidate.task_type).reads_history:
        return HISTORY_TOOLS
    return TRACING_TOOLS


def without_authorship(answer: AnswerDraft) -> AnswerDraft:
    """The content of an answer alone.

    An Adversary is not told who wrote it, when and at which cost.
    """
    fields = {name: getattr(answer, name) for name in AnswerDraft.model_fields}
    return AnswerDraft(**fields)
