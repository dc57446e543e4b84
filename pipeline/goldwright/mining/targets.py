"""What a commit changed, as targets at the commit to which a case is pinned."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.mining.commit_changes import ChangedFile
from goldwright.mining.lineage import Lineage
from goldwright.records import MiningLevel
from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import entity_id, split_entity_id

_TARGET_KINDS: Final = frozenset({"function", "method", "class"})


@dataclass(frozen=True, slots=True)
class Targets:
    """The targets of a case.

    Attributes:
        files: Files whose code changed.
        symbols: Functions, methods and classes that changed.
        lost: How many more there were, of the kind that is asked for.
    """

    files: tuple[str, ...]
    symbols: tuple[str, ...]
    lost: int = 0

    def are_gone(self, level: MiningLevel, *, at_parent: bool) -> bool:
        """Whether too few are left to be asked for.

        Args:
            level: What is asked for.
            at_parent: Whether the case is pinned to the parent of its commit.
        """
        present = len(self.symbols if level == "symbol" else self.files)
        if not present:
            return True
        # What is left of most of them would be a strange answer. At the parent, what the commit
        # added is not there, and what it changed is what somebody has to find.
        return not at_parent and self.lost > present


class PinnedTargets:
    """Targets at the end of a history."""

    def __init__(self, lineage: Lineage, snapshot: Snapshot) -> None:
        self._lineage = lineage
        self._snapshot = snapshot

    def files(self, changed: Iterable[ChangedFile], position: int) -> Targets:
        """Follow the changed files of a commit."""
        paths = [self._file(item, position) for item in changed]
        existing = [path for path in paths if path is not None and self._snapshot.has_text(path)]
        return Targets(_distinct(existing), (), len(paths) - len(existing))

    def symbols(self, changed: Iterable[ChangedFile], position: int) -> Targets:
        """Follow the changed definitions of a commit."""
        ids = [identifier for item in changed for identifier in self._symbols(item, position)]
        existing = [item for item in ids if item is not None and self._is_target(item)]
        files = _distinct(split_entity_id(identifier)[0] for identifier in existing)
        return Targets(files, _distinct(existing), len(ids) - len(existing))

    def _file(self, changed: ChangedFile, position: int) -> str | None:
        if changed.file.status == "D":
            return None
        return self._lineage.follow_file(changed.file.new_path, position)

    def _symbols(self, changed: ChangedFile, position: int) -> Iterator[str | None]:
        for definition in changed.code.definitions:
            if definition.after:
                identifier = entity_id(changed.file.new_path, definition.name)
                yield self._lineage.follow_symbol(identifier, position)
            else:
                identifier = entity_id(changed.file.old_path, definition.name)
                yield self._lineage.follow_removed(identifier, position)

    def _is_target(self, identifier: str) -> bool:
        entity = self._snapshot.entity(identifier)
        return entity is not None and entity.kind in _TARGET_KINDS


def files_at_parent(changed: Iterable[ChangedFile]) -> Targets:
    """Give the changed files that the parent of their commit has."""
    items = list(changed)
    paths = [item.file.old_path for item in items if item.file.status != "A"]
    return Targets(_distinct(paths), (), len(items) - len(paths))


def symbols_at_parent(changed: Iterable[ChangedFile]) -> Targets:
    """Give the changed definitions that the parent of their commit has."""
    existing: list[str] = []
    lost = 0
    for item in changed:
        for definition in item.code.definitions:
            if definition.before:
                existing.append(entity_id(item.file.old_path, definition.name))
            else:
                lost += 1
    files = _distinct(split_entity_id(identifier)[0] for identifier in existing)
    return Targets(files, _distinct(existing), lost)


def changed_names(changed: Sequence[ChangedFile]) -> tuple[str, ...]:
    """Give the changed definitions as ids in the paths behind the commit."""
    ids = [
        entity_id(item.file.new_path, definition.name)
        for item in changed
        for definition in item.code.definitions
    ]
    return _distinct(ids)


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(names)))
