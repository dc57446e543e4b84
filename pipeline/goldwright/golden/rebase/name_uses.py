"""Where two commits use a name, read from the text of the files that differ between them."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from goldwright.snapshot import Snapshot
from goldwright.text import counted

_CLASS: Final = re.compile(
    r"^[ \t]*class[ \t]+(?P<name>\w+)[ \t]*\((?P<bases>[^)]*)\)", re.MULTILINE
)
_IDENTIFIER: Final = re.compile(r"[^\W\d]\w*")


@dataclass
class NameUses:
    """Where two commits use names; files that are the same in both are not read."""

    old: Snapshot
    new: Snapshot

    def __post_init__(self) -> None:
        self._changes: dict[tuple[str, bool], str | None] = {}

    def change_of(self, name: str, *, with_imports: bool) -> str | None:
        """Say that a name, or a class derived from it, stands in other lines now; None if not.

        Args:
            name: The name, without what it belongs to.
            with_imports: Whether lines that import it count: by themselves they use nothing.
        """
        key = (name, with_imports)
        if key not in self._changes:
            self._changes[key] = self._find_change(
                name, with_imports=with_imports, seen_names=set()
            )
        return self._changes[key]

    def _find_change(self, name: str, *, with_imports: bool, seen_names: set[str]) -> str | None:
        seen_names.add(name)
        old_lines = _lines_with(name, self._old_texts, with_imports=with_imports)
        new_lines = _lines_with(name, self._new_texts, with_imports=with_imports)
        if old_lines != new_lines:
            differing_lines = (old_lines - new_lines) + (new_lines - old_lines)
            count = sum(differing_lines.values())
            return f"{counted(count, 'line')} with `{name}` came or went"
        # A class that derives from one that derives from it does not name it.
        for derived in self._derived.get(name, ()):
            if derived not in seen_names:
                change = self._find_change(
                    derived, with_imports=with_imports, seen_names=seen_names
                )
                if change is not None:
                    return change
        return None

    @cached_property
    def _old_texts(self) -> tuple[str, ...]:
        return tuple(_changed_texts(self.old, self.new))

    @cached_property
    def _new_texts(self) -> tuple[str, ...]:
        return tuple(_changed_texts(self.new, self.old))

    @cached_property
    def _derived(self) -> Mapping[str, tuple[str, ...]]:
        """Give the names of classes by the name of each of their bases, at the newer commit."""
        derived: dict[str, list[str]] = {}
        for path in self.new.source_files:
            if not self.new.has_text(path):
                continue
            for match in _CLASS.finditer(self.new.source(path).text):
                for base in _IDENTIFIER.findall(match["bases"]):
                    derived.setdefault(base, []).append(match["name"])
        return {base: tuple(dict.fromkeys(names)) for base, names in derived.items()}


def _changed_texts(snapshot: Snapshot, other_snapshot: Snapshot) -> Iterator[str]:
    """Yield the source files of one commit that are not the same files at the other one."""
    for path in snapshot.source_files:
        counterpart = other_snapshot.files.get(path)
        oid = snapshot.files[path].oid
        is_same = counterpart is not None and counterpart.oid == oid
        if not is_same and snapshot.has_text(path):
            yield snapshot.source(path).text


def _lines_with(name: str, texts: tuple[str, ...], *, with_imports: bool) -> Counter[str]:
    """Count the lines that hold a name as a word, without the blanks around them."""
    escaped_name = re.escape(name)
    pattern = re.compile(rf"\b{escaped_name}\b")
    lines: Counter[str] = Counter()
    for text in texts:
        # Most files do not hold the name at all.
        if name not in text:
            continue
        for line in text.splitlines():
            if name not in line or not pattern.search(line):
                continue
            code = line.strip()
            if with_imports or not code.startswith(("import ", "from ")):
                lines[code] += 1
    return lines
