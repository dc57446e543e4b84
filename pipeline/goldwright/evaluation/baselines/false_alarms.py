"""How often a rule for baselines fires without a change, measured on the runs of a baseline."""

from collections.abc import Iterator
from functools import cache
from itertools import permutations
from random import Random
from typing import Final, NamedTuple

from goldwright.evaluation.baselines.baseline import Baseline
from goldwright.evaluation.baselines.regression_rules import TOLERANCE, Mode, find_falls
from goldwright.evaluation.baselines.value_table import baseline_tables, select_runs

# A thousand draws know a rate of 1 %, the level of the jitter rule, to 0.3 points (its standard
# error). Large baselines get fewer draws, so that draws times queries stay within seconds.
MOST_DRAWS: Final = 1_000
MOST_DRAWN_QUERIES: Final = 100_000
# What baselines of more than 5,000 queries get: with fewer draws there is no rate to speak of.
FEWEST_DRAWS: Final = 20


class FalseAlarms(NamedTuple):
    """How often a rule fired between runs that differ by jitter only.

    Attributes:
        alarms: The comparisons in which it fired.
        tries: All comparisons.
    """

    alarms: int
    tries: int


class _RunChoice(NamedTuple):
    """Runs of a baseline, counted from 0, that stand for the old and the new runs of a check."""

    before: tuple[int, ...]
    after: tuple[int, ...]


def count_false_alarms(
    baseline: Baseline,
    runs: int,
    *,
    mode: Mode = "jitter",
    tolerance: float = TOLERANCE,
    seed: int = 0,
) -> FalseAlarms | None:
    """Count how often a rule fires between runs of the baseline itself, where nothing changed.

    ``spec`` is tried on every ordered pair of runs. For ``jitter``, old and new runs are drawn from
    the runs of the baseline with replacement.

    Args:
        baseline: The baseline.
        runs: How many new runs a check compares.
        mode: The rule.
        tolerance: How far a measure may fall, in 0..1.
        seed: Chooses the draws.

    Returns:
        None for a baseline of a single run, which cannot tell.
    """
    if baseline.runs < 2:
        return None
    tables = baseline_tables(baseline)
    choices = _pairs_of_runs(baseline) if mode == "spec" else _drawn_runs(baseline, runs, seed)

    @cache  # of few runs the same are drawn again and again
    def fires(choice: _RunChoice) -> bool:
        before = select_runs(tables, choice.before)
        after = select_runs(tables, choice.after)
        falls = find_falls(mode, baseline.query_ids, before, after, tolerance=tolerance)
        return next(falls, None) is not None

    outcomes = [fires(choice) for choice in choices]
    return FalseAlarms(sum(outcomes), len(outcomes))


def _pairs_of_runs(baseline: Baseline) -> Iterator[_RunChoice]:
    for before, after in permutations(range(baseline.runs), 2):
        yield _RunChoice((before,), (after,))


def _drawn_runs(baseline: Baseline, runs: int, seed: int) -> Iterator[_RunChoice]:
    random = Random(seed)  # noqa: S311  # draws runs, no secret
    all_runs = range(baseline.runs)
    affordable = MOST_DRAWN_QUERIES // len(baseline.queries)
    draws = max(min(MOST_DRAWS, affordable), FEWEST_DRAWS)
    for _ in range(draws):
        before = random.choices(all_runs, k=baseline.runs)
        after = random.choices(all_runs, k=runs)
        yield _RunChoice(tuple(before), tuple(after))
