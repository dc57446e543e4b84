"""What the trials of a task add up to."""

from collections.abc import Iterable, Iterator, Sequence
from math import sqrt

from pydantic import Field

from goldwright.records import Record
from goldwright.relevance.control_findings import (
    ArmRate,
    ControlEffects,
    arm_rates,
    control_effects,
)
from goldwright.relevance.control_trials import ControlRecord
from goldwright.relevance.relevance_verdict import Relevance
from goldwright.relevance.task_search import Outcome, TaskSearch, TrialRecord
from goldwright.relevance.tasks import RelevanceTask
from goldwright.stats.binomial import clopper_pearson

_NORMAL_QUANTILE = 1.959964


class DocumentEffect(Record):
    """What is known of one document of a pool.

    Attributes:
        document_id: The document.
        text: What a solver was shown.
        origin: Where it came from: "seeded", "retrieved" or "random".
        relevance: "relevant", "irrelevant" or "undecided".
        log_e_value: The natural logarithm of the evidence that it raises success.
        probability: That it matters, under the hypotheses of the design; in [0, 1].
        average_effect: P(success | in) - P(success | out), the others at even odds, expected under
            these hypotheses.
        observed_effect: The same difference as the trials show it, each weighted by the inverse of
            the probability with which the document was in or out; None where it was never one of
            both. Trials without a verdict count as not passed.
        effect_bounds: The least and the greatest that this difference could be, were trials without
            a verdict passed or not as suits.
        relevance_had_passed: The verdict, had every trial without a verdict passed.
        controls: What trials after the search show; None for a document that is not relevant.
        interval: About `observed_effect`, 95 %, by the normal approximation.
        trials_in: Trials with it.
        trials_out: Trials without it.
    """

    document_id: str
    text: str
    origin: str
    relevance: Relevance
    log_e_value: float
    probability: float = Field(ge=0, le=1)
    average_effect: float
    observed_effect: float | None
    effect_bounds: tuple[float, float] | None
    relevance_had_passed: Relevance
    controls: ControlEffects | None = None
    interval: tuple[float, float] | None
    trials_in: int
    trials_out: int


class TaskFinding(Record):
    """What is known of one task.

    Attributes:
        task_id: The task.
        query: What a solver was asked.
        asked_of: The id of the document of which the query is a sentence; None where it is not.
        documents: The documents of its pool.
        combination: How those that matter act together, by the most probable account.
        combination_probability: How probable that account is, in [0, 1].
        sufficient_sets: The smallest sets that reach the full effect, alternatives of one another.
        stop_reason: Why no further trial was made.
        trials: How many were made.
        not_validated: Trials in which solver or tests failed; they count as not passed.
        base_success_rate: The share of trials without any document that passed, of the search and
            after it; None without one.
        base_interval: About that share, 95 %, exact.
        success_rate: The share of the search's trials that passed.
        success_bounds: That share, were trials without a verdict not passed, and were they passed.
        arms: The trials after the search, by what they showed.
    """

    task_id: str
    query: str
    asked_of: str | None = None
    documents: tuple[DocumentEffect, ...]
    combination: str
    combination_probability: float = Field(ge=0, le=1)
    sufficient_sets: tuple[tuple[str, ...], ...]
    stop_reason: str
    trials: int
    not_validated: int
    base_success_rate: float | None
    base_interval: tuple[float, float] | None
    success_rate: float
    success_bounds: tuple[float, float]
    arms: tuple[ArmRate, ...] = ()

    @property
    def control_trials(self) -> int:
        """How many trials were made after the search."""
        return sum(arm.trials + arm.not_validated for arm in self.arms)


def sum_up(
    search: TaskSearch, task: RelevanceTask, controls: Sequence[ControlRecord] = ()
) -> TaskFinding:
    """Sum a finished search up, with the trials that came after it."""
    records = search.records
    outcomes = [record.outcome for record in records if not record.included]
    outcomes += [record.outcome for record in controls if not record.included]
    empty = [outcome == "passed" for outcome in outcomes if outcome != "none"]
    base_success_rate = base_interval = None
    if empty:
        base_success_rate = sum(empty) / len(empty)
        base_interval = clopper_pearson(sum(empty), len(empty))
    success_rate = _share_passed(records)
    not_validated = sum(record.outcome == "none" for record in records)
    trials = len(records)
    highest_rate = success_rate + not_validated / max(1, trials)
    joint = search.design.joint_finding()
    reason = search.design.stop_reason()
    return TaskFinding(
        task_id=search.task_id,
        query=task.query,
        asked_of=task.asked_of,
        documents=tuple(_effects(search, controls)),
        combination=joint.combination,
        combination_probability=min(1.0, joint.weight),
        sufficient_sets=tuple(_ids_of_sets(search, joint.sufficient_sets)),
        stop_reason=reason.value if reason else "not finished",
        trials=trials,
        not_validated=not_validated,
        base_success_rate=base_success_rate,
        base_interval=base_interval,
        success_rate=success_rate,
        success_bounds=(success_rate, highest_rate),
        arms=tuple(arm_rates(controls)),
    )


def _ids_of_sets(search: TaskSearch, sets: Iterable[Iterable[int]]) -> Iterator[tuple[str, ...]]:
    ids = [document.document_id for document in search.pool]
    for numbers in sets:
        yield tuple(sorted(ids[number] for number in numbers))


def _share_passed(records: Sequence[TrialRecord]) -> float:
    passed = sum(record.outcome == "passed" for record in records)
    return passed / max(1, len(records))


def _effects(search: TaskSearch, controls: Sequence[ControlRecord]) -> Sequence[DocumentEffect]:
    findings = search.design.findings()
    had_passed = search.design_had_all_passed().findings()
    records = search.records
    relevant = relevant_ids(search)
    effects = []
    for document, finding, if_passed in zip(search.pool, findings, had_passed, strict=True):
        document_id = document.document_id
        observed, interval = observed_effect(records, document_id)
        trials_in = sum(document_id in record.included for record in records)
        effects_of_arms = None
        if document_id in relevant:
            effects_of_arms = control_effects(controls, relevant, document_id)
        effect = DocumentEffect(
            document_id=document_id,
            text=document.text,
            origin=document.origin,
            relevance=finding.relevance,
            log_e_value=finding.log_e_value,
            probability=min(1.0, max(0.0, finding.weight)),
            average_effect=finding.average_effect,
            observed_effect=observed,
            effect_bounds=effect_bounds(records, document_id),
            relevance_had_passed=if_passed.relevance,
            controls=effects_of_arms,
            interval=interval,
            trials_in=trials_in,
            trials_out=len(records) - trials_in,
        )
        effects.append(effect)
    return effects


def relevant_ids(search: TaskSearch) -> tuple[str, ...]:
    """Return the ids of the documents that are called relevant now, sorted."""
    pairs = zip(search.pool, search.design.selected(), strict=True)
    called_ids = [document.document_id for document, is_called in pairs if is_called]
    return tuple(sorted(called_ids))


def effect_bounds(records: Sequence[TrialRecord], document_id: str) -> tuple[float, float] | None:
    """Return the least and the greatest observed effect, whatever missing verdicts were.

    Trials without a verdict count as passed where the document was in and as not passed where it
    was out, or the other way round. None where the document was never in, or never out.
    """
    bounds = []
    for passes_where_in in (False, True):
        settled = []
        for record in records:
            if record.outcome == "none":
                is_in = document_id in record.included
                settled.append(_settled(record, is_passed=is_in == passes_where_in))
            else:
                settled.append(record)
        difference, _ = observed_effect(settled, document_id)
        if difference is None:
            return None
        bounds.append(difference)
    return bounds[0], bounds[1]


def _settled(record: TrialRecord, *, is_passed: bool) -> TrialRecord:
    return record.model_copy(update={"outcome": OUTCOMES[is_passed]})


def observed_effect(
    records: Sequence[TrialRecord], document_id: str
) -> tuple[float | None, tuple[float, float] | None]:
    """Estimate a document's effect from trials whose inclusion probabilities are known.

    Each trial counts with the inverse of the probability with which the document was where it was,
    which undoes that trials were chosen by what earlier ones showed. Trials in which the document
    could only be in, or only out, say nothing of it and are left out.

    Source: J. Hájek, comment in V. Godambe and D. Sprott, "Foundations of Statistical Inference"
    (1971).

    Returns:
        The difference of the weighted success rates, and an interval about it; None where the
        document was never in, or never out.
    """
    sides: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
    for record in records:
        probability = record.inclusion[document_id]
        if 0 < probability < 1:
            is_in = document_id in record.included
            weight = 1 / (probability if is_in else 1 - probability)
            success = float(record.outcome == "passed")
            sides[is_in].append((weight, success))
    if not sides[True] or not sides[False]:
        return None, None
    rates = {side: _weighted_mean(pairs) for side, pairs in sides.items()}
    variance = sum(_variance(pairs, rates[side]) for side, pairs in sides.items())
    difference = rates[True] - rates[False]
    half_width = _NORMAL_QUANTILE * sqrt(variance)
    low = max(-1.0, difference - half_width)
    high = min(1.0, difference + half_width)
    return difference, (low, high)


def _weighted_mean(pairs: Sequence[tuple[float, float]]) -> float:
    total = sum(weight for weight, _ in pairs)
    weighted_sum = sum(weight * outcome for weight, outcome in pairs)
    return weighted_sum / total


def _variance(pairs: Sequence[tuple[float, float]], mean: float) -> float:
    total = sum(weight for weight, _ in pairs)
    # One success more and one failure more: no interval of width 0 about a rate of 0 or 1.
    smoothed = (mean * total + 1) / (total + 2)
    sum_of_squares = sum(weight**2 for weight, _ in pairs)
    spread = sum_of_squares / total**2
    return smoothed * (1 - smoothed) * spread


OUTCOMES: dict[bool, Outcome] = {True: "passed", False: "failed"}
