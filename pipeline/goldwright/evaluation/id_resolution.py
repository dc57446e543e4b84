"""Ids as foreign retrievers write them, read as those of the codebase."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from goldwright.retrieval.connections import Connection, Question, RetrieverReply
from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import Entity, split_entity_id

_LINES: Final = re.compile(
    r"(?P<file>.+?)(?:#L|:)(?P<start>[1-9]\d{0,8})(?:-L?(?P<end>[1-9]\d{0,8}))?"
)


class IdResolution:
    """Asks a connection, and reads its ids as the codebase has them.

    An id that the codebase knows stays as it is. Else back slashes, a leading ``./`` and the
    directory of the codebase are taken off, and lines of a file (``path.py:12-40``,
    ``path.py#L12-L40``) become the entity that most of them belong to: of those that hold as many,
    the smallest. Where several results come to one id, the best counts.
    """

    def __init__(self, connection: Connection, snapshot: Snapshot, root: Path) -> None:
        """Take a connection, and the codebase with the directory that it lies in."""
        self._connection = connection
        self._snapshot = snapshot
        self._roots = tuple(
            f"{one}/"
            for one in dict.fromkeys((root.absolute().as_posix(), root.resolve().as_posix()))
        )
        self._read: dict[str, str] = {}

    def ask(self, question: Question) -> RetrieverReply:
        """Ask, and read what comes back."""
        retrieved = self._connection.ask(question)
        best: dict[str, float] = {}
        for name, score in retrieved.hits:
            known = self.resolve(name)
            best[known] = max(score, best.get(known, score))
        return replace(retrieved, hits=list(best.items()))

    def resolve(self, name: str) -> str:
        """Read one id; what is no entity and no file in any reading stays as it is."""
        if name not in self._read:
            self._read[name] = next(
                (one for one in self._readings(name) if self.is_known(one)), name
            )
        return self._read[name]

    def is_known(self, name: str) -> bool:
        """Tell whether the codebase has such an entity, or such a file."""
        return self._snapshot.entity(name) is not None or self._snapshot.has_text(
            split_entity_id(name)[0]
        )

    def _readings(self, name: str) -> Iterator[str]:
        for one in dict.fromkeys((name, self._local(name))):
            found = _LINES.fullmatch(one)
            if found and self._snapshot.has_text(found["file"]):
                start = int(found["start"])
                yield self._holding(found["file"], start, max(int(found["end"] or start), start))
            yield one

    def _local(self, name: str) -> str:
        path = name.replace("\\", "/")
        for root in self._roots:
            path = path.removeprefix(root)
        while path.startswith("./"):
            path = path[2:]
        return path

    def _holding(self, path: str, start: int, end: int) -> str:
        """The entity to which most of some lines belong, or the file where they belong to none."""

        def held(entity: Entity) -> tuple[int, int]:
            lines = sum(
                max(min(span.last, end) - max(span.first, start) + 1, 0) for span in entity.spans
            )
            return lines, -sum(span.last - span.first for span in entity.spans)

        best = max(self._snapshot.entities_in(path), key=held, default=None)
        return best.entity_id if best is not None and held(best)[0] > 0 else path
