"""Ids as other tools write them, read as those of the codebase."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from goldwright.golden.id_spelling import KnownSpelling, nearest_spelling
from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import Entity, split_entity_id

# ``path.py:12-40``, ``path.py:12``, ``path.py#L12-L40``.
_LINES: Final = re.compile(
    r"(?P<file>.+?)(?:#L|:)(?P<start>[1-9]\d{0,8})(?:-L?(?P<end>[1-9]\d{0,8}))?"
)


class IdReadings:
    """Reads ids of entities and files.

    An id that the codebase knows stays as it is. Otherwise back slashes become slashes, a leading
    ``./`` and the directory of the codebase are removed, and lines of a file (``path.py:12-40``,
    ``path.py#L12-L40``) become the entity that most of them belong to; of entities that hold as
    many of the lines, the smallest.
    """

    def __init__(self, snapshot: Snapshot, root: Path) -> None:
        """Start without any id.

        Args:
            snapshot: The codebase.
            root: The directory of the codebase, which ids may begin with.
        """
        self._snapshot = snapshot
        self._root_prefixes = _root_prefixes(root)
        # Queries share many results, and reading an id searches the snapshot.
        self._resolved: dict[str, str] = {}

    def resolve(self, raw_id: str) -> str:
        """Resolve one id; an id that the codebase does not know in any reading stays as it is."""
        if raw_id not in self._resolved:
            known_readings = filter(self.is_known, self._readings(raw_id))
            self._resolved[raw_id] = next(known_readings, raw_id)
        return self._resolved[raw_id]

    def is_known(self, result_id: str) -> bool:
        """Whether the codebase has such an entity or such a file."""
        path, name = split_entity_id(result_id)
        if name:
            return self._snapshot.entity(result_id) is not None
        return self._snapshot.has_text(path)

    def nearest_spelling(self, raw_id: str) -> KnownSpelling | None:
        """How an id that the codebase does not know would have to be written, if that shows."""
        return nearest_spelling(self._localize(raw_id), self._snapshot)

    def _readings(self, raw_id: str) -> Iterator[str]:
        """Yield what an id may mean, the most literal spelling first."""
        for local_id in dict.fromkeys((raw_id, self._localize(raw_id))):
            match = _LINES.fullmatch(local_id)
            if match and self._snapshot.has_text(match["file"]):
                # A range that ends before it starts is read as its first line.
                start = int(match["start"])
                end = max(start, int(match["end"] or start))
                yield self._entity_at(match["file"], start, end)
            yield local_id

    def _localize(self, raw_id: str) -> str:
        path = raw_id.replace("\\", "/")
        for prefix in self._root_prefixes:
            path = path.removeprefix(prefix)
        while path.startswith("./"):
            path = path.removeprefix("./")
        return path

    def _entity_at(self, path: str, start: int, end: int) -> str:
        """Name the entity that most of the lines belong to, or the file where none does."""
        entities = self._snapshot.entities_in(path)
        fit = partial(_line_fit, start=start, end=end)
        entity = max(entities, key=fit, default=None)
        if entity is None or _shared_lines(entity, start, end) == 0:
            return path
        return entity.entity_id


def _root_prefixes(root: Path) -> Sequence[str]:
    """The prefixes of absolute paths; a retriever may or may not have followed symbolic links."""
    absolute = root.absolute().as_posix()
    resolved = root.resolve().as_posix()
    if absolute == resolved:
        return (f"{absolute}/",)
    return f"{absolute}/", f"{resolved}/"


def _line_fit(entity: Entity, start: int, end: int) -> tuple[int, int]:
    """Sort key of entities: by the lines that they share with a range, then by small size."""
    size = 0
    for span in entity.spans:
        size += span.last - span.first
    return _shared_lines(entity, start, end), -size


def _shared_lines(entity: Entity, start: int, end: int) -> int:
    lines = 0
    for span in entity.spans:
        first_shared = max(span.first, start)
        last_shared = min(span.last, end)
        lines += max(last_shared - first_shared + 1, 0)
    return lines
