"""How often a pair of reviewers blesses a batch, and whether the bounds that are printed are true.

A careless pair calls everything correct in a second; a careful one catches 9 of 10 bad records and
of falsified answers, each person for themselves. Batches of sixty records in the cells of Phase 1,
a sample of seventeen, the canaries that a review plants by default.

    python tests/benchmarks/careless_reviewers.py [BATCHES]
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from goldwright.plan import Cell, Plan, read_plan
from goldwright.review.ceilings import largest_allowed
from goldwright.review.error_bounds import ALPHA
from goldwright.review.sampling import USUAL_CANARIES, draw_sample
from goldwright.stats.binomial import clopper_pearson
from goldwright.stats.hypergeometric import SampledStratum, upper_bound
from goldwright.stats.stratified_bound import stratified_upper_bound

BATCHES: Final = 1000
BAD_SHARES: Final = (0.02, 0.05, 0.10)
CATCH_RATES: Final = {"careless": 0.0, "careful": 0.9}
PLAN: Final = read_plan(Path(__file__).parents[2] / "plans" / "phase1.json")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one batch.

    Attributes:
        bad: How many of its records are bad.
        blessed_before: Whether the ceilings alone would have blessed it.
        blessed: Whether it is blessed.
        bound: The bound that is printed; None without a blessing.
    """

    bad: int
    blessed_before: bool
    blessed: bool
    bound: int | None


def main() -> None:
    """Print the table."""
    batches = int(sys.argv[1]) if len(sys.argv) > 1 else BATCHES
    print(f"{batches} batches of {PLAN.total}, {USUAL_CANARIES} canaries, two reviewers")
    print("pair      bad   blessed by ceilings alone   blessed   bound true   median bound")
    for pair, catch_rate in CATCH_RATES.items():
        for bad_share in BAD_SHARES:
            print(_row(pair, bad_share, list(_simulate(catch_rate, bad_share, batches))))


def _row(pair: str, bad_share: float, outcomes: list[Outcome]) -> str:
    total = len(outcomes)
    before = sum(outcome.blessed_before for outcome in outcomes)
    bounds = [outcome.bound for outcome in outcomes if outcome.bound is not None]
    true = sum(outcome.bound is not None and outcome.bad <= outcome.bound for outcome in outcomes)
    truth = f"{true}/{len(bounds)}" if bounds else "-"
    median = sorted(bounds)[len(bounds) // 2] if bounds else "-"
    return (
        f"{pair:<9} {bad_share:>4.0%} {before / total:>14.1%} {len(bounds) / total:>21.1%} "
        f"{truth:>12} {median:>10}"
    )


def _simulate(catch_rate: float, bad_share: float, batches: int) -> Iterator[Outcome]:
    chance = Random(f"{catch_rate}:{bad_share}")  # a simulation, no secret
    cells = [cell for cell in PLAN.filled_cells() for _ in range(PLAN.target(cell))]
    population = [(f"q{number:03}", cell) for number, cell in enumerate(cells)]
    for batch in range(batches):
        bad = {query_id for query_id, _ in population if chance.random() < bad_share}
        drawn = draw_sample(population, PLAN, seed=f"{catch_rate}:{bad_share}:{batch}")
        yield _review(population, bad, drawn, catch_rate, chance, PLAN)


def _review(
    population: list[tuple[str, Cell]],
    bad: set[str],
    drawn: tuple[str, ...],
    catch_rate: float,
    chance: Random,
    plan: Plan,
) -> Outcome:
    noticed = {query_id for query_id in drawn if query_id in bad and _catches(catch_rate, chance)}
    kept_out = sum(_catches(catch_rate, chance) for _ in range(USUAL_CANARIES))
    keeps_ceilings = len(noticed) <= largest_allowed(plan.major_ceiling, len(drawn))
    strata = tuple(_strata(population, drawn, noticed))
    bound = _corrected_bound(strata, kept_out)
    # As in golden/human_provenance.py: most canaries caught, and a bound that says something.
    is_proven = 2 * kept_out >= USUAL_CANARIES and bound < len(population)
    blessed = keeps_ceilings and is_proven
    return Outcome(len(bad), keeps_ceilings, blessed, bound if blessed else None)


def _catches(catch_rate: float, chance: Random) -> bool:
    """Two reviewers look; where they differ, an adjudicator finds what one of them found."""
    return any(chance.random() < catch_rate for _ in range(2))


def _strata(
    population: list[tuple[str, Cell]], drawn: tuple[str, ...], noticed: set[str]
) -> Iterator[SampledStratum]:
    for cell in dict.fromkeys(cell for _, cell in population):
        members = [query_id for query_id, own_cell in population if own_cell == cell]
        sampled = [query_id for query_id in members if query_id in drawn]
        yield SampledStratum(len(members), len(sampled), len(noticed.intersection(sampled)))


def _corrected_bound(strata: tuple[SampledStratum, ...], kept_out: int) -> int:
    size = sum(stratum.size for stratum in strata)
    sampled = sum(stratum.sampled for stratum in strata)
    bad = sum(stratum.bad for stratum in strata)
    catch_rate, _ = clopper_pearson(kept_out, USUAL_CANARIES, confidence=1 - ALPHA)
    if catch_rate <= 0:
        return size
    simple = upper_bound(bad, sampled, size, alpha=ALPHA / 2, sensitivity=catch_rate)
    stratified = stratified_upper_bound(strata, alpha=ALPHA / 2, sensitivity=catch_rate)
    return max(simple, stratified)


if __name__ == "__main__":
    main()
