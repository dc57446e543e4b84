"""Ceilings on what may be spent: dollars of a user, whole micro-dollars inside."""

import math

from goldwright.config import LARGEST_BUDGET, SMALLEST_BUDGET
from goldwright.errors import InputError
from goldwright.llm.budget import MICRO, Budget
from goldwright.llm.call_journal import CallJournal


def micro_usd(usd: float | None) -> int | None:
    """Convert dollars to whole micro-dollars, rounded down; no ceiling stays no ceiling."""
    if usd is None:
        return None
    # 0.000249 * 1_000_000 is 248.99999999999997; the margin makes it 249.
    return math.floor(usd * MICRO + 1e-6)


def ceiling_from_flag(usd: float | None) -> int | None:
    """Convert the value of ``--budget-usd`` to micro-dollars.

    Raises:
        InputError: It is not an amount of money within bounds.
    """
    if usd is None:
        return None
    # NaN fails this comparison too.
    if not SMALLEST_BUDGET <= usd <= LARGEST_BUDGET:
        raise InputError(
            f"--budget-usd {usd}: wanted a number of dollars "
            f"from {SMALLEST_BUDGET} to {LARGEST_BUDGET:.0f}"
        )
    return micro_usd(usd)


def budget_after_earlier_calls(ceiling: int | None, journal: CallJournal) -> Budget:
    """Open a budget of which what earlier processes spent is gone.

    Args:
        ceiling: The most that may be spent, in micro-dollars; None for no ceiling.
        journal: The calls of these processes.
    """
    budget = Budget(ceiling)
    budget.spend("earlier", journal.total.most_micro_usd)
    return budget
