"""What the trials after a search show of each relevant document."""

from collections.abc import Iterator, Sequence

from pydantic import Field

from goldwright.records import Record
from goldwright.relevance.control_trials import (
    Alteration,
    ControlArm,
    ControlRecord,
    without,
)
from goldwright.stats.binomial import clopper_pearson


class ArmRate(Record):
    """The trials that showed the same documents.

    Attributes:
        included: The ids of the documents that were shown, sorted.
        altered: The one of them that was shown with another text; empty for none.
        alteration: In which way: "placebo" or "mutated".
        trials: Trials with a verdict.
        passed: Those that passed.
        not_validated: Trials in which solver or tests failed.
        interval: About the share that passed, 95 %, exact; None without a trial.
    """

    included: tuple[str, ...]
    altered: str = ""
    alteration: Alteration = ""
    trials: int = Field(ge=0)
    passed: int = Field(ge=0)
    not_validated: int = Field(ge=0)
    interval: tuple[float, float] | None

    @property
    def rate(self) -> float | None:
        """The share of trials with a verdict that passed; None without any."""
        return self.passed / self.trials if self.trials else None


class ControlEffects(Record):
    """What one relevant document is worth, as differences of success rates in [-1, 1].

    Attributes:
        sufficiency: Success with this document alone, less success without any.
        necessity: Success with all relevant documents, less success with all but this one.
        over_placebo: Success with all relevant documents, less success where an equally long piece
            of unrelated documents stands in the place of this one.
        over_mutated: The same, where what this document returns and compares is changed.
    """

    sufficiency: float | None
    necessity: float | None
    over_placebo: float | None
    over_mutated: float | None


def arm_rates(records: Sequence[ControlRecord]) -> Iterator[ArmRate]:
    """Sum trials up by what they showed, in the order of their first ones."""
    by_arm: dict[ControlArm, list[ControlRecord]] = {}
    for record in records:
        by_arm.setdefault(record.arm, []).append(record)
    for arm, arm_records in by_arm.items():
        passed = sum(record.outcome == "passed" for record in arm_records)
        not_validated = sum(record.outcome == "none" for record in arm_records)
        trials = len(arm_records) - not_validated
        interval = clopper_pearson(passed, trials) if trials else None
        yield ArmRate(
            included=arm.included,
            altered=arm.altered,
            alteration=arm.alteration,
            trials=trials,
            passed=passed,
            not_validated=not_validated,
            interval=interval,
        )


def control_effects(
    records: Sequence[ControlRecord], relevant: Sequence[str], document_id: str
) -> ControlEffects | None:
    """Compare the arms of one relevant document; None where no trial was made after the search."""
    if not records:
        return None
    rates: dict[ControlArm, float | None] = {}
    for arm_rate in arm_rates(records):
        arm = ControlArm(arm_rate.included, arm_rate.altered, arm_rate.alteration)
        rates[arm] = arm_rate.rate
    relevant_documents = tuple(sorted(relevant))

    def difference(arm: ControlArm, compared: ControlArm) -> float | None:
        rate = rates.get(arm)
        compared_rate = rates.get(compared)
        if rate is None or compared_rate is None:
            return None
        return rate - compared_rate

    document_alone = ControlArm((document_id,))
    no_document = ControlArm(())
    all_relevant = ControlArm(relevant_documents)
    others_alone = ControlArm(without(relevant_documents, document_id))
    with_placebo = ControlArm(relevant_documents, document_id, "placebo")
    with_mutated = ControlArm(relevant_documents, document_id, "mutated")
    sufficiency = difference(document_alone, no_document)
    necessity = difference(all_relevant, others_alone)
    over_placebo = difference(all_relevant, with_placebo)
    over_mutated = difference(all_relevant, with_mutated)
    return ControlEffects(
        sufficiency=sufficiency,
        necessity=necessity,
        over_placebo=over_placebo,
        over_mutated=over_mutated,
    )
