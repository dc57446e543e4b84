"""The work items of a run in time: the turns of each, the calls of a turn, and their tools."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from goldwright.app.runs.run_files import OpenRun
from goldwright.journal import CallEntry
from goldwright.records import WorkStamp

Body = Mapping[str, Any]


@dataclass(slots=True)
class ModelCall:
    """One request to a model and what became of it.

    Attributes:
        intent: The entry of the request.
        start: When it was sent.
        end: When it ended; where nobody saw that, when it was sent.
        outcome: The entry of its reply or fault; None where the run ended before.
    """

    intent: Body
    start: datetime
    end: datetime
    outcome: Body | None = None

    @property
    def reply(self) -> Body | None:
        """What the model answered; None where it did not."""
        if self.outcome is None:
            return None
        reply: Body | None = self.outcome.get("reply")
        return reply

    @property
    def fault(self) -> str | None:
        """Why there is no reply, as one of the kinds of faults; None where there is one."""
        if self.outcome is None:
            return "interrupted"
        fault: str | None = self.outcome.get("fault")
        return fault

    @property
    def micro_usd(self) -> int:
        """What it cost, in micro-dollars; of a bill that nobody saw, what such calls have cost."""
        if self.outcome is not None:
            cost: int = self.outcome["micro_usd"]
            return cost
        # Older entries hold the most alone.
        reserved = self.intent["reserved"]
        presumed: int = self.intent.get("expected", reserved)
        return presumed

    @property
    def results(self) -> Mapping[str, Sequence[Any]]:
        """What the tools gave that the turn before asked for, by the id of the call."""
        sent = self.intent.get("sent")
        turns = sent if isinstance(sent, list) else []
        return {row[0]: row for turn in turns for row in turn.get("shown", ())}


@dataclass(slots=True)
class ModelTurn:
    """One turn of a conversation: a request, sent again after faults.

    Attributes:
        calls: The attempts, in order; the last of them alone can have a reply.
        end: When the next turn began, so when its tools had run.
        results: What its tools gave, by the id of the call.
    """

    calls: list[ModelCall]
    end: datetime
    results: Mapping[str, Sequence[Any]] = field(default_factory=dict)

    @property
    def start(self) -> datetime:
        """When it was first sent."""
        return self.calls[0].start

    @property
    def reply(self) -> Body | None:
        """What the model answered in the end; None where it did not."""
        return self.calls[-1].reply


@dataclass(slots=True)
class TraceItem:
    """What one role did with one case.

    Attributes:
        name: The item, as ``role:case``.
        by: Who played the role; empty where nothing says.
        start: When its work began.
        end: When it ended.
        turns: Its turns with a model; none where code plays the role.
        tools: The calls of tools, as code asked for them.
        record: What came of it, where it is the record of one query.
    """

    name: str
    by: str
    start: datetime
    end: datetime
    turns: tuple[ModelTurn, ...] = ()
    tools: tuple[Body, ...] = ()
    record: WorkStamp | None = None

    @property
    def role(self) -> str:
        """The role; ``preflight`` for the exchange before a run."""
        return self.name.partition(":")[0]

    @property
    def case(self) -> str:
        """What it worked on: the id of a record, or the round and cell of an Author."""
        return self.name.partition(":")[2]


def work_items(run: OpenRun) -> list[TraceItem]:
    """Give the work items of a run in the order in which they began.

    Calls that were made before entries had times have those of the record that came of them.
    """
    entries: dict[str, list[CallEntry]] = {}
    for entry in run.calls.entries:
        item = entry.body.get("item")
        if isinstance(item, str):
            entries.setdefault(item, []).append(entry)
    records = dict(_records(run))
    begun = parse_time(run.manifest.created_at)
    items: list[TraceItem] = []
    for name in dict.fromkeys([*entries, *records]):
        stamps = records.get(name, ())
        start, end = _times_of(stamps, begun)
        entries_of_item = entries.get(name, ())
        item = _work_item(name, entries_of_item, start, end)
        items.append(item)
        if stamps and item.role != "author":
            item.record = stamps[0]
            item.by = item.record.authored_by
    return sorted(items, key=lambda item: item.start)


def parse_time(text: str) -> datetime:
    """Read a time of a record or of an entry."""
    return datetime.fromisoformat(text).astimezone(UTC)


def _records(run: OpenRun) -> Iterator[tuple[str, Sequence[WorkStamp]]]:
    """Give what came of each work item; an Author's are the candidates of its cell."""
    files = run.stage_files
    by_cell: dict[str, list[WorkStamp]] = {}
    for query_id, candidate in files.candidates.done.items():
        cell = str(files.cell_of(query_id))
        by_cell.setdefault(cell, []).append(candidate)
    for entry in run.calls.entries:
        item = str(entry.body.get("item", ""))
        cell = item.rpartition(":")[2]
        if item.startswith("author:") and cell in by_cell:
            yield item, by_cell[cell]
    for role, log in (
        ("oracle", files.answers),
        ("adversary", files.reports),
        ("completeness", files.completeness),
        ("judge", files.verdicts),
    ):
        for query_id, record in log.done.items():
            yield f"{role}:{query_id}", [record]


def _times_of(stamps: Sequence[WorkStamp], begun: datetime) -> tuple[datetime, datetime]:
    """From the first beginning to the last end of some work; the start of the run without any."""
    ends = [parse_time(stamp.created_at) for stamp in stamps]
    starts = []
    for stamp, end in zip(stamps, ends, strict=True):
        duration = timedelta(seconds=stamp.wall_clock_s)
        starts.append(end - duration)
    return min(starts, default=begun), max(ends, default=begun)


def _work_item(
    name: str, entries: Sequence[CallEntry], start: datetime, end: datetime
) -> TraceItem:
    calls = _calls(entries, start, end)
    turns = _turns(calls)
    if calls:
        start = min(call.start for call in calls)
        end = max(call.end for call in calls)
    played = [entry.body for entry in entries if entry.kind == "tools"]
    # A stage that is done again is played again; the last play is the one that counts.
    last: Body = played[-1] if played else {}
    tools = () if turns else tuple(last.get("calls", ()))
    player = str(last.get("by", ""))
    return TraceItem(name, player, start, end, turns, tools)


def _calls(entries: Sequence[CallEntry], start: datetime, end: datetime) -> list[ModelCall]:
    """Put requests and what became of them together, in the order of the requests."""
    open_calls: dict[str, ModelCall] = {}
    calls: list[ModelCall] = []
    for entry in entries:
        body: Body = entry.body
        if entry.kind == "intent":
            sent_at = _stated_time(body, start)
            call = ModelCall(body, sent_at, sent_at)
            calls.append(call)
            open_calls[body["key"]] = call
        elif entry.kind in {"reply", "void"}:
            call = open_calls.pop(body["key"])
            call.outcome = body
            call.end = _stated_time(body, end)
    return calls


def _stated_time(body: Body, otherwise: datetime) -> datetime:
    """Return the time that an entry states, or the other where it states none."""
    if "at" not in body:
        return otherwise
    return parse_time(body["at"])


def _is_another_attempt(turn: ModelTurn, call: ModelCall) -> bool:
    if turn.reply is not None:
        return False
    first_intent = turn.calls[0].intent
    return bool(first_intent["key"] == call.intent["key"])


def _turns(calls: Sequence[ModelCall]) -> tuple[ModelTurn, ...]:
    turns: list[ModelTurn] = []
    for call in calls:
        previous = turns[-1] if turns else None
        if previous and _is_another_attempt(previous, call):
            previous.calls.append(call)
            previous.end = call.end
            continue
        if previous:
            previous.results = call.results
            if previous.reply is not None:
                previous.end = max(previous.end, call.start)
        turns.append(ModelTurn([call], call.end))
    return tuple(turns)
