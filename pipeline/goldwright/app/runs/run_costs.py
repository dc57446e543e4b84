"""What a run cost, by what the money went to; from its own entries alone."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from goldwright.app.environment import Environment
from goldwright.app.runs.run_files import OpenRun, run_for_reading
from goldwright.app.runs.run_report import report_on
from goldwright.llm.spend import Spend, change_of_spend
from goldwright.plan import Cell
from goldwright.records import DIFFICULTIES, TASK_TYPES
from goldwright.stages.fates import Fate

# For calls that belong to no record or cell, such as the exchange before a run.
NONE: Final = "-"


@dataclass(frozen=True, slots=True)
class RunCosts:
    """What a run cost.

    Attributes:
        name: The run.
        total: Everything together.
        by_role: What each role came to, in the order of their first calls.
        by_model: What each model came to, likewise.
        by_cell: What each cell came to: its Author's work and that on its records.
        by_fate: What the records of each fate came to, without their Author.
        records_by_fate: How many records have each fate.
        survivors: How many records agreement let through.
    """

    name: str
    total: Spend = field(default_factory=Spend)
    by_role: dict[str, Spend] = field(default_factory=dict)
    by_model: dict[str, Spend] = field(default_factory=dict)
    by_cell: dict[str, Spend] = field(default_factory=dict)
    by_fate: dict[str, Spend] = field(default_factory=dict)
    records_by_fate: Mapping[Fate, int] = field(default_factory=dict)
    survivors: int = 0

    def add(self, spend: Spend, *, role: str, model: str, cell: str, fate: str) -> None:
        """Count the change that one entry makes."""
        self.total.add(spend)
        for spend_by_name, name in (
            (self.by_role, role),
            (self.by_model, model),
            (self.by_cell, cell),
            (self.by_fate, fate),
        ):
            spend_by_name.setdefault(name, Spend()).add(spend)


def cost_run(name: str, environment: Environment) -> RunCosts:
    """Sum up what a run cost so far.

    Raises:
        InputError: There is no such run.
        DamagedStateError: A file of it is not what was written.
    """
    directory = environment.workspace.find_run(name, may_be_empty=True)
    with run_for_reading(directory) as run:
        report = report_on(run)
        fates = {record.query_id: record.fate for record in report.record_fates}
        counts = {fate: count for fate, count in report.fates.items() if count}
        costs = RunCosts(report.name, records_by_fate=counts, survivors=report.survivors)
        for call in _calls(run):
            cell = _cell_of(call, run)
            fate = fates.get(call.case, NONE)
            costs.add(
                call.spend,
                role=call.role,
                model=call.model,
                cell=cell,
                fate=fate,
            )
    return costs


@dataclass(frozen=True, slots=True)
class _CallChange:
    """What one entry about a call changes.

    Attributes:
        role: The role that asked.
        case: What it worked on: a record, or the round and cell of an Author.
        model: The model that was asked.
        spend: The change.
    """

    role: str
    case: str
    model: str
    spend: Spend


def _calls(run: OpenRun) -> Iterator[_CallChange]:
    # An answer does not name the model that was asked; its intent does.
    models: dict[tuple[str, str], str] = {}
    for entry in run.calls.entries:
        body: Mapping[str, Any] = entry.body
        if entry.kind not in {"intent", "reply", "void"}:
            continue
        key = (body["item"], body["key"])
        if entry.kind == "intent":
            models[key] = body["model"]
        item = str(body["item"])
        role, _, case = item.partition(":")
        model = models.get(key, NONE)
        spend = change_of_spend(entry.kind, body)
        yield _CallChange(role, case, model, spend)


def _cell_of(call: _CallChange, run: OpenRun) -> str:
    """Name the cell that a call was for: that of the record, or the one an Author wrote for."""
    if call.case in run.stage_files.candidates.done:
        return str(run.stage_files.cell_of(call.case))
    _, _, cell = call.case.partition(":")
    return cell if cell in _CELL_NAMES else NONE


def _all_cells() -> Iterator[str]:
    for task_type in TASK_TYPES:
        for difficulty in DIFFICULTIES:
            yield str(Cell(task_type, difficulty))


_CELL_NAMES: Final = frozenset(_all_cells())
