"""Whether a retriever became worse than its baseline: by the seeds' literal rule, or by one that
knows of jitter.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from random import Random
from statistics import fmean
from typing import Final, Literal

from goldwright.evaluation.baseline import Baseline, Run
from goldwright.stats.binomial import binomial_tail
from goldwright.stats.multiple_testing import holm
from goldwright.stats.paired_comparison import PairedDifference, compare_pairs
from goldwright.stats.student_t import student_quantile

Mode = Literal["jitter", "spec"]
# The values of one measure: for each run those of all queries, in the order of the baseline.
Table = Sequence[Sequence[float]]
Tables = Mapping[str, Table]

TOLERANCE: Final = 0.02
LEVEL: Final = 0.01
SHOWN: Final = 0.05
LEAST_MOVED: Final = 0.1
MOST_RESAMPLED: Final = 1_000
# What resampling may cost: draws times queries.
_RESAMPLED_QUERIES: Final = 100_000
_EQUAL: Final = 1e-12


@dataclass(frozen=True, slots=True)
class QueryFall:
    """A measure that fell, over all queries where ``query_id`` is None, else of one query; ``why``
    tells the rule.

    ``after`` is None where the query is gone or its value is no number.
    """

    measure: str
    query_id: str | None
    before: float
    after: float | None
    why: str

    @property
    def change(self) -> str:
        """What it was and is."""
        now = "no value" if self.after is None else f"{self.after:.3f}"
        return f"{self.measure} {self.before:.3f} -> {now}"

    def __str__(self) -> str:
        return f"{self.query_id or 'all queries'}: {self.change}; {self.why}"


@dataclass(frozen=True, slots=True)
class WatchedMeasure:
    """A measure over all queries: its mean over the runs before and now, and the value below which
    it fails.

    ``population`` compares what the queries came to on average, to say what could hold for other
    queries like these, and ``adjusted_p`` is its p-value after Holm over all measures; neither ever
    excuses a fall.
    """

    measure: str
    before: float
    after: float
    fails_below: float
    population: PairedDifference
    adjusted_p: float


@dataclass(frozen=True, slots=True)
class RegressionVerdict:
    """What a check came to.

    ``regressions`` fail it; ``warnings`` are single queries that fell beyond their jitter and are
    worth a look.
    """

    mode: Mode
    tolerance: float
    watched: tuple[WatchedMeasure, ...]
    regressions: tuple[QueryFall, ...]
    warnings: tuple[QueryFall, ...]

    @property
    def ok(self) -> bool:
        """Tell whether nothing became worse."""
        return not self.regressions


def check_regression(
    baseline: Baseline,
    now: Sequence[Run],
    *,
    mode: Mode = "jitter",
    tolerance: float = TOLERANCE,
    seed: int = 0,
) -> RegressionVerdict:
    """Compare runs of today with those of a baseline; to become better never fails.

    ``spec`` is the seeds' rule, on the first run of each side: it fails where any measure, over all
    queries or of a single one, is below the baseline's by more than the tolerance. ``jitter`` fails
    where the mean of a measure over the runs fell by more than the tolerance, and by more than
    jitter makes of it: Student's test of the runs before and now, at 1 % over all measures; or
    where the mean fell and so many more queries fell than rose, by 0.1 or more and in every run,
    that a sign test shows it at the same level. A query that is gone, or whose value is no number,
    fails under both, and counts as 0.

    Args:
        baseline: What was saved.
        now: The values of at least one run.
        mode: The rule.
        tolerance: How far a measure may fall, in 0..1.
        seed: Chooses the draws of the permutation test.
    """
    ids = [one.query_id for one in baseline.queries]
    old = _tables([baseline.run(number) for number in range(baseline.runs)], baseline)
    new = _tables(now, baseline)
    used = 1 if mode == "spec" else None
    watched = _watched(
        {name: table[:used] for name, table in old.items()},
        {name: table[:used] for name, table in new.items()},
        mode,
        tolerance,
        seed,
    )
    return RegressionVerdict(
        mode=mode,
        tolerance=tolerance,
        watched=tuple(watched),
        regressions=(*_lost(baseline, now), *_falls(mode, ids, old, new, tolerance)),
        warnings=tuple(_warnings(ids, old, new)) if mode == "jitter" else (),
    )


def false_alarms(
    baseline: Baseline,
    runs: int,
    *,
    mode: Mode = "jitter",
    tolerance: float = TOLERANCE,
    seed: int = 0,
) -> tuple[int, int] | None:
    """Count how often a rule fires between runs of the baseline itself, where nothing changed:
    alarms, and tries.

    The seeds' rule is tried on every pair of runs. For the other, baselines and new runs are drawn
    from the runs with replacement. A baseline of a single run cannot tell, which gives None.

    Args:
        baseline: What was saved.
        runs: How many new runs are compared.
        mode: The rule.
        tolerance: How far a measure may fall, in 0..1.
        seed: Chooses the draws.
    """
    count = baseline.runs
    if count < 2:
        return None
    ids = [one.query_id for one in baseline.queries]
    old = _tables([baseline.run(number) for number in range(count)], baseline)
    tries: list[tuple[Sequence[int], Sequence[int]]]
    if mode == "spec":
        tries = [((one,), (other,)) for one, other in permutations(range(count), 2)]
    else:
        chance = Random(seed)  # noqa: S311  # draws runs, no secret
        draws = max(min(MOST_RESAMPLED, _RESAMPLED_QUERIES // len(ids)), 20)
        numbers = range(count)
        tries = [
            (chance.choices(numbers, k=count), chance.choices(numbers, k=runs))
            for _ in range(draws)
        ]
    alarms = sum(
        any(True for _ in _falls(mode, ids, _some(old, one), _some(old, other), tolerance))
        for one, other in tries
    )
    return alarms, len(tries)


def _tables(runs: Sequence[Run], baseline: Baseline) -> Tables:
    return {
        name: [[_value(run, one.query_id, name) for one in baseline.queries] for run in runs]
        for name in baseline.measures
    }


def _value(run: Run, query: str, name: str) -> float:
    value = run.get(query, {}).get(name, 0.0)
    return value if math.isfinite(value) else 0.0


def _lost(baseline: Baseline, now: Sequence[Run]) -> Iterator[QueryFall]:
    for one in baseline.queries:
        for name, values in one.values.items():
            found = [run.get(one.query_id, {}).get(name) for run in now]
            if None in found:
                yield QueryFall(
                    name, one.query_id, fmean(values), None, "it was not asked in every run"
                )
            elif not all(math.isfinite(value) for value in found if value is not None):
                yield QueryFall(name, one.query_id, fmean(values), None, "its value is no number")


def _falls(
    mode: Mode, ids: Sequence[str], old: Tables, new: Tables, tolerance: float
) -> Iterator[QueryFall]:
    for name in old:
        if mode == "spec":
            yield from _by_spec(name, ids, old[name], new[name], tolerance)
        else:
            yield from _by_jitter(name, old[name], new[name], tolerance, LEVEL / len(old))


def _by_spec(
    name: str, ids: Sequence[str], old: Table, new: Table, tolerance: float
) -> Iterator[QueryFall]:
    why = f"lower by more than {tolerance:g}"
    before, after = fmean(old[0]), fmean(new[0])
    if before - after > tolerance + _EQUAL:
        yield QueryFall(name, None, before, after, why)
    for query, one, other in zip(ids, old[0], new[0], strict=True):
        if one - other > tolerance + _EQUAL:
            yield QueryFall(name, query, one, other, why)


def _by_jitter(
    name: str, old: Table, new: Table, tolerance: float, level: float
) -> Iterator[QueryFall]:
    before, after = list(map(fmean, old)), list(map(fmean, new))
    allowed = _allowed(before, after, tolerance, level)
    if fmean(before) - fmean(after) > allowed + _EQUAL:
        yield QueryFall(
            name, None, fmean(before), fmean(after), f"lower by more than {allowed:.3f}"
        )
    fell, rose = _moved(old, new, LEAST_MOVED)
    both = len(fell) + len(rose)
    if len(fell) > len(rose) and fmean(after) < fmean(before) - _EQUAL:
        p_value = min(1.0, 2 * binomial_tail(len(fell), both, 0.5))
        if p_value < level:
            why = f"{len(fell)} queries fell below all their runs, {len(rose)} rose above (sign test, p = {p_value:.4f})"
            yield QueryFall(name, None, fmean(before), fmean(after), why)


def _allowed(
    before: Sequence[float], after: Sequence[float], tolerance: float, level: float
) -> float:
    """How far the mean of the runs may fall; the spread of the runs is that within both sides."""
    freedom = len(before) + len(after) - 2
    squares = sum((one - fmean(side)) ** 2 for side in (before, after) for one in side)
    if squares <= _EQUAL:
        return tolerance
    reach = _quantile(1 - level, freedom) * math.sqrt(
        squares / freedom * (1 / len(before) + 1 / len(after))
    )
    return max(tolerance, reach)


@lru_cache
def _quantile(probability: float, freedom: int) -> float:
    return student_quantile(probability, freedom)


def _moved(old: Table, new: Table, least_move: float) -> tuple[list[int], list[int]]:
    """The places of queries whose values now all lie so far below all of before, and of those that
    lie above.
    """
    lowest, highest = _each(min, old), _each(max, old)
    least, most = _each(min, new), _each(max, new)
    fell = [
        place
        for place, (one, other) in enumerate(zip(lowest, most, strict=True))
        if other <= one - least_move + _EQUAL
    ]
    rose = [
        place
        for place, (one, other) in enumerate(zip(highest, least, strict=True))
        if other >= one + least_move - _EQUAL
    ]
    return fell, rose


def _each(choose: Callable[..., float], table: Table) -> list[float]:
    return list(map(choose, *table)) if len(table) > 1 else list(table[0])


def _warnings(ids: Sequence[str], old: Tables, new: Tables) -> Iterator[QueryFall]:
    for name in old:
        for place in _moved(old[name], new[name], LEAST_MOVED)[0]:
            before, after = (fmean(run[place] for run in table[name]) for table in (old, new))
            yield QueryFall(name, ids[place], before, after, "below every run of the baseline")


def _watched(
    old: Tables, new: Tables, mode: Mode, tolerance: float, seed: int
) -> Iterator[WatchedMeasure]:
    found: dict[str, PairedDifference] = {}
    for name in old:
        pairs = zip(zip(*old[name], strict=True), zip(*new[name], strict=True), strict=True)
        differences = [fmean(now) - fmean(then) for then, now in pairs]
        found[name] = compare_pairs(differences, seed=seed, alpha=SHOWN / len(old))
    adjusted = holm({name: one.p_value for name, one in found.items()})
    for name in old:
        before, after = list(map(fmean, old[name])), list(map(fmean, new[name]))
        allowed = (
            tolerance if mode == "spec" else _allowed(before, after, tolerance, LEVEL / len(old))
        )
        yield WatchedMeasure(
            name, fmean(before), fmean(after), fmean(before) - allowed, found[name], adjusted[name]
        )


def _some(tables: Tables, runs: Sequence[int]) -> Tables:
    return {name: [table[run] for run in runs] for name, table in tables.items()}
