"""Which definition each byte of a TypeScript file belongs to."""

from bisect import bisect_right
from collections.abc import Iterable

from goldwright.snapshot.languages.typescript.definitions import PlacedDefinition


class OwnersByByte:
    """The innermost definition around each byte of a file."""

    def __init__(self, placed: Iterable[PlacedDefinition]) -> None:
        self._starts: list[int] = []
        self._names: list[str] = []
        # Values and fields belong to what they stand in, as in other languages.
        owners = [item for item in placed if item.definition.kind != "variable"]
        owners.sort(key=_outer_first)
        enclosing: list[PlacedDefinition] = []
        for item in owners:
            while enclosing and enclosing[-1].end <= item.start:
                self._close(enclosing)
            enclosing.append(item)
            self._mark(item.start, item.definition.name)
        while enclosing:
            self._close(enclosing)

    def at(self, position: int) -> str:
        """Give the qualified name; empty outside of definitions."""
        index = bisect_right(self._starts, position) - 1
        return self._names[index] if index >= 0 else ""

    def _close(self, enclosing: list[PlacedDefinition]) -> None:
        innermost = enclosing.pop()
        outer = enclosing[-1].definition.name if enclosing else ""
        self._mark(innermost.end, outer)

    def _mark(self, start: int, name: str) -> None:
        self._starts.append(start)
        self._names.append(name)


def _outer_first(item: PlacedDefinition) -> tuple[int, int]:
    return item.start, -item.end
