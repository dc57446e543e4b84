"""Differences of several measures, tested together on the same queries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.stats.max_t import max_t
from goldwright.stats.paired_comparison import PairedDifference, compare_pairs

# The customary 5 %, which max-T keeps over all measures together.
SIGNIFICANCE_LEVEL: Final = 0.05


@dataclass(frozen=True, slots=True)
class AdjustedDifference:
    """The difference of one measure, as one of several.

    Attributes:
        difference: The paired comparison of the queries.
        adjusted_p: Its p-value by max-T over all measures: how likely chance alone makes any of
            them differ as clearly. Never less than that of the measure alone.
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
    # The level of one of several that have nothing in common; what could be shown errs upwards.
    alpha = SIGNIFICANCE_LEVEL / len(columns)
    joint_p_values = max_t(columns, seed=seed)
    adjusted = {}
    for name, column in columns.items():
        difference = compare_pairs(column, seed=seed, alpha=alpha)
        # Two sets of draws may tell the same p-value a little differently.
        adjusted_p = max(joint_p_values[name], difference.p_value)
        adjusted[name] = AdjustedDifference(difference, adjusted_p)
    return adjusted
