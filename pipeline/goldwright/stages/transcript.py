"""What every role did in every work item, written to ``calls.jsonl`` before any result of it.

The transcript has entries of three kinds: ``round`` (what the Authors were asked for), ``tools``
(the tool calls of one work item, with the lines they showed) and ``redo`` (a person had a stage
done again, so that the entries of this stage and of those after it no longer count). The calls of
models stand between them in the same file; the call journal reads those.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from goldwright.agents.toolset import ToolCall
from goldwright.journal import CallEntryLog
from goldwright.plan import Cell
from goldwright.records import Evidence
from goldwright.scanners.secrets import mask_secrets
from goldwright.stages.catalog import roles_from

V = TypeVar("V")

Body = Mapping[str, object]
CellCounts = tuple[tuple[Cell, int], ...]


class Transcript:
    """The entries that count, by work item: the role, a colon and the case."""

    def __init__(self, log: CallEntryLog) -> None:
        self._log = log
        self._shown: dict[str, tuple[Evidence, ...]] = {}
        self._accepted: dict[int, tuple[str, ...]] = {}
        self._flags: dict[str, tuple[str, ...]] = {}
        self._rounds: dict[int, CellCounts] = {}
        self.redone = 0
        for entry in log.entries:
            self._take(entry.kind, entry.body)

    def rounds(self) -> Mapping[int, CellCounts]:
        """What the Authors were asked for, by round."""
        return self._rounds

    def accepted(self, number: int) -> tuple[str, ...]:
        """The candidates that were accepted when a round began: its Authors knew of no others."""
        return self._accepted[number]

    def record_round(self, number: int, asks: CellCounts, accepted: Sequence[str]) -> None:
        """Write down what a round asks for and which candidates it builds on, once."""
        if number not in self._rounds:
            rows = [[*cell, count] for cell, count in asks]
            self._write("round", {"round": number, "asks": rows, "accepted": list(accepted)})

    def shown(self, role: str, case: str) -> tuple[Evidence, ...]:
        """The lines that tools showed a role in a work item; none when there is no such item."""
        return self._shown.get(f"{role}:{case}", ())

    def flags(self, role: str, case: str) -> tuple[str, ...]:
        """The passages that a role was shown in a work item and that may address models."""
        return self._flags.get(f"{role}:{case}", ())

    def record(
        self,
        role: str,
        case: str,
        identity: str,
        *,
        calls: Sequence[ToolCall],
        flags: Sequence[str],
    ) -> None:
        """Write down the tool calls of a work item, once."""
        item = f"{role}:{case}"
        if item in self._shown:
            return
        body: dict[str, object] = {
            "item": item,
            "by": identity,
            "calls": [_call_body(call) for call in calls],
        }
        if flags:
            body["flags"] = list(flags)
        self._write("tools", body)

    def redo(self, number: int, from_stage: str) -> None:
        """Write down that a stage and all that depend on it are done again."""
        self._write("redo", {"number": number, "from": from_stage})

    def _write(self, kind: str, body: Body) -> None:
        self._log.append(kind, body)
        self._take(kind, body)

    def _take(self, kind: str, body: Body) -> None:
        match kind:
            case "round":
                number = _number(body["round"])
                self._rounds[number] = _cell_counts(body["asks"])
                self._accepted[number] = _texts(body["accepted"])
            case "tools":
                item = str(body["item"])
                self._shown[item] = _evidence(body["calls"])
                self._flags[item] = _texts(body.get("flags", []))
            case "redo":
                self.redone = _number(body["number"])
                self._forget(str(body["from"]))

    def _forget(self, from_stage: str) -> None:
        roles = roles_from(from_stage)
        self._shown = _without_roles(self._shown, roles)
        self._flags = _without_roles(self._flags, roles)
        if "author" in roles:
            self._rounds.clear()


def _without_roles(by_item: Mapping[str, V], roles: Sequence[str]) -> dict[str, V]:
    return {item: value for item, value in by_item.items() if item.partition(":")[0] not in roles}


def _call_body(call: ToolCall) -> Body:
    arguments = {name: _masked(value) for name, value in call.arguments.items()}
    shown = [[evidence.file, evidence.start, evidence.end] for evidence in call.shown]
    return {
        "step": call.step,
        "tool": call.tool,
        "arguments": arguments,
        "shown": shown,
        "truncated": call.truncated,
    }


def _masked(argument: object) -> object:
    """What a model asks for may hold a key that it was shown by accident; the file outlives it."""
    return mask_secrets(argument) if isinstance(argument, str) else argument


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(f"wanted a number in calls.jsonl, found {value!r}")
    return value


def _cell_counts(value: object) -> CellCounts:
    rows = _rows(value)
    return tuple((Cell(task_type, difficulty), count) for task_type, difficulty, count in rows)


def _evidence(value: object) -> tuple[Evidence, ...]:
    evidence = []
    for call in _rows(value):
        for file, start, end in call["shown"]:
            evidence.append(Evidence(file=file, start=start, end=end, read_at_step=call["step"]))
    return tuple(evidence)


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(text) for text in _rows(value))


def _rows(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(f"wanted a list in calls.jsonl, found {value!r}")
    return value
