"""Where files and symbols of one commit are at the end of the history, through renames and moves.

An event is a commit that renames a file, or takes a definition out of one file and puts the same
code into another. A target follows each event that did not lead up to its own commit, the earliest
first. That holds on branches too: all of them were merged into the end, and an event on one branch
also moves what another branch changed under the old name.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from goldwright.snapshot.entities import entity_id, split_entity_id


@dataclass(frozen=True, slots=True)
class Event:
    """A rename or a move.

    Attributes:
        position: The position of the commit in the history, parents before children.
        old: The path of a file or the id of a symbol before.
        new: The same afterwards.
    """

    position: int
    old: str
    new: str


class Lineage:
    """The events of a history, and the ways through them."""

    def __init__(self, parents: Sequence[tuple[int, ...]]) -> None:
        """Begin without events.

        Args:
            parents: The positions of the parents of each commit, in the order of the history.
        """
        self._parents = parents
        self._events: dict[str, list[Event]] = defaultdict(list)

    def add(self, event: Event) -> None:
        """Add an event, in any order."""
        self._events[event.old].append(event)

    def follow_file(self, path: str, position: int) -> str:
        """Give the last path of the file that had a path right after a commit."""
        return self._follow(path, position)

    def follow_symbol(self, identifier: str, position: int) -> str:
        """Give the last id of the symbol that had an id right after a commit."""
        return self._follow(identifier, position)

    def follow_removed(self, identifier: str, position: int) -> str | None:
        """Give the last id of a symbol that a commit took out of a file.

        Another one of its name may have come later: only where this very commit put it elsewhere,
        or the definition around it, is it the same. Otherwise it is gone, and None is given.
        """
        path, _ = split_entity_id(identifier)
        for name in _names_that_move(identifier):
            if name == path:
                continue
            for event in self._events.get(name, ()):
                if event.position == position:
                    return self.follow_symbol(event.new + identifier[len(name) :], position)
        return None

    def is_ancestor(self, earlier: int, later: int) -> bool:
        """Return whether a commit led to another one, or is the same."""
        if earlier >= later:
            return earlier == later
        visited = {later}
        stack = [later]
        while stack:
            for parent in self._parents[stack.pop()]:
                if parent == earlier:
                    return True
                # Parents stand before their children, so nothing earlier can lead there.
                if parent > earlier and parent not in visited:
                    visited.add(parent)
                    stack.append(parent)
        return False

    def _follow(self, target: str, position: int) -> str:
        # Renames there and back on two branches would go round for ever.
        followed: set[Event] = set()
        while True:
            event = self._next_event(target, position, followed)
            if event is None:
                return target
            followed.add(event)
            target = event.new + target[len(event.old) :]
            position = event.position

    def _next_event(self, target: str, position: int, followed: set[Event]) -> Event | None:
        """Find the earliest event that moves a target and did not lead up to a commit."""
        earliest: Event | None = None
        # A move of a definition comes before a rename of its file in the same commit.
        for name in _names_that_move(target):
            for event in self._events.get(name, ()):
                is_earlier = earliest is None or event.position < earliest.position
                if not is_earlier or event in followed:
                    continue
                if not self.is_ancestor(event.position, position):
                    earliest = event
        return earliest


def _names_that_move(target: str) -> Sequence[str]:
    """List what a target moves with: itself, the definitions around it, its file."""
    path, name = split_entity_id(target)
    names: list[str] = []
    while name:
        names.append(entity_id(path, name))
        name = name.rpartition(".")[0]
    names.append(path)
    return names
