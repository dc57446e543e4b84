"""What a review could prove: how many canaries must be caught, how many records it takes."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from goldwright.plan import Cell, Plan
from goldwright.records import HumanVerdict
from goldwright.review.caught_by_reviewers import CaughtCanaries, caught
from goldwright.review.error_bounds import SampledBatch, bounds_of, count_batch
from goldwright.review.review_state import ReviewState
from goldwright.review.sampling import USUAL_CANARIES, draw_further, draw_sample
from goldwright.review.unproven import reasons_of_doubt
from goldwright.stats.hypergeometric import SampledStratum

Population = Sequence[tuple[str, Cell]]
_Verdicts = dict[str, HumanVerdict]

_MOST_BY_CELL: Final = 250
_MOST_TRIED: Final = 1000
# Batches are tried an eighth larger each time, up to ten times as large.
_STEP_SHARE: Final = 8
_MOST_TIMES: Final = 10


def can_prove_anything(review_state: ReviewState) -> bool:
    """Whether a sample that is drawn proves anything if all of it is judged right."""
    sample = review_state.events.sample
    planted = len(review_state.events.canaries)
    if sample is None or not planted:
        return fewest_catches(review_state) is not None
    correct: _Verdicts = dict.fromkeys(review_state.events.sampled, "correct")
    batch = count_batch(review_state.stage_files, sample, correct)
    return _proves(batch, caught(planted, planted), look=sample.round)


def fewest_catches(review_state: ReviewState) -> int | None:
    """The number of canaries that must be caught for a flawless sample to prove anything.

    None where not even all would do: where few records are reviewed among few canaries, the bound
    may allow that all are bad although every record is correct and every canary is caught; and
    where the sample is the whole batch, none can be hidden.
    """
    sample = review_state.events.sample
    planted = len(review_state.events.canaries)
    if sample is None:
        return 0
    if not planted:
        is_whole_batch = len(sample.drawn) == len(sample.population)
        return None if is_whole_batch else 0
    correct: _Verdicts = dict.fromkeys(review_state.events.sampled, "correct")
    batch = count_batch(review_state.stage_files, sample, correct)
    fewest = None
    # From above, for often no more than one may be missed, and each bound takes its time.
    for kept_out in range(planted, -1, -1):
        if not _proves(batch, caught(planted, kept_out), look=sample.round):
            break
        fewest = kept_out
    return fewest


def further_records(
    plan: Plan,
    review_state: ReviewState,
    verdicts: Mapping[str, HumanVerdict],
    canaries: CaughtCanaries | None,
) -> int | None:
    """How many further records would make a sample that proved nothing prove something.

    Provided that all of them are correct and that the canaries hidden among them are caught.

    Args:
        plan: The plan of the run.
        review_state: The records and the review events about them.
        verdicts: The verdicts on the sample so far.
        canaries: What the reviewers made of the canaries so far.

    Returns:
        The number; None where not even all records that are left would do.
    """
    sample = review_state.events.sample
    if sample is None or canaries is None:
        return None
    planted = review_state.events.canaries
    stage_files = review_state.stage_files
    sound_ids = [record.query_id for record in sample.population if record.query_id not in planted]
    population = [(query_id, stage_files.cell_of(query_id)) for query_id in sound_ids]
    remaining_count = len(population) - len(sample.drawn)
    more_canaries = min(USUAL_CANARIES, remaining_count - 1)
    if more_canaries < 1:
        return None
    more_caught = canaries.with_more(more_canaries, more_canaries)

    def would_prove(count: int) -> bool:
        further = draw_further(population, verdicts, plan, count, seed="")
        judged: _Verdicts = dict(verdicts)
        for query_id in further:
            judged[query_id] = "correct"
        batch = count_batch(stage_files, sample, judged)
        return _proves(batch, more_caught, look=sample.round + 1)

    most = remaining_count - more_canaries
    if not would_prove(most):
        return None
    # More correct records never prove less, so the fewest are found by halving.
    fewest = 1
    while fewest < most:
        middle = (fewest + most) // 2
        if would_prove(middle):
            most = middle
        else:
            fewest = middle + 1
    return fewest


def records_for_proof(plan: Plan, population: Population) -> int | None:
    """How many records a batch would have to hold for a flawless review to prove something.

    Args:
        plan: The plan of the run.
        population: The records that a sample would be drawn from, with their cells; not empty.

    Returns:
        0 where these are enough, else about how many would be, in the same proportions; None
        where not even ten times as many would.
    """
    cells = Counter(cell for _, cell in population)
    total = len(population)
    # The share of so many that people review is no small sample.
    if total > _MOST_TRIED:
        return 0
    batch_size = total
    while batch_size <= _MOST_TIMES * total:
        sizes = {cell: round(size * batch_size / total) for cell, size in cells.items()}
        if _would_prove(plan, sizes):
            return 0 if batch_size == total else sum(sizes.values())
        batch_size += max(batch_size // _STEP_SHARE, 1)
    return None


def _would_prove(plan: Plan, sizes: Mapping[Cell, int]) -> bool:
    population: list[tuple[str, Cell]] = []
    for cell, size in sizes.items():
        query_ids = [f"{cell}-{number}" for number in range(size)]
        population.extend((query_id, cell) for query_id in query_ids)
    drawn = frozenset(draw_sample(population, plan, seed=""))
    drawn_cells = (cell for query_id, cell in population if query_id in drawn)
    sampled = Counter(drawn_cells)
    planted = min(USUAL_CANARIES, len(population) - len(drawn))
    total = SampledStratum(len(population), len(drawn), 0)
    strata = []
    for cell, size in sorted(sizes.items()):
        stratum = SampledStratum(size, sampled[cell], 0)
        strata.append(stratum)
    has_all_cells = all(stratum.sampled for stratum in strata)
    batch = SampledBatch(total, tuple(strata) if has_all_cells else None)
    # Without a falsified answer in the sample, no review of it proves anything.
    if planted <= 0:
        return False
    return _proves(batch, caught(planted, planted), look=1)


def _proves(batch: SampledBatch, canaries: CaughtCanaries, *, look: int) -> bool:
    # The bound for a draw cell by cell takes seconds for a thousand records. Of so many it allows
    # that all are bad only where that for a draw from the whole does, too.
    if batch.total.size > _MOST_BY_CELL:
        batch = SampledBatch(batch.total, None)
    bounds = bounds_of(batch, canaries, look=look)
    return not any(reasons_of_doubt(canaries, bounds, batch.total.size))
