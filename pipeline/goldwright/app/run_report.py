"""What a run has come to, as a value that the command line prints."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from goldwright.app.run_files import OpenRun
from goldwright.canaries.stage import catches_by_kind
from goldwright.engine.scheduler import CaseFailure
from goldwright.golden.metadata import CatchRate
from goldwright.llm.budget import MICRO
from goldwright.llm.spend import Spend
from goldwright.plan import Cell, Plan
from goldwright.records import CanaryOutcome, RejectedRecord
from goldwright.review.spot_check import SpotCheck, spot_check
from goldwright.stages.fates import (
    FATES,
    Fate,
    HumanRulings,
    RecordFate,
    fates_by_cell,
    record_fates,
)
from goldwright.stats.binomial import clopper_pearson


@dataclass(frozen=True, slots=True)
class RunReport:
    """The funnel of a run: every cell's target and the fate of each record; the sums conserve.

    ``retries`` counts the records that people want tried again and nobody has yet.
    """

    name: str
    path: Path
    state: str
    plan: Plan
    standings: tuple[RecordFate, ...]
    low_confidence: int
    rejections: Mapping[str, int]
    costs: Mapping[str, Spend]
    check: SpotCheck
    commit: str = ""
    retries: int = 0
    canaries: tuple[CanaryOutcome, ...] = ()
    failed: tuple[CaseFailure, ...] = ()
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
        return Counter(fates_by_cell(self.standings).get(cell, {}))

    def filled(self, cell: Cell) -> int:
        """How many records of a cell stand in the dataset."""
        counts = self.in_cell(cell)
        return counts["pending"] + counts["blessed"]

    @property
    def survivors(self) -> int:
        """How many records agreement let through, those in reserve among them."""
        return self.selected + self.fates["reserve"]

    @property
    def spend(self) -> Spend:
        """What the run came to in all."""
        whole = Spend()
        for one in self.costs.values():
            whole.add(one)
        return whole

    @property
    def total_tokens(self) -> int:
        """All tokens of the run."""
        return self.spend.tokens

    @property
    def usd(self) -> float:
        """All dollars of the run, presumed ones among them."""
        return self.spend.micro_usd / MICRO

    @property
    def short_cells(self) -> tuple[Cell, ...]:
        """The cells that hold fewer records than the plan lets pass."""
        return tuple(
            cell for cell in self.plan.filled_cells() if self.filled(cell) < self.plan.minimum(cell)
        )

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
            "failed_cases": [
                {"query_id": one.case, "error": str(one.error)} for one in self.failed
            ],
            "total_tokens": self.total_tokens,
            "usd": self.usd,
            "costs": {role: _cost_json(spend) for role, spend in self.costs.items()},
            "per_surviving_record": self._per_survivor(),
            "canaries": {
                kind: rate.model_dump(mode="json")
                for kind, rate in canary_rates(self.canaries).items()
            },
            "notes": list(self.notes),
        }

    def _per_survivor(self) -> dict[str, float] | None:
        if not self.survivors or not self.spend.calls:
            return None
        return {"tokens": self.total_tokens / self.survivors, "usd": self.usd / self.survivors}

    def _cell_json(self, cell: Cell) -> dict[str, object]:
        counts = self.in_cell(cell)
        return {
            "task_type": cell.task_type,
            "difficulty": cell.difficulty,
            "target": self.plan.target(cell),
            "emitted": sum(counts.values()),
            **{fate: counts[fate] for fate in FATES},
        }


def report_on(
    run: OpenRun, *, failed: tuple[CaseFailure, ...] = (), notes: tuple[str, ...] = ()
) -> RunReport:
    """Sum up what the files of a run say."""
    stage_files, plan = run.stage_files, run.manifest.plan
    review_state = run.review_state
    rulings = review_state.rulings
    found = record_fates(plan, stage_files, rulings)
    check = spot_check(plan, review_state, found, seed=run.manifest.seed)
    return RunReport(
        name=run.directory.name,
        path=run.directory.path,
        state=run.manifest.state,
        plan=plan,
        standings=record_fates(plan, stage_files, rulings, is_blessed=check.outcome == "holds"),
        check=check,
        commit=run.manifest.commit,
        retries=len(review_state.retries()),
        low_confidence=sum(
            answer.confidence == "low" for answer in stage_files.answers.done.values()
        ),
        rejections=_rejections(stage_files.rejected.done.values(), rulings),
        costs=run.call_journal.spent_by_role(),
        canaries=tuple(run.canaries.done.values()),
        failed=failed,
        notes=notes,
    )


def _rejections(records: Iterable[RejectedRecord], rulings: HumanRulings) -> Counter[str]:
    counts = Counter(record.reason for record in records)
    in_review = rulings.dropped - {record.query_id for record in records}
    return counts + Counter({"turned down in review": len(in_review)})


def canary_rates(outcomes: tuple[CanaryOutcome, ...]) -> dict[str, CatchRate]:
    """Give the share of caught canaries by kind and in all, each with its exact 95 % interval."""
    counts: dict[str, tuple[int, int]] = {
        str(kind): found for kind, found in catches_by_kind(outcomes).items()
    }
    if counts:
        counts["all"] = (sum(caught for caught, _ in counts.values()), len(outcomes))
    return {
        kind: CatchRate(
            caught=caught, released=released, interval=clopper_pearson(caught, released)
        )
        for kind, (caught, released) in counts.items()
    }


def _cost_json(spend: Spend) -> dict[str, object]:
    return {
        "calls": spend.calls,
        "input_tokens": spend.input_tokens,
        "cached_tokens": spend.cached_tokens,
        "output_tokens": spend.output_tokens,
        "usd": spend.micro_usd / MICRO,
        "presumed_usd": spend.presumed_micro_usd / MICRO,
    }
