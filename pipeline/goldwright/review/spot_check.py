"""What the sample says about a batch: counts, ceilings, bounds, agreement, and what is missing."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from goldwright.errors import InputError
from goldwright.plan import Plan
from goldwright.records import HumanVerdict, ReviewPass, SampleEvent
from goldwright.review.caught_by_reviewers import CaughtCanaries, count_caught_canaries
from goldwright.review.ceilings import Ceiling, check_ceilings
from goldwright.review.disagreement_counts import VerdictDifference, differences_of
from goldwright.review.disagreement_subjects import (
    ConfusionRow,
    Disagreement,
    confusion_of,
    disagreements_of,
)
from goldwright.review.error_bounds import Bounds, bound_errors
from goldwright.review.findings import failure_modes, findings_by_record
from goldwright.review.missing_reviews import disputed_ids, missing_reviews
from goldwright.review.pace import Pace, own_adjudications, review_paces
from goldwright.review.passes import REVIEW_PASSES
from goldwright.review.provability import (
    can_prove_anything,
    further_records,
    records_for_proof,
)
from goldwright.review.remaining_work import WorkLeft, work_left
from goldwright.review.review_state import VERDICTS, ReviewState
from goldwright.review.settlement import Settlement, Settlements
from goldwright.review.training import TrainingResult, training_results
from goldwright.review.unproven import reasons_of_doubt
from goldwright.stages.fates import RecordFate, record_fates
from goldwright.stats.rater_agreement import RaterAgreement, compare_raters

Outcome = Literal["no_sample", "incomplete", "at_risk", "breached", "unproven", "holds"]


@dataclass(frozen=True, slots=True)
class SpotCheck:
    """How the review of a run stands. ``spot-check --json`` prints these fields under their names.

    Attributes:
        outcome: ``breached`` as soon as a ceiling is by verdicts that nobody can overturn any more,
            even while others are missing; ``at_risk`` where one is passed by verdicts that a second
            reviewer, or whoever settles a difference, may not share.
        round: The number of this look at the batch, from 1.
        population: The records that the sample was drawn from.
        sampled: The records of the sample.
        to_judge: How many records each independent pass has to judge, the canaries among them.
        judged: How many verdicts each pass has given on these.
        disputed: The ids of records on which two reviewers differ.
        counts: The settled verdicts on the sample, and where one reviewer has not judged yet, the
            other's. A record that a person took out before it was settled counts as a major issue.
        ceilings: The limits on these counts.
        bounds: Bounds on the bad records of the batch; None until every verdict is there.
        agreement: How far two reviewers agree; None while no record has two verdicts.
        differences: Where the two differ, by their verdicts.
        canaries: How many canaries were caught; None while none was judged.
        reviewers: The names of those who judged or decided in each pass.
        further: How many further records could make an unproven sample prove something; None where
            none could, and for any other sample.
        needed: About how many records a batch would have to hold for a review to prove anything,
            where nobody has drawn a sample of it and it holds too few; else 0, and None where no
            number would do.
        missing: What is missing before the batch can be blessed, for people.
        unproven: Why the finished sample proves nothing of the batch, for people.
        findings: What is at fault with each record that somebody called less than correct.
        paces: How long everybody's verdicts took.
        own_adjudications: The records on which somebody settled a difference that they were one
            side of.
        scripted: How many events came through a pipe, and not from a person.
        late_changes: How many blind verdicts were changed once the results had been shown.
        trainings: How everybody's training rounds went; they are no part of any count above.
        confusion: How often the second reviewer gave each verdict where the first gave each.
        disagreements: The records on which the two differ, in verdict or in text.
        work_left: What is left of each pass, settling differences included, and for how long.
    """

    outcome: Outcome
    round: int
    population: int
    sampled: int
    to_judge: int
    judged: Mapping[ReviewPass, int]
    disputed: tuple[str, ...]
    counts: Mapping[HumanVerdict, int]
    ceilings: tuple[Ceiling, ...]
    bounds: Bounds | None
    agreement: RaterAgreement | None
    differences: tuple[VerdictDifference, ...]
    canaries: CaughtCanaries | None
    reviewers: Mapping[ReviewPass, tuple[str, ...]]
    missing: tuple[str, ...]
    unproven: tuple[str, ...]
    findings: Mapping[str, tuple[str, ...]]
    paces: tuple[Pace, ...]
    own_adjudications: tuple[str, ...]
    scripted: int
    late_changes: int = 0
    trainings: tuple[TrainingResult, ...] = ()
    confusion: tuple[ConfusionRow, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()
    work_left: tuple[WorkLeft, ...] = ()
    further: int | None = None
    needed: int | None = 0

    @property
    def failure_modes(self) -> tuple[str, ...]:
        """All findings, each once, for the agents of a next round."""
        return failure_modes(self.findings)

    @property
    def breaches(self) -> tuple[Ceiling, ...]:
        """The ceilings that the sample does not keep."""
        return tuple(ceiling for ceiling in self.ceilings if not ceiling.holds)


def spot_check(
    plan: Plan,
    review_state: ReviewState,
    fates: tuple[RecordFate, ...],
    *,
    seed: int,
    people: Mapping[ReviewPass, str] | None = None,
) -> SpotCheck:
    """Sum up the review of a batch.

    Args:
        plan: The plan of the run.
        review_state: The records and the review events about them.
        fates: The fates of all records by the events so far.
        seed: The seed of the run, for the interval of the agreement.
        people: Who works on which pass, for how long the rest takes; else who judged in it last.
    """
    settlements = _settlements(review_state)
    verdict_pairs = _verdict_pairs(settlements)
    verdicts = _verdicts(review_state, settlements)
    sampled = len(settlements)
    ceilings = check_ceilings(plan, review_state.stage_files, verdicts, sampled=sampled)
    final_verdicts = _final_verdicts(review_state, settlements, verdicts)
    final_ceilings = check_ceilings(plan, review_state.stage_files, final_verdicts, sampled=sampled)
    missing = tuple(missing_reviews(plan, review_state, settlements, fates))
    canaries = count_caught_canaries(review_state)
    bounds = None
    # The bounds presuppose a sample that is judged completely.
    if sampled and len(verdicts) == sampled:
        bounds = _bounds(review_state, verdicts, canaries)
    sample = review_state.events.sample
    population = len(sample.population) if sample else 0
    # What a sample proves is judged once everybody has said what they had to say.
    # A batch without records, or of which each was decided by itself, is no sample of anything.
    is_whole = 0 < population == sampled
    doubts = reasons_of_doubt(canaries, bounds, population, is_whole=is_whole)
    unproven = () if missing else tuple(doubts)
    # Whoever is to review a sample that can prove nothing would work in vain.
    is_in_vain = sample is None or (missing != () and not can_prove_anything(review_state))
    return SpotCheck(
        outcome=_outcome(settlements, (ceilings, final_ceilings), missing, unproven),
        round=sample.round if sample else 1,
        population=population,
        sampled=sampled,
        to_judge=sampled + len(review_state.events.canaries),
        judged=_judged(review_state),
        disputed=tuple(disputed_ids(settlements)),
        counts=_count_verdicts(verdicts),
        ceilings=ceilings,
        bounds=bounds,
        agreement=_agreement(verdict_pairs, seed),
        differences=differences_of(verdict_pairs),
        canaries=canaries,
        reviewers=_reviewers(review_state),
        missing=missing,
        unproven=unproven,
        findings=findings_by_record(review_state),
        paces=review_paces(review_state.events),
        own_adjudications=own_adjudications(review_state.events),
        scripted=review_state.events.scripted,
        late_changes=review_state.events.late_changes,
        trainings=training_results(review_state.events.trainings),
        confusion=confusion_of(tuple(verdict_pairs.values())),
        disagreements=disagreements_of(review_state, settlements),
        work_left=work_left(review_state, settlements, people),
        further=further_records(plan, review_state, verdicts, canaries) if unproven else None,
        needed=_needed(plan, review_state, fates) if is_in_vain else 0,
    )


def _needed(plan: Plan, review_state: ReviewState, fates: tuple[RecordFate, ...]) -> int | None:
    reinstated_ids = review_state.rulings.reinstated
    pending = [record for record in fates if record.fate == "pending"]
    new_records = [record for record in pending if record.query_id not in reinstated_ids]
    population = [(record.query_id, record.cell) for record in new_records]
    # Records that came back are decided one by one.
    if plan.is_return or not population:
        return 0
    return records_for_proof(plan, population)


def sample_to_add_to(plan: Plan, review_state: ReviewState, *, seed: int) -> SampleEvent:
    """Give the sample that more records may be added to: one that is judged and proves nothing.

    Args:
        plan: The plan of the run.
        review_state: The records and the review events about them.
        seed: The seed of the run.

    Raises:
        InputError: No sample is drawn, verdicts on it are missing, or it does prove something.
    """
    sample = review_state.events.sample
    if sample is None:
        raise InputError("--more: no sample is drawn yet; begin without it")
    fates = record_fates(plan, review_state.stage_files, review_state.rulings)
    check = spot_check(plan, review_state, fates, seed=seed)
    if check.outcome in ("incomplete", "at_risk"):
        raise InputError(f"--more: the sample is not judged yet: {'; '.join(check.missing)}")
    if check.outcome == "breached":
        raise InputError("--more: the sample breaches a ceiling, and no further record mends that")
    if check.outcome != "unproven":
        raise InputError("--more: nothing is left to prove: the batch is blessed")
    return sample


def _bounds(
    review_state: ReviewState,
    verdicts: Mapping[str, HumanVerdict],
    canaries: CaughtCanaries | None,
) -> Bounds | None:
    sample = review_state.events.sample
    if sample is None:
        return None
    return bound_errors(review_state.stage_files, sample, verdicts, canaries)


def _settlements(review_state: ReviewState) -> Settlements:
    settlements: dict[str, Settlement | None] = {}
    for query_id in review_state.events.sampled:
        settlements[query_id] = review_state.settlement(query_id, twice=True)
    return settlements


def _verdicts(review_state: ReviewState, settlements: Settlements) -> dict[str, HumanVerdict]:
    """The verdict that counts for each record of the sample, where there is one."""
    rejected = review_state.stage_files.rejected.done
    dropped = review_state.rulings.dropped
    verdicts: dict[str, HumanVerdict] = {}
    for query_id, settlement in settlements.items():
        is_taken_out = query_id in rejected or query_id in dropped
        verdict = _verdict_that_counts(settlement, is_taken_out=is_taken_out)
        if verdict is not None:
            verdicts[query_id] = verdict
    return verdicts


def _final_verdicts(
    review_state: ReviewState, settlements: Settlements, verdicts: Mapping[str, HumanVerdict]
) -> dict[str, HumanVerdict]:
    """Pick the verdicts that stay as they are: settled ones, and those on what was taken out."""
    taken_out = {*review_state.stage_files.rejected.done, *review_state.rulings.dropped}
    final: dict[str, HumanVerdict] = {}
    for query_id, verdict in verdicts.items():
        settlement = settlements[query_id]
        is_settled = settlement is not None and settlement.stage == "settled"
        if is_settled or query_id in taken_out:
            final[query_id] = verdict
    return final


def _count_verdicts(verdicts: Mapping[str, HumanVerdict]) -> dict[HumanVerdict, int]:
    """Count each kind of verdict, the best first; a kind that nobody gave counts 0."""
    counts: dict[HumanVerdict, int] = dict.fromkeys(VERDICTS, 0)
    for verdict in verdicts.values():
        counts[verdict] += 1
    return counts


def _verdict_that_counts(
    settlement: Settlement | None, *, is_taken_out: bool
) -> HumanVerdict | None:
    if settlement is not None and settlement.stage == "settled":
        return settlement.verdict
    verdict = None
    if settlement is not None:
        verdict = settlement.verdict
    # A record that is taken out counts as bad: otherwise taking records out of a sample would make
    # it look better.
    if is_taken_out and verdict != "wrong":
        return "major_issue"
    return verdict


def _outcome(
    settlements: Settlements,
    ceilings: tuple[Sequence[Ceiling], Sequence[Ceiling]],
    missing: tuple[str, ...],
    unproven: tuple[str, ...],
) -> Outcome:
    if missing and not settlements:
        return "no_sample"
    # A breach is reported at once, though verdicts may be missing, but not before it is one.
    so_far, final = ceilings
    if not all(ceiling.holds for ceiling in final):
        return "breached"
    if not all(ceiling.holds for ceiling in so_far):
        return "at_risk"
    if missing:
        return "incomplete"
    return "unproven" if unproven else "holds"


def _judged(review_state: ReviewState) -> dict[ReviewPass, int]:
    events = review_state.events
    to_judge = (*events.sampled, *events.canaries)
    judged: dict[ReviewPass, int] = {}
    for review_pass in REVIEW_PASSES:
        verdicts = [review_state.verdict(query_id, review_pass) for query_id in to_judge]
        judged[review_pass] = len(verdicts) - verdicts.count(None)
    return judged


def _reviewers(review_state: ReviewState) -> dict[ReviewPass, tuple[str, ...]]:
    events = review_state.events
    names = defaultdict[ReviewPass, set[str]](set)
    for verdict in events.verdicts.values():
        names[verdict.sitting].add(verdict.reviewer)
    for decision in events.decisions.values():
        names[decision.sitting].add(decision.reviewer)
    reviewers: dict[ReviewPass, tuple[str, ...]] = {}
    # Sorted, because sets of texts come in another order in every process.
    for review_pass in REVIEW_PASSES:
        sorted_names = sorted(names[review_pass])
        reviewers[review_pass] = tuple(sorted_names)
    return reviewers


def _verdict_pairs(settlements: Settlements) -> dict[str, tuple[HumanVerdict, HumanVerdict]]:
    """The two independent verdicts on each record that has both."""
    pairs: dict[str, tuple[HumanVerdict, HumanVerdict]] = {}
    for query_id, settlement in settlements.items():
        if settlement is None or settlement.first is None or settlement.second is None:
            continue
        pairs[query_id] = (settlement.first.verdict, settlement.second.verdict)
    return pairs


def _agreement(
    verdict_pairs: Mapping[str, tuple[HumanVerdict, HumanVerdict]], seed: int
) -> RaterAgreement | None:
    if not verdict_pairs:
        return None
    return compare_raters(tuple(verdict_pairs.values()), VERDICTS, seed=seed)
