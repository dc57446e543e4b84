"""The outcome of a run, as a value that the command line prints."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from goldwright.app.runs.adversary_power import canary_rates, is_unmeasured, measured_power
from goldwright.app.runs.label_recall import run_label_recall
from goldwright.app.runs.run_files import OpenRun
from goldwright.app.runs.set_aside import work_set_aside
from goldwright.app.runs.stored_trust_cards import stored_run_card
from goldwright.canaries.power import AdversaryPower
from goldwright.engine.scheduler import CaseFailure
from goldwright.golden.catch_rates import CanaryRate
from goldwright.golden.label_recall import LabelRecall
from goldwright.llm.budget import MICRO
from goldwright.llm.spend import Spend
from goldwright.plan import Cell, Plan
from goldwright.records import CanaryOutcome, RejectedRecord, TrustCardRecord, WeakAdversary
from goldwright.review.spot_check import SpotCheck, spot_check
from goldwright.stages.cell_places import HumanRulings
from goldwright.stages.drafting import author_notes
from goldwright.stages.fates import FATES, Fate, RecordFate, fates_by_cell, record_fates


@dataclass(frozen=True, slots=True)
class RunReport:
    """The funnel of a run: the target of every cell, and the fate of every record.

    Every emitted candidate has exactly one fate, so the counts of all fates add up to what was
    emitted.

    Attributes:
        name: The run's name.
        path: Its directory.
        state: ``open`` or ``complete``.
        stopped_by: What kept an open run from going on; empty where nothing but a person did.
        plan: What it was to emit.
        record_fates: The cell and fate of each record, in the order of ids.
        low_confidence: How many answers their Oracle was not sure of.
        rejections: How many records were rejected, by reason.
        cell_rejections: The same for each cell that lost any.
        costs: Calls, tokens and money by role.
        check: The verdicts on the sample, held against the ceilings.
        takes_hints: Whether a model answers, which a person's hint can teach something.
        commit: The commit it is pinned to.
        repo: The codebase, as the user named it.
        retries: Records that people want tried again and that no runner has taken up.
        canaries: What was made of falsified answers.
        power: What these show of the Adversary; None without them, and where no power was stated.
        weak_adversaries: Those before it that were found to be weak.
        is_power_unknown: Whether a model attacked answers of which none was falsified.
        trust_card: What can be measured of the selected records without people; None where it was
            not measured, or where the records have changed since.
        label_recall: How complete the labels of the selected records are; None where no pool says.
        shortfalls: Why an Author wrote too little for a cell, in lines; cells for which it wrote
            all that was asked are left out.
        failed: Cases that could not be finished this time.
        unparsed: The source files of which nothing was read, each with its reason.
        notes: What a person should know, a sentence each.
        set_aside: Work that was given up and belongs to no record; a resume tries it again.
        in_batches: Requests that were handed in with batches and have no reply yet; a resume
            fetches it.
        slips: How often each model had to put something right, by what it was: codes of the gate
            and of the screen, and what could not be read or run.
    """

    name: str
    path: Path
    state: str
    plan: Plan
    record_fates: tuple[RecordFate, ...]
    low_confidence: int
    rejections: Mapping[str, int]
    costs: Mapping[str, Spend]
    check: SpotCheck
    takes_hints: bool = True
    commit: str = ""
    repo: str = ""
    retries: int = 0
    canaries: tuple[CanaryOutcome, ...] = ()
    power: AdversaryPower | None = None
    weak_adversaries: tuple[WeakAdversary, ...] = ()
    is_power_unknown: bool = False
    trust_card: TrustCardRecord | None = None
    label_recall: LabelRecall | None = None
    shortfalls: Mapping[Cell, tuple[str, ...]] = field(default_factory=dict)
    cell_rejections: Mapping[Cell, Mapping[str, int]] = field(default_factory=dict)
    failed: tuple[CaseFailure, ...] = ()
    unparsed: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    set_aside: tuple[str, ...] = ()
    in_batches: int = 0
    stopped_by: str = ""
    slips: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def __repr__(self) -> str:
        share = f"{self.selected} of {self.plan.total} records selected"
        return f"<RunReport: {share}, {self.state}, {self.name}>"

    @property
    def fates(self) -> dict[Fate, int]:
        """How many records have each fate."""
        counts = Counter(record.fate for record in self.record_fates)
        return {fate: counts[fate] for fate in FATES}

    @property
    def selected(self) -> int:
        """How many records stand in the dataset as it is now."""
        return self.fates["pending"] + self.fates["blessed"]

    def fate_of(self, query_id: str) -> Fate:
        """The fate of one record.

        Raises:
            KeyError: The run has no such record.
        """
        for record in self.record_fates:
            if record.query_id == query_id:
                return record.fate
        raise KeyError(query_id)

    def in_cell(self, cell: Cell) -> Counter[Fate]:
        """The fates of one cell's records."""
        by_cell = fates_by_cell(self.record_fates)
        return Counter(by_cell.get(cell, {}))

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
        """Calls, tokens and money of all roles together."""
        total = Spend()
        for spend in self.costs.values():
            total.add(spend)
        return total

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
        cells = self.plan.filled_cells()
        return tuple(cell for cell in cells if self._is_short(cell))

    def _is_short(self, cell: Cell) -> bool:
        return self.filled(cell) < self.plan.minimum(cell)

    @property
    def is_complete_enough(self) -> bool:
        """Whether the batch may go to people."""
        return not self.short_cells and self.selected >= self.plan.minimum_total

    @property
    def canary_rates(self) -> dict[str, CanaryRate]:
        """The shares of caught canaries by kind and in all."""
        return canary_rates(self.canaries)

    @property
    def is_adversary_weak(self) -> bool:
        """Whether canaries show the Adversary to be below its stated power."""
        return self.power is not None and self.power.verdict == "below"

    @property
    def passes(self) -> bool:
        """Whether nothing that was stated beforehand is missed: the plan, and the power."""
        return self.is_complete_enough and not self.is_adversary_weak

    def as_json(self) -> dict[str, object]:
        """The report as JSON types."""
        cells = [self._cell_json(cell) for cell in self.plan.filled_cells()]
        failed_cases = [_failure_json(failure) for failure in self.failed]
        costs = {role: spend_json(spend) for role, spend in self.costs.items()}
        rates = self.canary_rates
        canaries = {kind: rate.model_dump(mode="json") for kind, rate in rates.items()}
        weak_adversaries = [weak.model_dump(mode="json") for weak in self.weak_adversaries]
        trainings = [asdict(result) for result in self.check.trainings]
        slips = {model: dict(counts) for model, counts in self.slips.items()}
        return {
            "run": self.name,
            "path": str(self.path),
            "state": self.state,
            "stopped_by": self.stopped_by,
            "plan": self.plan.name,
            "target": self.plan.total,
            "selected": self.selected,
            "complete_enough": self.is_complete_enough,
            "emitted": len(self.record_fates),
            "fates": self.fates,
            "cells": cells,
            "rejections": dict(self.rejections),
            "low_confidence": self.low_confidence,
            "failed_cases": failed_cases,
            "unparsed": dict(self.unparsed),
            "total_tokens": self.total_tokens,
            "usd": self.usd,
            "costs": costs,
            "per_surviving_record": self._cost_per_survivor(),
            "canaries": canaries,
            "adversary_power": self._power_json(),
            "weak_adversaries": weak_adversaries,
            "trust_card": self._trust_card_json(),
            "label_recall": self._label_recall_json(),
            "trainings": trainings,
            "notes": list(self.notes),
            "set_aside": list(self.set_aside),
            "in_batches": self.in_batches,
            "slips": slips,
        }

    def _power_json(self) -> dict[str, object] | None:
        power = self.power
        if power is None:
            return None
        counts = power.counts
        return {
            "stated": power.stated,
            "caught": counts.caught,
            "released": counts.total,
            "interval": power.interval,
            "verdict": power.verdict,
        }

    def _trust_card_json(self) -> dict[str, object] | None:
        if self.trust_card is None:
            return None
        figures = self.trust_card.figures
        return {name: figure.model_dump(mode="json") for name, figure in figures.items()}

    def _label_recall_json(self) -> dict[str, object] | None:
        if self.label_recall is None:
            return None
        return self.label_recall.model_dump(mode="json")

    def _cost_per_survivor(self) -> dict[str, float] | None:
        # Offline runs make no calls, so a price of zero would say nothing.
        if not self.survivors or not self.spend.calls:
            return None
        tokens = self.total_tokens / self.survivors
        usd = self.usd / self.survivors
        return {"tokens": tokens, "usd": usd}

    def _cell_json(self, cell: Cell) -> dict[str, object]:
        counts = self.in_cell(cell)
        target, emitted = self.plan.target(cell), counts.total()
        document: dict[str, object] = {
            "task_type": cell.task_type,
            "difficulty": cell.difficulty,
            "target": target,
            "emitted": emitted,
        }
        for fate in FATES:
            document[fate] = counts[fate]
        if cell in self.shortfalls:
            document["shortfall"] = list(self.shortfalls[cell])
        return document


def report_on(
    run: OpenRun, *, failed: tuple[CaseFailure, ...] = (), notes: tuple[str, ...] = ()
) -> RunReport:
    """Sum up the files of a run.

    Args:
        run: The run.
        failed: Cases that could not be finished this time.
        notes: What a person should know.
    """
    plan = run.manifest.plan
    stage_files = run.stage_files
    review_state = run.review_state
    rulings = review_state.rulings
    # The check needs the fates before it is known whether the batch is blessed.
    unblessed = record_fates(plan, stage_files, rulings)
    check = spot_check(plan, review_state, unblessed, seed=run.manifest.seed)
    is_blessed = check.outcome == "holds"
    fates = record_fates(plan, stage_files, rulings, is_blessed=is_blessed)
    answers = stage_files.answers.done.values()
    low_confidence = sum(answer.confidence == "low" for answer in answers)
    rejections = _count_rejections(stage_files.rejected.done.values(), rulings)
    canaries = tuple(run.canaries.done.values())
    rates = canary_rates(canaries)
    return RunReport(
        name=run.directory.name,
        path=run.directory.path,
        state=run.manifest.state,
        stopped_by=run.manifest.stopped_by,
        plan=plan,
        record_fates=fates,
        check=check,
        takes_hints="oracle" in run.manifest.models,
        commit=run.manifest.commit,
        repo=run.manifest.repo,
        retries=len(review_state.retries()),
        low_confidence=low_confidence,
        rejections=rejections,
        costs=run.call_journal.spent_by_role(),
        canaries=canaries,
        power=measured_power(rates, run.manifest.adversary_power),
        weak_adversaries=run.manifest.weak_adversaries,
        is_power_unknown=is_unmeasured(run.manifest, rates),
        trust_card=stored_run_card(run, fates),
        label_recall=run_label_recall(run, fates),
        shortfalls=_shortfalls(run),
        cell_rejections=_rejections_by_cell(stage_files.rejected.done.values()),
        failed=failed,
        unparsed=run.manifest.unparsed,
        notes=notes,
        set_aside=work_set_aside(run),
        in_batches=len(run.call_journal.awaited_calls()),
        slips=_slips_by_model(run),
    )


def _slips_by_model(run: OpenRun) -> dict[str, Counter[str]]:
    """Add up the slips of the roles that each model plays."""
    slips: dict[str, Counter[str]] = {}
    for role, role_slips in run.transcript.slips_by_role().items():
        model = run.manifest.models.get(role)
        if model is not None and role_slips:
            slips.setdefault(model, Counter()).update(role_slips)
    return slips


def _shortfalls(run: OpenRun) -> dict[Cell, tuple[str, ...]]:
    shortfalls = {}
    for cell in run.manifest.plan.filled_cells():
        notes = author_notes(run.transcript, cell)
        if notes:
            shortfalls[cell] = notes
    return shortfalls


def _count_rejections(records: Iterable[RejectedRecord], rulings: HumanRulings) -> Counter[str]:
    reasons: Counter[str] = Counter()
    rejected = set()
    for record in records:
        reasons[record.reason] += 1
        rejected.add(record.query_id)
    # People's rulings stand in the log of reviews; a file of the run has them only once a
    # runner acted on them.
    in_review = rulings.dropped - rejected
    if in_review:
        reasons["turned down in review"] += len(in_review)
    return reasons


def _rejections_by_cell(records: Iterable[RejectedRecord]) -> dict[Cell, Counter[str]]:
    reasons: dict[Cell, Counter[str]] = {}
    for record in records:
        cell = Cell(record.task_type, record.difficulty)
        reasons.setdefault(cell, Counter())[record.reason] += 1
    return reasons


def _failure_json(failure: CaseFailure) -> dict[str, str]:
    return {"query_id": failure.case, "error": str(failure.error)}


def spend_json(spend: Spend) -> dict[str, object]:
    """Give what was spent as JSON types."""
    return {
        "calls": spend.calls,
        "input_tokens": spend.input_tokens,
        "cached_tokens": spend.cached_tokens,
        "output_tokens": spend.output_tokens,
        "usd": spend.micro_usd / MICRO,
        "presumed_usd": spend.presumed_micro_usd / MICRO,
        "most_usd": spend.most_micro_usd / MICRO,
    }
