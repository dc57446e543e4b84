"""What every stage works with: the snapshot, new tools for each work item, transcript, clock."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from goldwright.agents.toolset import ToolCall, Toolset
from goldwright.engine.clock import Clock, timestamp
from goldwright.llm.budget import MICRO
from goldwright.llm.call_journal import CallJournal
from goldwright.records import AnswerDraft, Evidence, QueryCandidate
from goldwright.snapshot import Snapshot
from goldwright.stages.transcript import Transcript
from goldwright.task_types import definition_of

Draft = TypeVar("Draft")

NO_TOOLS: Final[frozenset[str]] = frozenset()
READING_TOOLS: Final = frozenset({"list", "search", "read"})
TRACING_TOOLS: Final = READING_TOOLS | {"outline"}
HISTORY_TOOLS: Final = TRACING_TOOLS | {"log", "blame"}


@dataclass(frozen=True, slots=True)
class RoleOutput(Generic[Draft]):
    """What a role made of one work item, before anything of it is written.

    Attributes:
        draft: What it handed back.
        identity: Who played it.
        calls: Every call of a tool, in order; empty for a role without tools.
        flags: What it was shown that speaks to a model.
        shown: The lines that its tools showed it.
        seconds: How long it took.
    """

    draft: Draft
    identity: str
    calls: tuple[ToolCall, ...]
    flags: tuple[str, ...]
    shown: tuple[Evidence, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class StageContext:
    """What the roles of one run share."""

    snapshot: Snapshot
    transcript: Transcript
    call_journal: CallJournal
    clock: Clock

    async def play(
        self, identity: str, play: Callable[[Toolset], Awaitable[Draft]], tools: frozenset[str]
    ) -> RoleOutput[Draft]:
        """Have a role do one work item with tools of its own; nothing of it is written here."""
        began = self.clock.seconds()
        toolset = Toolset(self.snapshot, tools=tools)
        draft = await play(toolset)
        seconds = max(self.clock.seconds() - began, 0.0)
        return RoleOutput(draft, identity, toolset.calls, toolset.flags, toolset.shown, seconds)

    def now(self) -> str:
        """The current time, as records write it."""
        return timestamp(self.clock)

    def record(self, role: str, case: str, output: RoleOutput[Draft]) -> None:
        """Write down the tool calls of a work item, before anything that rests on them."""
        self.transcript.record(role, case, output.identity, calls=output.calls, flags=output.flags)

    def stamp(
        self, item: str, output: RoleOutput[Draft], *, share: tuple[int, int] = (0, 1)
    ) -> Mapping[str, object]:
        """Give the provenance and cost fields of a record that a work item has brought.

        ``share`` is which part of how many of the item's cost the record bears: an Author writes
        several at once, and their parts add up to the whole.
        """
        spend = self.call_journal.spent(item)
        return {
            "authored_by": output.identity,
            "created_at": self.now(),
            "tool_calls": len(output.calls),
            "turns": spend.calls or 1,
            "total_tokens": _part(spend.tokens, share),
            "usd": _part(spend.micro_usd, share) / MICRO,
            "wall_clock_s": round(output.seconds, 3),
        }


def tools_for(candidate: QueryCandidate) -> frozenset[str]:
    """Give the tools of Oracle and Adversary for a query, by its task type."""
    reads_history = definition_of(candidate.task_type).reads_history
    return HISTORY_TOOLS if reads_history else TRACING_TOOLS


def without_authorship(answer: AnswerDraft) -> AnswerDraft:
    """Give the content of an answer alone.

    An Adversary is not told who wrote it, when and at which cost.
    """
    return AnswerDraft(**{name: getattr(answer, name) for name in AnswerDraft.model_fields})


def _part(whole: int, share: tuple[int, int]) -> int:
    place, count = share
    return whole * (place + 1) // count - whole * place // count
