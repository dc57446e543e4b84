"""Sets that a record should expect as a whole: all callers of something, all of a family."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from goldwright.trust_card.measure import Observation

_MOST_NAMES: Final = 6


@dataclass(frozen=True, slots=True)
class ExpectedSet:
    """The set that a question asks for, and which of its members its record does not expect.

    Attributes:
        query_id: The record.
        title: What the set holds, as in "callers of shop.py::pay".
        members: The ids of all members, in the order in which they are reported.
        missing: The ids of those that the record does not expect.
    """

    query_id: str
    title: str
    members: tuple[str, ...]
    missing: tuple[str, ...]

    @property
    def problem(self) -> str:
        """Which members are missing; empty where none is."""
        if not self.missing:
            return ""
        names = ", ".join(self.missing[:_MOST_NAMES])
        missing_count = len(self.missing)
        share = f"{missing_count} of {len(self.members)}"
        return f"lacks {share} {self.title}: {names}"


def observe_sets(sets: Iterable[ExpectedSet]) -> Iterator[Observation]:
    """Observe of each set whether it is expected as a whole."""
    for expected_set in sets:
        yield Observation.of_merit(expected_set.query_id, expected_set.problem)


def observe_members(sets: Iterable[ExpectedSet]) -> Iterator[Observation]:
    """Observe of each member of each set whether it is expected."""
    for expected_set in sets:
        for member in expected_set.members:
            is_expected = member not in expected_set.missing
            yield Observation(expected_set.query_id, float(is_expected))
