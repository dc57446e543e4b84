"""A stage context in memory over the shop of the gate's examples, for the laws of the stages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Final, cast

from goldwright.agents.toolset import ToolCall
from goldwright.engine.clock import SystemClock
from goldwright.journal.call_chain import CallEntry
from goldwright.llm.call_journal import CallJournal
from goldwright.records import Evidence
from goldwright.snapshot import open_snapshot
from goldwright.stages.context import StageContext
from goldwright.stages.gate.examples import SHOP
from goldwright.stages.transcript import Transcript

NOW: Final = "2026-04-14T12:00:00Z"


class FixedClock(SystemClock):
    """It is always noon."""

    def now(self) -> datetime:
        return datetime(2026, 4, 14, 12, tzinfo=UTC)


@dataclass
class MemoryCallLog:
    """Entries about calls that nobody keeps."""

    entries: list[CallEntry] = field(default_factory=list)

    def append(self, kind: str, body: Mapping[str, object]) -> CallEntry:
        entry = cast("CallEntry", SimpleNamespace(kind=kind, body=body))
        self.entries.append(entry)
        return entry


def shop_context(folder: Path) -> StageContext:
    """Put the shop into a folder, and make the context of a run on it."""
    root = folder / "shop"
    for path in SHOP.files:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(SHOP.source(path).text, encoding="utf-8")
    snapshot = open_snapshot(root, rev=None, cache=folder / "cache", allow_dirty=True)
    log = MemoryCallLog()
    journal = CallJournal(log, lambda _stage: ())
    return StageContext(snapshot, Transcript(log), journal, FixedClock())


def record_reading(
    context: StageContext,
    role: str,
    query_id: str,
    *shown: Evidence,
    flags: Sequence[str] = (),
) -> None:
    """Let the transcript say what a role was shown, in one call of a tool."""
    call = ToolCall(step=1, tool="read", arguments={}, shown=shown, truncated=False)
    context.transcript.record(role, query_id, "agent:test", calls=(call,), flags=flags)
