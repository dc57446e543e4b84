"""What a run has come to, as a value that the command line prints."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from goldwright.app.opening import OpenRun
from goldwright.engine.runner import Failed
from goldwright.plan import Cell, Plan
from goldwright.records import Stamped
from goldwright.stages.fates import FATES, Fate, Standing, by_cell, standings


@dataclass(frozen=True, slots=True)
class RunReport:
    """The funnel of a run: every cell's target and the fate of each record; the sums conserve."""

    name: str
    path: Path
    state: str
    plan: Plan
    standings: tuple[Standing, ...]
    low_confidence: int
    rejections: Mapping[str, int]
    total_tokens: int
    usd: float
    failed: tuple[Failed, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def fates(self) -> dict[Fate, int]:
        """How many records have each fate."""
        counts = Counter(one.fate for one in self.standings)
        return {fate: counts[fate] for fate in FATES}

    @property
    def selected(self) -> int:
        """How many records stand in the dataset as it is now."""
        return self.fates["pending"] + self.fates["blessed"]

    def in_cell(self, cell: Cell) -> Counter[Fate]:
        """The fates of one cell's records."""
        return Counter(by_cell(self.standings).get(cell, {}))

    def filled(self, cell: Cell) -> int:
        """How many records of a cell stand in the dataset."""
        counts = self.in_cell(cell)
        return counts["pending"] + counts["blessed"]

    @property
    def short_cells(self) -> tuple[Cell, ...]:
        """The cells that hold fewer records than the plan lets pass."""
        return tuple(cell for cell in self.plan.filled_cells() if self.filled(cell) < self.plan.minimum(cell))

    @property
    def is_complete_enough(self) -> bool:
        """Tell whether the batch may go to people."""
        return not self.short_cells and self.selected >= self.plan.minimum_total

    def as_json(self) -> dict[str, object]:
        """The report as JSON types."""
        return {
            "run": self.name,
            "path": str(self.path),
            "state": self.state,
            "plan": self.plan.name,
            "target": self.plan.total,
            "selected": self.selected,
            "complete_enough": self.is_complete_enough,
            "emitted": len(self.standings),
            "fates": self.fates,
            "cells": [self._cell_json(cell) for cell in self.plan.filled_cells()],
            "rejections": dict(self.rejections),
            "low_confidence": self.low_confidence,
            "failed_cases": [{"query_id": one.case, "error": str(one.error)} for one in self.failed],
            "total_tokens": self.total_tokens,
            "usd": self.usd,
            "notes": list(self.notes),
        }

    def _cell_json(self, cell: Cell) -> dict[str, object]:
        counts = self.in_cell(cell)
        return {
            "task_type": cell.task_type,
            "difficulty": cell.difficulty,
            "target": self.plan.target(cell),
            "emitted": sum(counts.values()),
            **{fate: counts[fate] for fate in FATES},
        }


def report_on(run: OpenRun, *, failed: tuple[Failed, ...] = (), notes: tuple[str, ...] = ()) -> RunReport:
    """Sum up what the files of a run say."""
    books = run.books
    stamped: list[Stamped] = [
        *books.candidates.done.values(),
        *books.answers.done.values(),
        *books.reports.done.values(),
        *books.verdicts.done.values(),
    ]
    return RunReport(
        name=run.directory.name,
        path=run.directory.path,
        state=run.manifest.state,
        plan=run.manifest.plan,
        standings=standings(run.manifest.plan, books),
        low_confidence=sum(answer.confidence == "low" for answer in books.answers.done.values()),
        rejections=Counter(record.reason for record in books.rejected.done.values()),
        total_tokens=sum(record.total_tokens for record in stamped),
        usd=sum(record.usd for record in stamped),
        failed=failed,
        notes=notes,
    )
