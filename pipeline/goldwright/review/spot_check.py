"""What the sample says about the batch: counts, ceilings, exact bounds, agreement, and what is
still missing.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

from goldwright.plan import Cell, Plan
from goldwright.records import HumanVerdict, ReviewPass, VerdictEvent, claims_of
from goldwright.review.review_state import OUT, ReviewState, Settlement
from goldwright.stages.fates import RecordFate
from goldwright.stats.binomial import clopper_pearson
from goldwright.stats.hypergeometric import SampledStratum, smallest_sample, upper_bound
from goldwright.stats.rater_agreement import RaterAgreement, compare_raters
from goldwright.stats.stratified_bound import stratified_upper_bound
from goldwright.text import shorten

VERDICTS: Final[tuple[HumanVerdict, ...]] = get_args(HumanVerdict)
ALPHA: Final = 0.05
LONGEST_TEXT: Final = 120

Outcome = Literal["no_sample", "incomplete", "breached", "holds"]


@dataclass(frozen=True, slots=True)
class Ceiling:
    """One limit on what the sample may hold: ``most`` is the largest number that still keeps it."""

    name: str
    found: int
    most: int

    @property
    def holds(self) -> bool:
        """Tell whether the sample keeps it."""
        return self.found <= self.most


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many records of the batch may be major or wrong, at ``confidence`` (0..1), given what was
    found.

    ``simple`` takes the sample for one drawn at random from the whole batch (hypergeometric);
    ``stratified`` is exact for the way it was drawn, one cell at a time, and is missing where not
    every cell was sampled. ``corrected`` is the larger of both when reviewers catch only as many as
    the canaries say. ``five_percent_takes`` is how many clean records it takes to show that fewer
    than 5 % are bad.
    """

    confidence: float
    simple: int
    stratified: int | None
    corrected: int | None
    five_percent_takes: int | None


@dataclass(frozen=True, slots=True)
class CaughtCanaries:
    """How many falsified answers reviewers did not call correct, and how many they would have kept
    out.

    ``interval`` is the exact 95 % interval of the share kept out.
    """

    planted: int
    noticed: int
    kept_out: int
    interval: tuple[float, float]


@dataclass(frozen=True, slots=True)
class SpotCheck:
    """People's part of a run, as far as it is.

    ``counts`` are settled verdicts on the sample, and where only one reviewer has spoken, theirs; a
    sampled record that a person took out before both had settled on it counts as a major issue.
    """

    outcome: Outcome
    round: int
    population: int
    sampled: int
    judged: Mapping[ReviewPass, int]
    disputed: tuple[str, ...]
    counts: Mapping[HumanVerdict, int]
    ceilings: tuple[Ceiling, ...]
    bounds: Bounds | None
    agreement: RaterAgreement | None
    canaries: CaughtCanaries | None
    reviewers: Mapping[ReviewPass, tuple[str, ...]]
    missing: tuple[str, ...]
    findings: Mapping[str, tuple[str, ...]]

    @property
    def failure_modes(self) -> tuple[str, ...]:
        """What people found at fault, each thing once, for the agents' next round."""
        return tuple(dict.fromkeys(one for modes in self.findings.values() for one in modes))

    @property
    def breaches(self) -> tuple[Ceiling, ...]:
        """The ceilings that the sample does not keep."""
        return tuple(one for one in self.ceilings if not one.holds)


def largest_allowed(ceiling: float, sampled: int) -> int:
    """Give the largest count whose share of the sample stays below a ceiling."""
    return max(math.ceil(ceiling * sampled - 1e-9) - 1, 0)


def spot_check(
    plan: Plan, review_state: ReviewState, standings: tuple[RecordFate, ...], *, seed: int
) -> SpotCheck:
    """Sum up people's words on the sample and on the records that each want a look."""
    events = review_state.events
    found = {query_id: _settlement(review_state, query_id) for query_id in events.sampled}
    verdicts = {
        query_id: verdict
        for query_id in found
        if (verdict := _counted(review_state, query_id, found[query_id]))
    }
    counts = {verdict: sum(given == verdict for given in verdicts.values()) for verdict in VERDICTS}
    ceilings = tuple(_ceilings(plan, review_state, verdicts, len(found)))
    disputed = tuple(
        query_id for query_id, case in found.items() if case and case.stage == "disputed"
    )
    missing = tuple(_missing(plan, review_state, found, disputed, standings))
    canaries = _canaries(review_state)
    return SpotCheck(
        outcome=_outcome(found, ceilings, missing),
        round=events.sample.round if events.sample else 1,
        population=len(events.sample.population) if events.sample else 0,
        sampled=len(found),
        judged={sitting: len(_given(review_state, sitting)) for sitting in get_args(ReviewPass)},
        disputed=disputed,
        counts=counts,
        ceilings=ceilings,
        bounds=_bounds(review_state, verdicts, canaries)
        if found and len(verdicts) == len(found)
        else None,
        agreement=_agreement(found, seed),
        canaries=canaries,
        reviewers={sitting: _names(review_state, sitting) for sitting in get_args(ReviewPass)},
        missing=missing,
        findings=_findings(review_state),
    )


def unlooked(review_state: ReviewState, standings: tuple[RecordFate, ...]) -> dict[str, str]:
    """The selected records outside the sample that each want one reviewer's look, with the reason.

    Records that an Oracle was unsure of, and those that came in after the sample was drawn.
    """
    sample = review_state.events.sample
    known = {one.query_id for one in sample.population} if sample else None
    wanted: dict[str, str] = {}
    for one in standings:
        if one.fate not in {"pending", "blessed"} or one.query_id in review_state.events.sampled:
            continue
        if one.query_id in review_state.rulings.kept:
            continue
        if review_state.stage_files.answers.done[one.query_id].confidence == "low":
            wanted[one.query_id] = "the Oracle was not sure of its answer"
        elif known is not None and one.query_id not in known:
            wanted[one.query_id] = "it came in after the sample was drawn"
    return wanted


def _settlement(review_state: ReviewState, query_id: str) -> Settlement | None:
    return review_state.settlement(query_id, twice=True)


def _counted(
    review_state: ReviewState, query_id: str, case: Settlement | None
) -> HumanVerdict | None:
    if case is not None and case.stage == "settled":
        return case.verdict
    if (
        query_id in review_state.stage_files.rejected.done
        or query_id in review_state.rulings.dropped
    ):
        return "wrong" if case is not None and case.verdict == "wrong" else "major_issue"
    return case.verdict if case is not None and case.stage == "once" else None


def _ceilings(
    plan: Plan, review_state: ReviewState, verdicts: Mapping[str, HumanVerdict], sampled: int
) -> Iterator[Ceiling]:
    counts = Counter(verdicts.values())
    easy = [
        one
        for one, verdict in verdicts.items()
        if verdict == "wrong" and _is_easy(review_state, one)
    ]
    major = largest_allowed(plan.major_ceiling, sampled)
    minor = largest_allowed(plan.minor_ceiling, sampled)
    yield Ceiling(
        f"major or wrong, below {plan.major_ceiling:.0%}",
        counts["major_issue"] + counts["wrong"],
        major,
    )
    yield Ceiling(f"minor, below {plan.minor_ceiling:.0%}", counts["minor_issue"], minor)
    yield Ceiling("wrong on an easy query", len(easy), 0)


def _is_easy(review_state: ReviewState, query_id: str) -> bool:
    return review_state.stage_files.candidates.done[query_id].difficulty == "easy"


def _outcome(
    found: Mapping[str, Settlement | None], ceilings: tuple[Ceiling, ...], missing: tuple[str, ...]
) -> Outcome:
    if missing and not found:
        return "no_sample"
    if not all(one.holds for one in ceilings):
        return "breached"
    return "incomplete" if missing else "holds"


def _missing(
    plan: Plan,
    review_state: ReviewState,
    found: Mapping[str, Settlement | None],
    disputed: tuple[str, ...],
    standings: tuple[RecordFate, ...],
) -> Iterator[str]:
    if review_state.events.sample is None:
        yield "no sample was drawn yet, so there are no verdicts of a first reviewer or a second, independent one"
        return
    gone = [query_id for query_id, case in found.items() if case is None]
    if gone:
        yield f"{len(gone)} of the sample have no answer any more ({', '.join(gone[:3])})"
    asked = _asked(review_state, found)
    for sitting, who in (
        ("first", "a first reviewer"),
        ("second", "a second, independent reviewer"),
    ):
        left = sum(_verdict(review_state, one, sitting) is None for one in asked)
        if left:
            yield f"{left} of {len(asked)} verdicts of {who} on the sample"
    if not plan.is_return and all(one in review_state.stage_files.rejected.done for one in found):
        yield f"{'all of' if found else 'nothing in'} the sample was taken out, so two people have confirmed nothing"
    if disputed:
        yield f"{_records(len(disputed))} on which the reviewers differ ({', '.join(disputed[:3])})"
    left_over = [
        one
        for one in unlooked(review_state, standings)
        if review_state.verdict(one, "first") is None
    ]
    if left_over:
        yield f"{_records(len(left_over))} outside the sample to be looked at ({', '.join(left_over[:3])})"


def _records(count: int) -> str:
    return "1 record" if count == 1 else f"{count} records"


def _asked(review_state: ReviewState, found: Mapping[str, Settlement | None]) -> tuple[str, ...]:
    """The ids a reviewer of the sample is shown: those that a person took out meanwhile want no
    verdict.
    """
    still = (one for one in found if one not in review_state.stage_files.rejected.done)
    return (*still, *review_state.events.canaries)


def _given(review_state: ReviewState, sitting: ReviewPass) -> dict[str, VerdictEvent]:
    asked = (*review_state.events.sampled, *review_state.events.canaries)
    return {
        one: verdict for one in asked if (verdict := review_state.verdict(one, sitting)) is not None
    }


def _names(review_state: ReviewState, sitting: ReviewPass) -> tuple[str, ...]:
    events = review_state.events
    given = {event.reviewer for (_, held), event in events.verdicts.items() if held == sitting}
    decided = {event.reviewer for event in events.decisions.values() if sitting == event.sitting}
    return tuple(sorted(given | decided))


def _agreement(found: Mapping[str, Settlement | None], seed: int) -> RaterAgreement | None:
    pairs = [
        (case.first.verdict, case.second.verdict)
        for case in found.values()
        if case and case.first and case.second
    ]
    return compare_raters(pairs, VERDICTS, seed=seed) if pairs else None


def _canaries(review_state: ReviewState) -> CaughtCanaries | None:
    verdicts = {
        one: [
            given.verdict
            for sitting in ("first", "second")
            if (given := _verdict(review_state, one, sitting))
        ]
        for one in review_state.events.canaries
    }
    judged = {one: given for one, given in verdicts.items() if given}
    if not judged:
        return None
    noticed = sum(any(verdict != "correct" for verdict in given) for given in judged.values())
    kept_out = sum(any(verdict in OUT for verdict in given) for given in judged.values())
    return CaughtCanaries(len(judged), noticed, kept_out, clopper_pearson(kept_out, len(judged)))


def _verdict(review_state: ReviewState, query_id: str, sitting: str) -> VerdictEvent | None:
    return review_state.verdict(query_id, "first" if sitting == "first" else "second")


def _bounds(
    review_state: ReviewState, verdicts: Mapping[str, HumanVerdict], canaries: CaughtCanaries | None
) -> Bounds:
    sample = review_state.events.sample
    if sample is None:
        raise ValueError("bounds want a sample")
    population = len(sample.population)
    bad = sum(verdict in OUT for verdict in verdicts.values())
    # Looking again until it passes would be no test: each further round spends half of what the one
    # before did.
    alpha = ALPHA / 2 ** (sample.round - 1)
    strata = _strata(review_state, verdicts)
    whole = all(one.sampled for one in strata)
    return Bounds(
        confidence=1 - alpha,
        simple=upper_bound(bad, len(verdicts), population, alpha=alpha),
        stratified=stratified_upper_bound(strata, alpha=alpha) if whole else None,
        corrected=_corrected(bad, len(verdicts), population, strata, alpha, canaries),
        five_percent_takes=smallest_sample(
            population, largest_allowed(ALPHA, population), alpha=alpha
        ),
    )


def _corrected(
    bad: int,
    sampled: int,
    population: int,
    strata: tuple[SampledStratum, ...],
    alpha: float,
    canaries: CaughtCanaries | None,
) -> int | None:
    if canaries is None:
        return None
    # Half of the risk goes to the catch rate being lower than its bound, half to the batch.
    tail = 1 - alpha
    rate = clopper_pearson(canaries.kept_out, canaries.planted, confidence=tail)[0]
    if rate <= 0:
        return population
    simple = upper_bound(bad, sampled, population, alpha=alpha / 2, sensitivity=rate)
    if not all(one.sampled for one in strata):
        return simple
    return max(simple, stratified_upper_bound(strata, alpha=alpha / 2, sensitivity=rate))


def _strata(
    review_state: ReviewState, verdicts: Mapping[str, HumanVerdict]
) -> tuple[SampledStratum, ...]:
    sample = review_state.events.sample
    sizes = (
        Counter(_cell(review_state, one.query_id) for one in sample.population)
        if sample
        else Counter()
    )
    seen = Counter(_cell(review_state, one) for one in verdicts)
    bad = Counter(_cell(review_state, one) for one, verdict in verdicts.items() if verdict in OUT)
    return tuple(
        SampledStratum(size=size, sampled=seen[cell], bad=bad[cell])
        for cell, size in sorted(sizes.items())
    )


def _cell(review_state: ReviewState, query_id: str) -> Cell:
    candidate = review_state.stage_files.candidates.done[query_id]
    return Cell(candidate.task_type, candidate.difficulty)


def _findings(review_state: ReviewState) -> dict[str, tuple[str, ...]]:
    """What people wrote and pointed at where they found a record less than correct, each thing once
    a record.
    """
    found: dict[str, dict[str, None]] = {}
    for (query_id, _), given in sorted(review_state.events.verdicts.items()):
        if given.verdict == "correct" or query_id in review_state.events.canaries:
            continue
        where = f"{_cell(review_state, query_id)}, {given.verdict.replace('_', ' ')}"
        parts = [part for part in (given.note, *_pointed_at(review_state, given)) if part]
        found.setdefault(query_id, {})[f"{where}: {'; '.join(parts)}" if parts else where] = None
    return {query_id: tuple(modes) for query_id, modes in found.items()}


def _pointed_at(review_state: ReviewState, given: VerdictEvent) -> Iterator[str]:
    original = review_state.original(given.query_id)
    texts = {one.claim_id: one.claim for one in claims_of(original.answer)} if original else {}
    names = {
        "fact": "the must-mention fact",
        "not-fact": "the must-not-mention fact",
        "entity": "the entity",
    }
    more = {"file": "the file", "range": "the lines", "narrative": "the narrative"}
    for claim_id in given.disputed:
        kind = claim_id.rpartition("-")[0] or claim_id
        text = (
            f" {shorten(texts[claim_id], LONGEST_TEXT)!r}"
            if claim_id in texts and kind != "narrative"
            else ""
        )
        yield f"{(names | more).get(kind, kind)}{text} is at fault"
