"""Systems whose truth is known: do intervals cover it, do tests fire without cause, is what could
show told rightly?

Prints, for several numbers of queries: how often 95 % intervals of a mean cover the true mean; how
often the paired test calls two equally good systems different at 5 %; by how much the printed
smallest detectable difference is off the one that is really detected four times in five; and how
often each rule for baselines fires without a change, and at a real fall. ``--draws 2000`` is the
full campaign.
"""

import argparse
from collections.abc import Iterator, Sequence
from random import Random
from statistics import fmean

from goldwright.evaluation.baselines.baseline import Baseline, BaselineQuery
from goldwright.evaluation.baselines.regression import check_regression
from goldwright.evaluation.baselines.regression_rules import Mode
from goldwright.evaluation.strata import mean_of
from goldwright.stats.bootstrap import bootstrap_means
from goldwright.stats.paired_comparison import compare_pairs

# Reciprocal ranks of a fair retriever, and how often each is seen; the same for recall of several
# entities.
RECIPROCAL = ((1.0, 0.5, 1 / 3, 0.25, 0.2, 0.1, 0.0), (45, 14, 9, 6, 5, 6, 15))
RECALL = ((1.0, 2 / 3, 0.5, 1 / 3, 0.0), (40, 12, 18, 12, 18))
HIT = ((1.0, 0.0), (72, 28))
KINDS = {"MRR": RECIPROCAL, "R@10": RECALL, "Hit@5": HIT}


def truth(kind: str) -> float:
    """The mean of a kind of measure over all queries there could be."""
    values, weights = KINDS[kind]
    return sum(value * weight for value, weight in zip(values, weights, strict=True)) / sum(weights)


def drawn(chance: Random, kind: str, n: int) -> list[float]:
    """The values of so many queries."""
    values, weights = KINDS[kind]
    return chance.choices(values, weights, k=n)


def coverage(chance: Random, kind: str, n: int, draws: int) -> tuple[float, float]:
    """How often the interval, and the bootstrap one, cover the truth."""
    real, covered, resampled = truth(kind), 0, 0
    for _ in range(draws):
        values = drawn(chance, kind, n)
        low, high = mean_of(values).interval or (0.0, 1.0)
        covered += low <= real <= high
        low, high = bootstrap_means({kind: values}, seed=chance.randrange(1 << 30))[kind] or (
            real,
            real,
        )
        resampled += low <= real <= high
    return covered / draws, resampled / draws


def pairs(chance: Random, n: int, gain: float = 0.0) -> list[float]:
    """Differences of two systems that share two thirds of what makes a query easy; the second is
    better by a gain.
    """
    differences = []
    for _ in range(n):
        shared = drawn(chance, "MRR", 1)[0]
        one, other = (
            shared if chance.random() < 2 / 3 else drawn(chance, "MRR", 1)[0] for _ in range(2)
        )
        differences.append(other - one + gain)
    return differences


def fires(chance: Random, n: int, gain: float, draws: int) -> float:
    """How often the paired test calls the two different."""
    tests = (
        compare_pairs(pairs(chance, n, gain), seed=chance.randrange(1 << 30)) for _ in range(draws)
    )
    return sum(one.p_value < 0.05 for one in tests) / draws


def detectable(chance: Random, n: int, draws: int) -> tuple[float, float]:
    """The smallest detectable difference: as printed on the average, and the one found four times
    in five.
    """
    printed = fmean(
        compare_pairs(pairs(chance, n), seed=1).smallest_detectable or 0.0
        for _ in range(max(draws // 4, 20))
    )
    below, above = 0.7 * printed, 1.3 * printed
    low, high = (fires(chance, n, gain, draws) for gain in (below, above))
    for _ in range(5):
        middle = below + (0.8 - low) / (high - low) * (above - below)
        power = fires(chance, n, middle, draws)
        if power < 0.8:
            below, low = middle, power
        else:
            above, high = middle, power
        if abs(power - 0.8) < 0.005 or high - low < 0.01:
            break
    return printed, middle


def jittered(
    chance: Random, values: Sequence[float], jitter: float, fall: float = 0.0
) -> list[float]:
    """One run: queries slip to another value now and then; after a fall, some found nothing."""
    pool = RECIPROCAL[0]
    return [
        0.0
        if chance.random() < fall
        else chance.choice(pool)
        if chance.random() < jitter
        else value
        for value in values
    ]


def saved(runs: Sequence[Sequence[float]]) -> Baseline:
    """A baseline of runs."""
    queries = tuple(
        BaselineQuery(
            query_id=f"q{place}",
            query_text="?",
            expected=("a",),
            retrieved=(),
            values={"MRR": values},
        )
        for place, values in enumerate(zip(*runs, strict=True))
    )
    return Baseline(
        dataset="d", dataset_sha256="s", commit="c", retriever="r", depth=10, ties="id",
        measures=("MRR",), runs=len(runs), means={"MRR": tuple(map(fmean, runs))}, queries=queries,
    )  # fmt: skip


def alarms(
    chance: Random, n: int, jitter: float, fall: float, draws: int, mode: Mode | None
) -> float:
    """How often a rule fires between five runs before and five after."""
    count = 0
    for _ in range(draws):
        values = drawn(chance, "MRR", n)
        old = saved([jittered(chance, values, jitter) for _ in range(5)])
        now = [jittered(chance, values, jitter, fall) for _ in range(5)]
        runs = [{f"q{place}": {"MRR": value} for place, value in enumerate(run)} for run in now]
        count += not check_regression(old, runs, mode=mode).ok
    return count / draws


def caught_losses(chance: Random, n: int, draws: int) -> float:
    """How often the loss of a single query that was found shows, where nothing jitters."""
    count = 0
    for _ in range(draws):
        values = drawn(chance, "MRR", n - 1)
        old = saved([[*values, 1 / 50]] * 5)
        run = {f"q{place}": {"MRR": value} for place, value in enumerate([*values, 0.0])}
        count += not check_regression(old, [run]).ok
    return count / draws


def lines(draws: int, seed: int) -> Iterator[str]:
    """Every figure."""
    chance = Random(seed)
    for n in (25, 60, 200):
        for kind in KINDS:
            interval, resampled = coverage(chance, kind, n, draws)
            figures = f"{interval:.3f}, bootstrap {resampled:.3f}"
            yield f"coverage of 95 % intervals, n={n}, {kind}: {figures}"
    for n in (25, 60, 200):
        yield f"false alarms of the paired test at 5 %, n={n}: {fires(chance, n, 0.0, draws):.3f}"
    for n in (25, 60, 200):
        printed, found = detectable(chance, n, draws)
        off = printed / found - 1
        figures = f"printed {printed:.4f}, found {found:.4f}, off {off:+.1%}"
        yield f"smallest detectable difference, n={n}: {figures}"
    for n in (24, 60, 200):
        for jitter in (0.0, 0.01, 0.05, 0.2):
            ours = alarms(chance, n, jitter, 0.0, draws // 4, None)
            spec = alarms(chance, n, jitter, 0.0, draws // 4, "spec")
            figures = f"our rule {ours:.3f}, spec rule {spec:.3f}"
            yield f"baseline, n={n}, {jitter:.0%} jitter, no change: {figures}"
        power = alarms(chance, n, 0.01, 0.12, draws // 4, "jitter")
        fall = 0.12 * truth("MRR")
        figures = f"MRR falls by {fall:.2f}: jitter rule fires {power:.3f}"
        yield f"baseline, n={n}, 1 % jitter, {figures}"
        lost = caught_losses(chance, n, draws)
        yield f"baseline, n={n}, steady, one query lost: fires {lost:.3f}"


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for line in lines(given.draws, given.seed):
        print(line, flush=True)


if __name__ == "__main__":
    main()
