"""What every role did in every work item, written to ``calls.jsonl`` before any result of it.

The transcript has entries of five kinds: ``round`` (what the Authors were asked for),
``late_author`` (an Author that was set aside begins again), ``tools`` (the tool calls of one work
item, with the lines they showed), ``canary_draw`` (the records of which canaries are made) and
``redo`` (a stage is redone, so that the entries of this stage and of those after it no longer
count). The calls of
models stand between them in the same file; the call journal reads those.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from goldwright.agents.toolset import ToolCall
from goldwright.journal import CallEntryLog
from goldwright.llm.call_journal import KEEPS_REPLIES
from goldwright.plan import Cell
from goldwright.records import Evidence
from goldwright.scanners.secrets import mask_secrets
from goldwright.stages.stage_graph import AUTHOR, roles_from

EntryBody = Mapping[str, object]
CellCounts = tuple[tuple[Cell, int], ...]
"""How many candidates a round asks for, cell by cell."""
QueryIds = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Exposure:
    """What the tools showed a role in one work item: the proof of what it read.

    Attributes:
        lines: The lines, in the order in which they were shown.
        flags: The suspicious passages among them: text that addresses models.
        notes: What the role had to say of its work, in order.
        slips: How often the role had to put something right, by what it was.
    """

    lines: tuple[Evidence, ...] = ()
    flags: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    slips: Mapping[str, int] = field(default_factory=dict)


NO_EXPOSURE: Final = Exposure()
NO_SLIPS: Final[Mapping[str, int]] = MappingProxyType({})


class Transcript:
    """The entries that count, by work item: the role, a colon and the case."""

    def __init__(self, log: CallEntryLog) -> None:
        self._log = log
        self._exposures: dict[str, Exposure] = {}
        self._rounds: dict[int, CellCounts] = {}
        self._accepted: dict[int, QueryIds] = {}
        self._accepted_late: dict[str, QueryIds] = {}
        self._rejected: dict[int, QueryIds] = {}
        self._canary_draw: QueryIds | None = None
        # The number of the last redoing that the log knows of; the manifest may know of more.
        self.redone = 0
        for entry in log.entries:
            self._read_entry(entry.kind, entry.body)

    def rounds(self) -> Mapping[int, CellCounts]:
        """What the Authors were asked for, by round."""
        return self._rounds

    def accepted(self, number: int, item: str) -> tuple[str, ...]:
        """The candidates that an Author of a round is told of, by the name of its work item.

        They are those that were accepted when the round began; for an Author that began again after
        others had finished, those that were accepted by then.
        """
        return self._accepted_late.get(item, self._accepted[number])

    def record_late_author(self, item: str, *, accepted: Sequence[str]) -> None:
        """Write down that an Author begins again, and which candidates it is told of."""
        self._write("late_author", {"item": item, "accepted": list(accepted)})

    def rejected(self, number: int) -> tuple[str, ...]:
        """The drafts that were rejected when a round began: its Authors are told of no others."""
        return self._rejected[number]

    def has_played(self, item: str) -> bool:
        """Whether a role came to the end of a work item, which is named ``role:case``."""
        return item in self._exposures

    def slips_by_role(self) -> Mapping[str, Mapping[str, int]]:
        """How often each role had to put something right, by what it was."""
        slips: dict[str, Counter[str]] = {}
        for item, exposure in self._exposures.items():
            role_slips = slips.setdefault(_role_of(item), Counter())
            role_slips.update(exposure.slips)
        return slips

    def record_round(
        self,
        number: int,
        cell_counts: CellCounts,
        *,
        accepted: Sequence[str],
        rejected: Sequence[str],
    ) -> None:
        """Write down what a round asks for and which candidates it builds on, once."""
        if number in self._rounds:
            return
        rows = [[*cell, count] for cell, count in cell_counts]
        body: dict[str, object] = {"round": number, "asks": rows, "accepted": list(accepted)}
        if rejected:
            body["rejected"] = list(rejected)
        self._write("round", body)

    def canary_draw(self) -> tuple[str, ...] | None:
        """The records that canaries were first drawn from; None before that."""
        return self._canary_draw

    def record_canary_draw(self, query_ids: Sequence[str]) -> None:
        """Write down which records canaries are drawn from: later records change no draw."""
        self._write("canary_draw", {"from": list(query_ids)})

    def shown(self, role: str, case: str) -> tuple[Evidence, ...]:
        """The lines that tools showed a role in a work item; empty without such an item."""
        return self._exposure(role, case).lines

    def flags(self, role: str, case: str) -> tuple[str, ...]:
        """The passages that address models among what a role was shown in a work item."""
        return self._exposure(role, case).flags

    def notes(self, role: str, case: str) -> tuple[str, ...]:
        """What a role had to say of a work item, in order."""
        return self._exposure(role, case).notes

    def slips(self, role: str, case: str) -> Mapping[str, int]:
        """How often a role had to put something right in a work item, by what it was."""
        return self._exposure(role, case).slips

    def record(
        self,
        role: str,
        case: str,
        identity: str,
        *,
        calls: Sequence[ToolCall],
        flags: Sequence[str],
        notes: Sequence[str] = (),
        slips: Mapping[str, int] = NO_SLIPS,
    ) -> None:
        """Write down the tool calls of a work item, once."""
        item = _item(role, case)
        # An item that is resumed plays again, from the replies in the journal, and is written once.
        if item in self._exposures:
            return
        call_bodies = [_call_body(call) for call in calls]
        body: dict[str, object] = {"item": item, "by": identity, "calls": call_bodies}
        if flags:
            body["flags"] = list(flags)
        if notes:
            body["notes"] = list(notes)
        if slips:
            body["slips"] = dict(slips)
        self._write("tools", body)

    def redo(self, number: int, from_stage: str, *, keeps_replies: bool = False) -> None:
        """Write down that a stage and all that depend on it are redone.

        With ``keeps_replies``, what models have answered still counts, and canaries are drawn from
        the records that they were drawn from before.
        """
        body: dict[str, object] = {"number": number, "from": from_stage}
        if keeps_replies:
            body[KEEPS_REPLIES] = True
        self._write("redo", body)

    def _exposure(self, role: str, case: str) -> Exposure:
        item = _item(role, case)
        return self._exposures.get(item, NO_EXPOSURE)

    def _write(self, kind: str, body: EntryBody) -> None:
        self._log.append(kind, body)
        self._read_entry(kind, body)

    def _read_entry(self, kind: str, body: EntryBody) -> None:
        match kind:
            case "round":
                number = _number(body["round"])
                self._rounds[number] = _cell_counts(body["asks"])
                self._accepted[number] = _texts(body["accepted"])
                self._rejected[number] = _texts(body.get("rejected", []))
            case "late_author":
                item = str(body["item"])
                self._accepted_late[item] = _texts(body["accepted"])
            case "canary_draw":
                self._canary_draw = _texts(body["from"])
            case "tools":
                item = str(body["item"])
                lines = tuple(_evidence(body["calls"]))
                flags = _texts(body.get("flags", []))
                notes = _texts(body.get("notes", []))
                slips = _counts(body.get("slips", {}))
                self._exposures[item] = Exposure(lines, flags, notes, slips)
            case "redo":
                self.redone = _number(body["number"])
                self._forget(str(body["from"]))
                if KEEPS_REPLIES not in body:
                    self._canary_draw = None

    def _forget(self, from_stage: str) -> None:
        """Drop the entries of the roles that play again."""
        roles = roles_from(from_stage)
        for item in list(self._exposures):
            if _role_of(item) in roles:
                del self._exposures[item]
        if AUTHOR.role in roles:
            self._rounds.clear()
            self._accepted_late.clear()


def _item(role: str, case: str) -> str:
    return f"{role}:{case}"


def _role_of(item: str) -> str:
    return item.partition(":")[0]


def _call_body(call: ToolCall) -> EntryBody:
    arguments = {name: _masked(value) for name, value in call.arguments.items()}
    ranges = [[evidence.file, evidence.start, evidence.end] for evidence in call.shown]
    return {
        "step": call.step,
        "tool": call.tool,
        "arguments": arguments,
        "shown": ranges,
        "truncated": call.truncated,
    }


def _masked(argument: object) -> object:
    """What a model asks for may hold a key that it was shown by accident; the file outlives it."""
    if isinstance(argument, str):
        return mask_secrets(argument)
    return argument


# The bodies of entries are JSON from a file: their types are checked before they are used.


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(f"wanted a number in calls.jsonl, found {value!r}")
    return value


def _cell_counts(value: object) -> CellCounts:
    cell_counts = []
    for task_type, difficulty, count in _rows(value):
        cell = Cell(task_type, difficulty)
        cell_counts.append((cell, count))
    return tuple(cell_counts)


def _evidence(value: object) -> Iterator[Evidence]:
    for call in _rows(value):
        for file, start, end in call["shown"]:
            yield Evidence(file=file, start=start, end=end, read_at_step=call["step"])


def _counts(value: object) -> Mapping[str, int]:
    if not isinstance(value, dict):
        raise TypeError(f"wanted an object in calls.jsonl, found {value!r}")
    return {str(name): _number(count) for name, count in value.items()}


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(str, _rows(value)))


def _rows(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(f"wanted a list in calls.jsonl, found {value!r}")
    return value
