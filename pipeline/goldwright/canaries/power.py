"""What canaries show of an Adversary's power: the share of falsehoods that it catches."""

from dataclasses import dataclass
from math import ceil
from typing import Final, Literal

from goldwright.canaries.catch_counts import CatchCounts
from goldwright.canaries.kinds import KINDS
from goldwright.stats.binomial import wilson

PowerVerdict = Literal["shown", "undecided", "below"]
"""How the measured power stands to the stated one: its whole interval lies on one side, or not."""

# It leads to twenty canaries for a stated power of one half: enough that an Adversary which catches
# one falsehood in five is found below it, and one that catches four is shown to have it, each in 80
# of 100 runs.
_MARGIN: Final = 0.22
# The square of the quantile that belongs to an interval of 95 %.
_SQUARED_QUANTILE: Final = 3.8415


@dataclass(frozen=True, slots=True)
class AdversaryPower:
    """The measured power of an Adversary against the one that was stated beforehand.

    Attributes:
        stated: The share of falsehoods that it has to catch, in 0..1.
        counts: The canaries that it caught, of those that reached it.
    """

    stated: float
    counts: CatchCounts

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval of the share that it catches."""
        return wilson(self.counts.caught, self.counts.total)

    @property
    def verdict(self) -> PowerVerdict:
        """What the canaries show; never from the share alone, which a few canaries leave to luck.

        A stated power of 0 is shown by anybody.
        """
        low, high = self.interval
        if high < self.stated:
            return "below"
        return "shown" if low >= self.stated else "undecided"


def default_canary_count(records: int, stated_power: float) -> int:
    """Give the number of canaries for a run whose Adversary is a model.

    As many as tell an Adversary well above the stated power from one well below it; but no more
    than one for every two records of the plan, since each costs as much as the attack on a record;
    and no fewer than there are kinds of them.

    Args:
        records: How many records the plan wants.
        stated_power: The share of falsehoods that the Adversary has to catch, in 0..1.
    """
    variance = stated_power * (1 - stated_power)
    decisive = ceil(_SQUARED_QUANTILE * variance / _MARGIN**2)
    return max(len(KINDS), min(decisive, records // 2))
