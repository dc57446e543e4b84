"""What whole pairs of trials show: by stratum and over all, with intervals clustered by task."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev
from typing import Final, Literal

from goldwright.benefit.trials import ScoredTrial, whole_pairs
from goldwright.stats.multiple_testing import holm
from goldwright.stats.paired_comparison import compare_pairs
from goldwright.stats.student_t import student_quantile

Verdict = Literal["helps", "hurts", "no difference shown", "too few tasks", "not measured"]
OVERALL: Final = "all tasks"
# One run swings by some points from itself; three are the fewest from which an effect is read.
FEWEST_SEEDS: Final = 3
_ALPHA: Final = 0.05

Pair = tuple[ScoredTrial, ScoredTrial]
_MEASURES: Final[Mapping[str, Callable[[ScoredTrial], float]]] = {
    "success": lambda record: float(record.success),
    "total_tokens": lambda record: float(record.total_tokens),
    "usd": lambda record: record.usd,
    "tool_calls": lambda record: float(record.tool_calls),
    "turns": lambda record: float(record.turns),
    "wall_clock_s": lambda record: record.wall_clock_s,
}


@dataclass(frozen=True, slots=True)
class PairedMean:
    """A mean difference, with tool minus without, over tasks.

    Attributes:
        mean: The mean over tasks of the mean over seeds.
        interval: Student's 95 % interval over tasks; None for one task.
        p_value: Of the sign-flip test over tasks, adjusted by Holm over the strata.
    """

    mean: float
    interval: tuple[float, float] | None
    p_value: float


@dataclass(frozen=True, slots=True)
class StratumFinding:
    """The tool in one stratum.

    Attributes:
        stratum: Its name.
        tasks: Tasks with a whole pair.
        pairs: Whole pairs of trials.
        seeds: The fewest pairs of a task.
        uptake: Share of trials with the tool in which it returned something.
        success: Share of successes of both arms, without and with the tool.
        success_lift: The difference of them.
        net_tokens: Tokens saved by the tool: above 0 it paid for itself.
        usd, tool_calls, turns, wall_clock_s: Differences, with tool minus without.
        tokens_per_success: All tokens of an arm over its successes; None where it has none.
        both_succeeded: Pairs in which both arms succeeded.
        net_tokens_both_succeeded: Tokens saved by the tool in these; None where there are none.
        verdict: On success.
        cost_verdict: On tokens: helps where it saves them.
    """

    stratum: str
    tasks: int
    pairs: int
    seeds: int
    uptake: float
    success: tuple[float, float]
    success_lift: PairedMean
    net_tokens: PairedMean
    usd: PairedMean
    tool_calls: PairedMean
    turns: PairedMean
    wall_clock_s: PairedMean
    tokens_per_success: tuple[float | None, float | None]
    both_succeeded: int
    net_tokens_both_succeeded: float | None
    verdict: Verdict
    cost_verdict: Verdict


def sum_up(
    records: Iterable[ScoredTrial], strata: Mapping[str, str], *, seed: int
) -> tuple[StratumFinding, ...]:
    """Give the finding of each stratum, then that of all tasks; halves of pairs do not count.

    Args:
        records: The trials.
        strata: The stratum of each task.
        seed: Determines the draws of the tests.
    """
    by_stratum: defaultdict[str, list[Pair]] = defaultdict(list)
    for pair in sorted(whole_pairs(records), key=lambda pair: (pair[0].task_id, pair[0].seed)):
        by_stratum[strata[pair[0].task_id]].append(pair)
    if not by_stratum:
        return ()
    groups = {name: by_stratum[name] for name in sorted(by_stratum)}
    # All tasks together are a question of their own, asked once: it is in no family with the cells.
    cells = _findings_of(groups, seed=seed)
    all_pairs = [pair for pairs in groups.values() for pair in pairs]
    return (*cells, *_findings_of({OVERALL: all_pairs}, seed=seed))


def _findings_of(groups: Mapping[str, Sequence[Pair]], *, seed: int) -> tuple[StratumFinding, ...]:
    compared = {name: _compare(groups, measure, seed=seed) for name, measure in _MEASURES.items()}
    findings = []
    for name, pairs in groups.items():
        differences = {measure: means[name] for measure, means in compared.items()}
        findings.append(_finding(name, pairs, differences, family=len(groups)))
    return tuple(findings)


def _finding(
    name: str, pairs: Sequence[Pair], differences: Mapping[str, PairedMean], *, family: int
) -> StratumFinding:
    by_task = _by_task(pairs)
    tasks = len(by_task)
    seeds = min(map(len, by_task.values()))
    uptake = fmean(record.tool_uptake > 0 for _, record in pairs)
    pairs_of_successes = [
        (without, record) for without, record in pairs if without.success and record.success
    ]
    net_both = [
        without.total_tokens - record.total_tokens for without, record in pairs_of_successes
    ]
    without_tool = [without for without, _ in pairs]
    with_tool = [record for _, record in pairs]
    lift, saved = differences["success"], _negative(differences["total_tokens"])
    is_large_enough = can_show(tasks, family)
    return StratumFinding(
        stratum=name,
        tasks=tasks,
        pairs=len(pairs),
        seeds=seeds,
        uptake=uptake,
        success=(_success_rate(without_tool), _success_rate(with_tool)),
        success_lift=_within_one(lift),
        net_tokens=saved,
        usd=differences["usd"],
        tool_calls=differences["tool_calls"],
        turns=differences["turns"],
        wall_clock_s=differences["wall_clock_s"],
        tokens_per_success=(_tokens_per_success(without_tool), _tokens_per_success(with_tool)),
        both_succeeded=len(pairs_of_successes),
        net_tokens_both_succeeded=fmean(net_both) if pairs_of_successes else None,
        verdict=verdict_of(lift, seeds, uptake, can_show=is_large_enough),
        cost_verdict=verdict_of(saved, seeds, uptake, can_show=is_large_enough),
    )


def _success_rate(records: Sequence[ScoredTrial]) -> float:
    return fmean(record.success for record in records)


def can_show(tasks: int, family: int) -> bool:
    """Return whether so many tasks could show any difference, if all of them agreed.

    The sign-flip test of n tasks gives 2 of 2^n at the least, and Holm asks the smallest p-value of
    a family to hold as many times over.
    """
    return 2.0 ** (1 - tasks) * family <= _ALPHA


def verdict_of(difference: PairedMean, seeds: int, uptake: float, *, can_show: bool) -> Verdict:
    """Put a difference into words; too few seeds or a tool that nobody called are no result."""
    if seeds < FEWEST_SEEDS or not uptake:
        return "not measured"
    if not can_show:
        return "too few tasks"
    if difference.p_value > _ALPHA:
        return "no difference shown"
    return "helps" if difference.mean > 0 else "hurts"


def paired_mean(differences: Sequence[float], *, seed: int) -> PairedMean:
    """Sum up differences, one a task; the p-value is not adjusted yet."""
    mean = fmean(differences)
    largest = max(map(abs, differences))
    # The test knows differences of at most 1; its p-value does not depend on their unit.
    scaled = [value / largest for value in differences] if largest else [0.0] * len(differences)
    p_value = compare_pairs(scaled, seed=seed).p_value
    if len(differences) == 1:
        return PairedMean(mean, None, p_value)
    margin = student_quantile(1 - _ALPHA / 2, len(differences) - 1)
    margin *= stdev(differences) / sqrt(len(differences))
    return PairedMean(mean, (mean - margin, mean + margin), p_value)


def _compare(
    groups: Mapping[str, Sequence[Pair]], measure: Callable[[ScoredTrial], float], *, seed: int
) -> dict[str, PairedMean]:
    means: dict[str, PairedMean] = {}
    for name, pairs in groups.items():
        differences = []
        for task_pairs in _by_task(pairs).values():
            of_task = [measure(with_tool) - measure(without) for without, with_tool in task_pairs]
            differences.append(fmean(of_task))
        means[name] = paired_mean(differences, seed=seed)
    adjusted = holm({name: mean.p_value for name, mean in means.items()})
    return {
        name: PairedMean(mean.mean, mean.interval, adjusted[name]) for name, mean in means.items()
    }


def _by_task(pairs: Iterable[Pair]) -> dict[str, list[Pair]]:
    by_task: defaultdict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        by_task[pair[0].task_id].append(pair)
    return by_task


def _within_one(lift: PairedMean) -> PairedMean:
    """Cut the interval of a difference of two shares to what such a difference can be."""
    if lift.interval is None:
        return lift
    low, high = lift.interval
    return PairedMean(lift.mean, (max(low, -1.0), min(high, 1.0)), lift.p_value)


def _negative(difference: PairedMean) -> PairedMean:
    interval = difference.interval
    turned = None if interval is None else (-interval[1], -interval[0])
    return PairedMean(-difference.mean, turned, difference.p_value)


def _tokens_per_success(records: Sequence[ScoredTrial]) -> float | None:
    successes = sum(record.success for record in records)
    return sum(record.total_tokens for record in records) / successes if successes else None
