"""How much the tests try: enough on every change, and all of it with ``make thorough``."""

from collections.abc import Sequence
from typing import TypeVar

from hypothesis import HealthCheck, settings

Value = TypeVar("Value")

THOROUGH = "thorough"


def register_profiles() -> None:
    """Tell Hypothesis how many examples to draw, and load what the suite draws."""
    # A machine that others use too may hold any example up; how long one takes is no property of
    # the code.
    patience = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
    # A change is judged by what it changes: the suite draws the same examples each time. Where luck
    # may find more is ``make thorough``.
    settings.register_profile("suite", patience, max_examples=20, derandomize=True)
    settings.register_profile(THOROUGH, patience, max_examples=200)
    settings.load_profile("suite")


def is_thorough() -> bool:
    """Whether everything is to be tried, as ``--hypothesis-profile thorough`` asks."""
    return settings.get_current_profile_name() == THOROUGH


def share_of(count: int, *, suite: int) -> int:
    """How many of ``count`` trials are made: ``suite`` of them, or all."""
    return count if is_thorough() else suite


def first_of(values: Sequence[Value], *, suite: int) -> Sequence[Value]:
    """The values that are tried: the first ``suite`` of them, or all."""
    return values[: share_of(len(values), suite=suite)]
