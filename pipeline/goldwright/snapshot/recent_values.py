"""A dictionary of limited weight: what was used last stays."""

from collections import OrderedDict
from typing import Generic, TypeVar

Value = TypeVar("Value")


class RecentValues(Generic[Value]):
    """Values by name, each with a weight, which together stay below a limit."""

    def __init__(self, limit: int) -> None:
        """Start empty.

        Args:
            limit: The largest sum of the weights. One value alone may be heavier.
        """
        self._limit = limit
        self._weight = 0
        self._values: OrderedDict[str, tuple[Value, int]] = OrderedDict()

    def get(self, name: str) -> Value | None:
        """Give a value that is still there, and count it as used."""
        entry = self._values.get(name)
        if entry is None:
            return None
        self._values.move_to_end(name)
        return entry[0]

    def put(self, name: str, value: Value, weight: int) -> None:
        """Add a value, and let go of those that were not used for longest."""
        _, former_weight = self._values.pop(name, (None, 0))
        self._values[name] = value, weight
        self._weight += weight - former_weight
        while self._weight > self._limit and len(self._values) > 1:
            _, (_, dropped_weight) = self._values.popitem(last=False)
            self._weight -= dropped_weight
