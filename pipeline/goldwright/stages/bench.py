"""What every stage works with: the snapshot, a desk for each work item, the transcript and the clock."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from goldwright.agents.desk import Desk
from goldwright.engine.clock import Clock, timestamp
from goldwright.snapshot import Snapshot
from goldwright.stages.transcript import Transcript

READING_TOOLS: Final = frozenset({"list", "search", "read"})
TRACING_TOOLS: Final = READING_TOOLS | {"outline"}
HISTORY_TOOLS: Final = TRACING_TOOLS | {"log", "blame"}


@dataclass(frozen=True, slots=True)
class Bench:
    """The place at which the roles of one run work."""

    snapshot: Snapshot
    transcript: Transcript
    clock: Clock

    def desk(self, tools: frozenset[str]) -> Desk:
        """A fresh desk over the snapshot with these tools and nothing shown yet."""
        return Desk(self.snapshot, tools=tools)

    def now(self) -> str:
        """The current time, as records write it."""
        return timestamp(self.clock)

    def stamp(self, identity: str, *, since: float, desk: Desk | None = None) -> Mapping[str, object]:
        """The provenance and cost fields of a record whose work began at ``since`` (seconds of the clock)."""
        return {
            "authored_by": identity,
            "created_at": self.now(),
            "tool_calls": len(desk.calls) if desk else 0,
            "turns": 1,
            "wall_clock_s": round(max(self.clock.seconds() - since, 0.0), 3),
        }
