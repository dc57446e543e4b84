"""Several systems on one dataset: their means, every pair of them, and who cannot be told apart."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from goldwright.errors import InputError
from goldwright.evaluation.adjusted_differences import SIGNIFICANCE_LEVEL
from goldwright.evaluation.query_scores import value_of
from goldwright.evaluation.report import EvaluationReport
from goldwright.evaluation.report_comparison import check_comparable
from goldwright.evaluation.strata import MeanWithInterval, mean_of
from goldwright.stats.letter_groups import letter_groups
from goldwright.stats.max_t import max_t
from goldwright.stats.paired_comparison import PairedDifference, compare_pairs
from goldwright.text import counted

FEWEST_SYSTEMS: Final = 2
# More are compared two by two in hours, and nobody reads a matrix of them.
MOST_SYSTEMS: Final = 26
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class SystemPair:
    """Two systems by the measure of a comparison.

    Attributes:
        better: The system with the higher mean.
        worse: The other one.
        difference: The paired comparison of the queries, ``better`` less ``worse``.
        adjusted_p: The p-value of the difference by max-T over all pairs.
    """

    better: str
    worse: str
    difference: PairedDifference
    adjusted_p: float

    @property
    def is_shown(self) -> bool:
        """Whether the difference is more than chance gives at the 5 % level, over all pairs."""
        return self.adjusted_p < SIGNIFICANCE_LEVEL


@dataclass(frozen=True, slots=True)
class SystemComparison:
    """Several systems by one measure on the same queries.

    Attributes:
        measure: The measure.
        means: The mean of each system, the best first.
        pairs: Every pair, in the order of the means.
        groups: The largest groups of systems no two of which are shown to differ, the best first.
    """

    measure: str
    means: Mapping[str, MeanWithInterval]
    pairs: tuple[SystemPair, ...]
    groups: tuple[tuple[str, ...], ...]

    def letters(self, system: str) -> str:
        """Name the groups of a system by a letter each; two with a letter in common do not differ.

        Beyond 26 groups, which need as many systems, letters start again in upper case.
        """
        letters = _LETTERS + _LETTERS.upper()
        own_numbers = [number for number, group in enumerate(self.groups) if system in group]
        return "".join(letters[number] for number in own_numbers)

    def wins(self, system: str, opponent: str) -> int:
        """Count the queries on which a system is better than another one."""
        for pair in self.pairs:
            if (pair.better, pair.worse) == (system, opponent):
                return pair.difference.wins
            if (pair.better, pair.worse) == (opponent, system):
                return pair.difference.losses
        raise KeyError(f"{system} and {opponent} were not compared")

    @property
    def best(self) -> tuple[str, ...]:
        """The systems that cannot be told from the one with the highest mean, that one first."""
        return self.groups[0]


def compare_systems(
    reports: Mapping[str, EvaluationReport], measure: str, *, seed: int
) -> SystemComparison:
    """Compare every pair of systems by one measure, as one question.

    Args:
        reports: The evaluation of each system by its name, at least two.
        measure: The measure that decides.
        seed: Chooses the draws of the permutation tests.

    Raises:
        InputError: There are too few or too many, they were not scored on the same queries of the
            same dataset in the same way, or they lack the measure.
    """
    if not FEWEST_SYSTEMS <= len(reports) <= MOST_SYSTEMS:
        count = counted(len(reports), "system")
        raise InputError(f"{count}; wanted {FEWEST_SYSTEMS} to {MOST_SYSTEMS} to compare")
    first, *later_reports = reports.values()
    for report in later_reports:
        check_comparable(first, report)
    columns = {name: _column(report, first, measure) for name, report in reports.items()}
    means = {name: mean_of(column) for name, column in columns.items()}
    # Equal means keep the order in which the systems were named.
    ordered = sorted(means, key=lambda name: -means[name].value)
    pairs = tuple(_compare_pairs(ordered, columns, seed))
    shown_pairs = {frozenset((pair.better, pair.worse)) for pair in pairs if pair.is_shown}
    groups = letter_groups(ordered, shown_pairs)
    return SystemComparison(
        measure=measure,
        means={name: means[name] for name in ordered},
        pairs=pairs,
        groups=tuple(map(tuple, groups)),
    )


def _column(report: EvaluationReport, first: EvaluationReport, measure: str) -> Sequence[float]:
    """The values of a system in the order of the queries of the first one."""
    by_id = report.by_id
    return [value_of(by_id[query.query_id], measure) for query in first.queries]


def _compare_pairs(
    ordered: Sequence[str], columns: Mapping[str, Sequence[float]], seed: int
) -> list[SystemPair]:
    differences = {}
    for better, worse in combinations(ordered, 2):
        values = zip(columns[better], columns[worse], strict=True)
        differences[better, worse] = [high - low for high, low in values]
    # A name by place, for two systems may not be told apart by what joins their names.
    numbered_columns = enumerate(differences.values())
    difference_columns = {str(place): column for place, column in numbered_columns}
    adjusted = max_t(difference_columns, seed=seed)
    alpha = SIGNIFICANCE_LEVEL / len(differences)
    pairs = []
    for place, ((better, worse), column) in enumerate(differences.items()):
        difference = compare_pairs(column, seed=seed, alpha=alpha)
        adjusted_p = max(adjusted[str(place)], difference.p_value)
        pairs.append(SystemPair(better, worse, difference, adjusted_p))
    return pairs
