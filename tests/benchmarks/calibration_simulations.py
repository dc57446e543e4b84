"""Do the tests and intervals of calibration keep their levels where the truth is known?

Use: ``python tests/benchmarks/calibration_simulations.py [--draws N] [--seed N]``. It draws scores
and outcomes whose true chances are known, ``--draws`` times for each line, and prints: how often
calibrated scores are found fault with, how often a bias of 0.15 is shown beside the chance that was
foretold, how often the interval of AUROC covers the true area and the consistency band holds the
fit, and how often a threshold is certified that falls short of its target. It exits with 1 when a
rate lies further from its level than three standard errors and what the method allows.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from statistics import NormalDist, fmean

from goldwright.evaluation.calibration.calibration_figures import (
    BIAS_LEVEL,
    BIAS_TO_SEE,
    ERROR_LEVEL,
    LEVEL,
)
from goldwright.stats.calibration_bias import mean_bias, power_to_see_bias
from goldwright.stats.calibration_error import calibration_error
from goldwright.stats.certification import certify
from goldwright.stats.isotonic import reliability_curve
from goldwright.stats.roc import discrimination

SIZES = (25, 60, 200)
SHAPES = ((3.0, 1.2), (2.0, 2.0), (9.0, 1.0))
AREAS = (0.5, 0.7, 0.9, 0.97)
TARGET = 0.8
RESAMPLES = 199
MOST_FORETOLD = 100
Points = list[tuple[float, bool]]


@dataclass(frozen=True, slots=True)
class Rate:
    """A simulated rate, and the range it should lie in but for chance."""

    name: str
    value: float
    draws: int
    low: float
    high: float

    @property
    def is_kept(self) -> bool:
        """Tell whether the rate lies in its range, with three standard errors of room."""
        room = 3 * sqrt(0.25 / self.draws) if self.low < 0.5 < self.high else 3 * self.error
        return self.low - room <= self.value <= self.high + room

    @property
    def error(self) -> float:
        """The standard error of a rate at the nearer end of the range."""
        level = self.high if self.value > self.high else self.low
        return sqrt(max(level * (1 - level), 1 / self.draws) / self.draws)

    def __str__(self) -> str:
        mark = "" if self.is_kept else "   <- out of its range"
        return (
            f"  {self.name:58} {self.value:6.1%}   wanted {self.low:.1%} to {self.high:.1%}{mark}"
        )


def main(arguments: Sequence[str]) -> int:
    """Print all rates and tell by the exit code whether they are what they should be."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--draws", type=int, default=2000, help="simulated data sets for each line")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    kept = True
    for one in all_rates(options.draws, options.seed):
        print(one, flush=True)
        kept = kept and one.is_kept
    return 0 if kept else 1


def all_rates(draws: int, seed: int) -> Iterator[Rate]:
    """Simulate everything."""
    for shape in SHAPES:
        for n in SIZES:
            yield from false_alarms(n, shape, draws, seed)
            yield power(n, shape, draws, seed)
    for area in AREAS:
        for rights, wrongs in ((12, 13), (30, 30), (50, 10)):
            yield area_coverage(area, rights, wrongs, draws, seed)
    for n in SIZES:
        yield band_coverage(n, SHAPES[0], max(1, draws // 10), seed)
    for name, chance in UNSAFE.items():
        for n in (60, 200):
            yield false_certificates(name, chance, n, draws, seed)


def calibrated(random: Random, n: int, shape: tuple[float, float]) -> Points:
    """Scores of a beta distribution, each right with the chance it states."""
    scores = [random.betavariate(*shape) for _ in range(n)]
    return [(score, random.random() < score) for score in scores]


def false_alarms(n: int, shape: tuple[float, float], draws: int, seed: int) -> Iterator[Rate]:
    """How often tests at 5 % reject scores that are calibrated, and either of both at the levels of
    the verdict.
    """
    random, found = Random(seed), []
    for number in range(draws):
        points = calibrated(random, n, shape)
        bias, error = mean_bias(points), calibration_error(points, seed=number, draws=RESAMPLES)
        if bias and error:
            found.append((bias.p_value, bias.spiegelhalter_p or 1.0, error.p_value))
    where = f"n={n} beta{shape}"
    yield Rate(
        f"bias test at 5 %, {where}", share(one <= LEVEL for one, _, _ in found), draws, 0.0, 0.055
    )
    yield Rate(
        f"Spiegelhalter's at 5 %, {where}",
        share(one <= LEVEL for _, one, _ in found),
        draws,
        0.0,
        0.065,
    )
    yield Rate(
        f"calibration error at 5 %, {where}",
        share(one <= LEVEL for _, _, one in found),
        draws,
        0.0,
        0.05,
    )
    either = share(one <= BIAS_LEVEL or other <= ERROR_LEVEL for one, _, other in found)
    yield Rate(f"any fault, as the verdict tests, {where}", either, draws, 0.0, 0.055)


def power(n: int, shape: tuple[float, float], draws: int, seed: int) -> Rate:
    """How often a bias of 0.15 is shown of scores that promise too much, beside what is foretold at
    the least.
    """
    random, shown = Random(seed + 1), list[bool]()
    foretold = list[float]()
    for number in range(draws):
        scores = [random.betavariate(*shape) for _ in range(n)]
        lowered = 1 - BIAS_TO_SEE / fmean(scores)
        bias = mean_bias([(score, random.random() < score * lowered) for score in scores])
        shown.append(bias is not None and bias.p_value <= BIAS_LEVEL)
        if number < MOST_FORETOLD:
            foretold.append(power_to_see_bias(scores, BIAS_TO_SEE, level=BIAS_LEVEL))
    least = fmean(foretold)
    return Rate(f"a bias of -0.15 shown, n={n} beta{shape}", share(shown), draws, least - 0.02, 1.0)


def area_coverage(area: float, rights: int, wrongs: int, draws: int, seed: int) -> Rate:
    """How often the interval covers the true area, of scores that are normal among the right and
    among the wrong.
    """
    random, shift, normal, covered = (
        Random(seed),
        sqrt(2) * NormalDist().inv_cdf(area),
        NormalDist(),
        [],
    )
    for _ in range(draws):
        points = [(normal.cdf(random.gauss(shift, 1)), True) for _ in range(rights)]
        points += [(normal.cdf(random.gauss(0, 1)), False) for _ in range(wrongs)]
        low, high = discrimination(points).interval or (0.0, 1.0)
        covered.append(low <= area <= high)
    return Rate(
        f"interval covers AUROC {area}, {rights} right {wrongs} wrong",
        share(covered),
        draws,
        0.93,
        1.0,
    )


def band_coverage(n: int, shape: tuple[float, float], draws: int, seed: int) -> Rate:
    """How many of the fitted rates of calibrated scores lie in their bands."""
    random, within = Random(seed), []
    for number in range(draws):
        curve = reliability_curve(calibrated(random, n, shape), seed=number, draws=RESAMPLES)
        within.append(share(one.low <= one.fitted <= one.high for one in curve))
    return Rate(f"consistency band holds the fit, n={n}", fmean(within), draws, 0.89, 1.0)


# Chances of being right by score; certificates for 0.8 must be rare wherever the mean chance falls
# short of it.
UNSAFE: dict[str, Callable[[float], float]] = {
    "0.799 throughout": lambda _: 0.799,
    "0.799 from 0.9 on, 0.5 below": lambda score: 0.799 if score >= 0.9 else 0.5,
    "1 at the top tenth, 0.6 below": lambda score: 1.0 if score >= 0.9 else 0.6,
    "the score less 0.1": lambda score: max(0.0, score - 0.1),
    "falling from 0.85 to 0.75": lambda score: 0.75 + 0.1 * score,
    "worst at the top": lambda score: 0.95 - 0.16 * score,
}


def false_certificates(
    name: str, chance: Callable[[float], float], n: int, draws: int, seed: int
) -> Rate:
    """How often a threshold is certified of whose answers fewer than the target are right in the
    mean.
    """
    random, wrong, any_at_all = Random(seed), [], 0
    for _ in range(draws):
        scores = [random.random() for _ in range(n)]
        best = certify([(score, random.random() < chance(score)) for score in scores], TARGET)
        any_at_all += best.threshold is not None
        limit = 2.0 if best.threshold is None else best.threshold
        above = [chance(score) for score in scores if score >= limit]
        wrong.append(bool(above) and fmean(above) < TARGET - 1e-12)
    title = f"falsely certified, {name}, n={n} (any: {any_at_all / draws:.0%})"
    return Rate(title, share(wrong), draws, 0.0, 0.05)


def share(claims: Iterator[bool] | Sequence[bool]) -> float:
    """How many of the claims hold, in 0..1."""
    held = list(claims)
    return sum(held) / len(held)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
