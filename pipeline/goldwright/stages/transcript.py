"""What every role did in every work item, kept in ``calls.jsonl`` before anything that rests on it.

Its own entries are of three kinds: ``round`` (what the Authors were asked for), ``tools`` (the tool
calls of one work item with the lines they showed) and ``redo`` (a person had a stage done again:
the entries of that stage and of those after it no longer count). The calls of models stand between
them; the tape reads those.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from goldwright.agents.toolset import Toolset
from goldwright.llm.call_journal import REDONE_FROM
from goldwright.plan import Cell
from goldwright.records import Evidence
from goldwright.scanners.secrets import mask_secrets

Body = Mapping[str, object]


class TranscriptEntry(Protocol):
    """One line of the file of calls."""

    @property
    def kind(self) -> str:
        """What the line is about."""
        ...

    @property
    def body(self) -> Body:
        """The fields of the line."""
        ...


class TranscriptLog(Protocol):
    """The append-only file of calls."""

    @property
    def entries(self) -> Sequence[TranscriptEntry]:
        """Everything written so far, in order."""
        ...

    def append(self, kind: str, body: Body) -> TranscriptEntry:
        """Write one entry durably."""
        ...


class Transcript:
    """The entries that count, by work item."""

    def __init__(self, log: TranscriptLog) -> None:
        self._log = log
        self._shown: dict[str, tuple[Evidence, ...]] = {}
        self._accepted: dict[int, tuple[str, ...]] = {}
        self._flags: dict[str, tuple[str, ...]] = {}
        self._rounds: dict[int, tuple[tuple[Cell, int], ...]] = {}
        self.redone = 0
        for entry in log.entries:
            self._take(entry.kind, entry.body)

    def rounds(self) -> Mapping[int, tuple[tuple[Cell, int], ...]]:
        """What the Authors were asked for, by round."""
        return self._rounds

    def accepted(self, number: int) -> tuple[str, ...]:
        """The ids that stood when a round began; its Authors were told of these and no others."""
        return self._accepted[number]

    def record_round(
        self, number: int, asks: Sequence[tuple[Cell, int]], accepted: Sequence[str]
    ) -> None:
        """Write down what a round asks for and what stands before it, once."""
        if number not in self._rounds:
            asked = [[*cell, count] for cell, count in asks]
            self._write("round", {"round": number, "asks": asked, "accepted": list(accepted)})

    def shown(self, role: str, case: str) -> tuple[Evidence, ...]:
        """The lines that a role's tools showed it in a work item; none when there is no such item."""
        return self._shown.get(f"{role}:{case}", ())

    def flags(self, role: str, case: str) -> tuple[str, ...]:
        """What a role was shown in a work item that speaks to a model."""
        return self._flags.get(f"{role}:{case}", ())

    def record(self, role: str, case: str, identity: str, toolset: Toolset) -> None:
        """Write down the tool calls of a work item, once."""
        key = f"{role}:{case}"
        if key in self._shown:
            return
        calls = [
            {
                "step": call.step,
                "tool": call.tool,
                "arguments": {
                    key: mask_secrets(one) if isinstance(one, str) else one
                    for key, one in call.arguments.items()
                },
                "shown": [[one.file, one.start, one.end] for one in call.shown],
                "truncated": call.truncated,
            }
            for call in toolset.calls
        ]
        flags = {"flags": list(toolset.flags)} if toolset.flags else {}
        self._write("tools", {"item": key, "by": identity, "calls": calls, **flags})

    def redo(self, number: int, from_stage: str) -> None:
        """Write down that a stage and what hangs on it are done again."""
        self._write("redo", {"number": number, "from": from_stage})

    def _write(self, kind: str, body: Body) -> None:
        self._log.append(kind, body)
        self._take(kind, body)

    def _take(self, kind: str, body: Body) -> None:
        match kind:
            case "round":
                self._rounds[_number(body["round"])] = _asks(body["asks"])
                self._accepted[_number(body["round"])] = _texts(body["accepted"])
            case "tools":
                self._shown[str(body["item"])] = _evidence(body["calls"])
                self._flags[str(body["item"])] = _texts(body.get("flags", []))
            case "redo":
                self.redone = _number(body["number"])
                self._forget(str(body["from"]))

    def _forget(self, from_stage: str) -> None:
        roles = REDONE_FROM[from_stage]
        gone = tuple(f"{role}:" for role in roles)
        self._shown = {key: shown for key, shown in self._shown.items() if not key.startswith(gone)}
        self._flags = {key: flags for key, flags in self._flags.items() if not key.startswith(gone)}
        if "author" in roles:
            self._rounds.clear()


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(f"wanted a number in calls.jsonl, found {value!r}")
    return value


def _asks(value: object) -> tuple[tuple[Cell, int], ...]:
    if not isinstance(value, list):
        raise TypeError(f"wanted a list in calls.jsonl, found {value!r}")
    return tuple((Cell(task_type, difficulty), count) for task_type, difficulty, count in value)


def _evidence(value: object) -> tuple[Evidence, ...]:
    if not isinstance(value, list):
        raise TypeError(f"wanted a list in calls.jsonl, found {value!r}")
    return tuple(
        Evidence(file=file, start=start, end=end, read_at_step=call["step"])
        for call in value
        for file, start, end in call["shown"]
    )


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError(f"wanted a list in calls.jsonl, found {value!r}")
    return tuple(str(one) for one in value)
