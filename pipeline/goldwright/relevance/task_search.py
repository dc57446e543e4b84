"""The trials of one task, from the first to the last, whatever was tried before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pydantic import Field

from goldwright.errors import DamagedStateError
from goldwright.records import Record
from goldwright.relevance.adaptive_design import AdaptiveDesign, DesignSettings, Trial
from goldwright.relevance.contexts import PoolDocument, render_context
from goldwright.relevance.fixed_design import FixedDesign, FixedRule

Outcome = Literal["passed", "failed", "none"]


class TrialRecord(Record):
    """One trial, as the log of trials keeps it.

    Attributes:
        task_id: The task.
        number: From 1 on, within the task.
        included: The ids of the documents that were shown, sorted.
        inclusion: By document id, the probability with which it was shown.
        outcome: Whether the answer passed; a trial without an outcome stands for a failure of the
            solver or the tests, which says nothing about the answer.
        reason: Why it did not pass.
        total_tokens: What the solver used.
        usd: What that cost.
    """

    task_id: str
    number: int = Field(ge=1)
    included: tuple[str, ...]
    inclusion: dict[str, float]
    outcome: Outcome
    reason: str = ""
    total_tokens: int = Field(default=0, ge=0)
    usd: float = Field(default=0.0, ge=0.0)


@dataclass
class TaskSearch:
    """Chooses a task's trials and takes their outcomes; a logged trial is taken and not repeated.

    The choice depends on the pool, the seed and the outcomes so far, and on nothing else: with the
    log of an earlier process, the search comes to the place at which that one stopped.

    Attributes:
        task_id: The task.
        pool: Its documents, in an order that the seed settles.
        settings: Error rates and budget of the adaptive design, or the rule of the fixed one.
        seed: Chooses trials and places.
        records: The trials so far.
    """

    task_id: str
    pool: Sequence[PoolDocument]
    settings: DesignSettings | FixedRule
    seed: int
    records: list[TrialRecord] = field(default_factory=list)
    _trials: list[Trial] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Prepare the first trial."""
        self.design = self._new_design()

    def _new_design(self) -> AdaptiveDesign | FixedDesign:
        if isinstance(self.settings, FixedRule):
            return FixedDesign(len(self.pool), self.settings, seed=self.seed)
        return AdaptiveDesign(len(self.pool), self.settings, seed=self.seed)

    def design_had_all_passed(self) -> AdaptiveDesign | FixedDesign:
        """Return what the design would have shown, had every trial without an outcome passed."""
        design = self._new_design()
        for trial, record in zip(self._trials, self.records, strict=True):
            design.record(trial, succeeded=record.outcome != "failed")
        return design

    def replay(self, records: Sequence[TrialRecord]) -> None:
        """Take the trials of a log, in their order.

        Raises:
            DamagedStateError: They are not those that this search would make.
        """
        for record in records:
            trial = self.next_trial()
            is_next = trial is not None and trial.number == record.number
            if trial is None or not is_next or self._ids(trial) != record.included:
                raise DamagedStateError(
                    f"task {self.task_id}: trial {record.number} of the log is none of this pool, "
                    "seed and settings"
                )
            self._take(trial, record)

    def next_trial(self) -> Trial | None:
        """Choose the next trial, or None where the search has ended."""
        return None if self.design.stop_reason() else self.design.propose()

    def context(self, trial: Trial) -> str:
        """Write what the solver is shown."""
        seed = self.seed_of(trial)
        return render_context(self.pool, list(trial.included), seed=seed)

    def seed_of(self, trial: Trial) -> int:
        """Return the seed of a trial: another one for every trial, the same at every try."""
        return self.seed * 1_000_003 + trial.number

    def record(
        self,
        trial: Trial,
        outcome: Outcome,
        reason: str = "",
        *,
        total_tokens: int = 0,
        usd: float = 0.0,
    ) -> TrialRecord:
        """Take the outcome of a trial, and return what the log keeps of it."""
        pairs = zip(self.pool, trial.inclusion, strict=True)
        inclusion = {document.document_id: float(probability) for document, probability in pairs}
        record = TrialRecord(
            task_id=self.task_id,
            number=trial.number,
            included=self._ids(trial),
            inclusion=inclusion,
            outcome=outcome,
            reason=reason,
            total_tokens=total_tokens,
            usd=usd,
        )
        self._take(trial, record)
        return record

    def _take(self, trial: Trial, record: TrialRecord) -> None:
        # A solver that gave no answer counts as failed here; what the verdicts would be had all
        # such trials passed is told beside them.
        self.design.record(trial, succeeded=record.outcome == "passed")
        self.records.append(record)
        self._trials.append(trial)

    def _ids(self, trial: Trial) -> tuple[str, ...]:
        pairs = zip(self.pool, trial.included, strict=True)
        shown_ids = [document.document_id for document, is_shown in pairs if is_shown]
        return tuple(sorted(shown_ids))


def records_by_task(records: Sequence[TrialRecord]) -> Mapping[str, list[TrialRecord]]:
    """Sort the trials of a log by task, each task's in their order."""
    by_task: dict[str, list[TrialRecord]] = {}
    for record in records:
        by_task.setdefault(record.task_id, []).append(record)
    return by_task
