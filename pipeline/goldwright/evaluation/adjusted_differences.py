"""Differences of several measures, tested together on the same queries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.stats.multiple_testing import holm
from goldwright.stats.paired_comparison import PairedDifference, compare_pairs

# The customary 5 %; Holm's correction keeps it over all measures together.
SIGNIFICANCE_LEVEL: Final = 0.05


@dataclass(frozen=True, slots=True)
class AdjustedDifference:
    """The difference of one measure, as one of several.

    Attributes:
        difference: The paired comparison of the queries.
        adjusted_p: Its p-value after Holm over all measures.
    """

    difference: PairedDifference
    adjusted_p: float


def compare_columns(
    columns: Mapping[str, Sequence[float]], *, seed: int
) -> Mapping[str, AdjustedDifference]:
    """Test the differences of every measure.

    Args:
        columns: For each measure by name its differences, a query each.
        seed: Chooses the draws of the permutation test.
    """
    # Holm's first step, which a measure must pass where it is the only one to differ.
    alpha = SIGNIFICANCE_LEVEL / len(columns)
    differences = {}
    p_values = {}
    for name, column in columns.items():
        difference = compare_pairs(column, seed=seed, alpha=alpha)
        differences[name] = difference
        p_values[name] = difference.p_value
    adjusted = {}
    for name, adjusted_p in holm(p_values).items():
        adjusted[name] = AdjustedDifference(differences[name], adjusted_p)
    return adjusted
