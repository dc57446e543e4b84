"""What every stage works with: the snapshot, a desk for each work item, the transcript and the
clock.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from goldwright.agents.toolset import Toolset
from goldwright.engine.clock import Clock, timestamp
from goldwright.llm.budget import MICRO
from goldwright.llm.call_journal import CallJournal
from goldwright.records import AnswerDraft, QueryCandidate
from goldwright.snapshot import Snapshot
from goldwright.stages.transcript import Transcript

READING_TOOLS: Final = frozenset({"list", "search", "read"})
TRACING_TOOLS: Final = READING_TOOLS | {"outline"}
HISTORY_TOOLS: Final = TRACING_TOOLS | {"log", "blame"}


def tools_for(candidate: QueryCandidate) -> frozenset[str]:
    """The tools that Oracle and Adversary have for a query: history too where a review is asked
    for.
    """
    return HISTORY_TOOLS if candidate.task_type == "review" else TRACING_TOOLS


@dataclass(frozen=True, slots=True)
class StageContext:
    """The place at which the roles of one run work."""

    snapshot: Snapshot
    transcript: Transcript
    call_journal: CallJournal
    clock: Clock

    def toolset(self, tools: frozenset[str]) -> Toolset:
        """A fresh desk over the snapshot with these tools and nothing shown yet."""
        return Toolset(self.snapshot, tools=tools)

    def now(self) -> str:
        """The current time, as records write it."""
        return timestamp(self.clock)

    def stamp(
        self,
        item: str,
        identity: str,
        *,
        since: float,
        toolset: Toolset | None = None,
        share: tuple[int, int] = (0, 1),
    ) -> Mapping[str, object]:
        """The provenance and cost fields of a record whose work began at ``since`` (seconds of the
        clock).

        ``share`` is which part of how many of the item's cost the record bears: an Author writes
        several at once, and their parts add up to the whole.
        """
        spend = self.call_journal.spent(item)
        return {
            "authored_by": identity,
            "created_at": self.now(),
            "tool_calls": len(toolset.calls) if toolset else 0,
            "turns": spend.calls or 1,
            "total_tokens": _part(spend.tokens, share),
            "usd": _part(spend.micro_usd, share) / MICRO,
            "wall_clock_s": round(max(self.clock.seconds() - since, 0.0), 3),
        }


def _part(whole: int, share: tuple[int, int]) -> int:
    place, count = share
    return whole * (place + 1) // count - whole * place // count


def without_authorship(answer: AnswerDraft) -> AnswerDraft:
    """Give the content of an answer alone: an Adversary is not told who wrote it, when and at which
    cost.
    """
    return AnswerDraft(**{name: getattr(answer, name) for name in AnswerDraft.model_fields})
