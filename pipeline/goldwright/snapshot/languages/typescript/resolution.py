"""What names mean across TypeScript files: definitions, relative imports and ``this``."""

import posixpath
from collections.abc import Iterator, Mapping
from typing import Final

from goldwright.snapshot.file_facts import FileFacts, ImportedName
from goldwright.snapshot.languages.language_port import BasesByClass, EntityKinds
from goldwright.snapshot.languages.typescript.definitions import DEFAULT

OWN_OBJECT: Final = "this"
"""What a call on the object that a method belongs to begins with."""

# Code names the file that a compiler writes; ``a.js`` is made from ``a.ts`` or ``a.tsx``.
_WRITTEN_SUFFIXES: Final = (".js", ".jsx", ".mjs", ".cjs")
_ENDINGS: Final = (
    *("", ".ts", ".tsx", ".mts", ".cts", ".d.ts"),
    *("/index.ts", "/index.tsx", "/index.d.ts"),
)
# A file may pass on what another one exports; longer chains than this are circles.
_MOST_STEPS: Final = 12


class TypeScriptNameResolver:
    """Resolves names through definitions, relative imports, re-exports and base classes.

    What comes from packages, path mappings or the types of values stays unresolved.
    """

    def __init__(self, facts: Mapping[str, FileFacts], kinds: EntityKinds) -> None:
        """Read the imports and base classes of all files."""
        self._kinds = kinds
        self._paths = frozenset(facts)
        self._imports: dict[str, dict[str, ImportedName]] = {}
        self._passed_on: dict[str, list[str]] = {}
        written_bases: list[tuple[str, str, str]] = []
        for path, file_facts in facts.items():
            self._read_imports(path, file_facts)
            written_bases.extend((path, base.owner, base.dotted) for base in file_facts.bases)
        self._bases = self._resolve_bases(written_bases)

    @property
    def bases(self) -> BasesByClass:
        """The base classes and interfaces that could be resolved."""
        return self._bases

    def kind(self, entity_id: str) -> str | None:
        """Give the kind of an entity; None where there is no such entity."""
        return self._kinds.get(entity_id)

    def resolve_name(self, path: str, dotted: str) -> str | None:
        """Give the entity that a dotted name means at the top of a file."""
        return self._resolve(path, dotted, _MOST_STEPS)

    def resolve_call(self, path: str, owner: str, dotted: str) -> str | None:
        """Give the entity that a call of a dotted name inside an owner reaches."""
        head, _, member = dotted.partition(".")
        if head == OWN_OBJECT:
            return self._member_of_owner(path, owner, member)
        scope = owner
        # What is defined inside the functions around a call comes before what the file defines.
        while scope:
            local_id = f"{path}::{scope}.{dotted}"
            if self._kinds.get(local_id) == "function":
                return local_id
            scope = scope.rpartition(".")[0]
        return self.resolve_name(path, dotted)

    def _read_imports(self, path: str, file_facts: FileFacts) -> None:
        by_alias = self._imports.setdefault(path, {})
        for imported in file_facts.imports:
            target = self._file(path, imported.module)
            if target is None:
                continue
            located = ImportedName(imported.alias, target, imported.name, imported.level)
            if imported.alias == "*":
                self._passed_on.setdefault(path, []).append(target)
            else:
                by_alias[imported.alias] = located

    def _file(self, path: str, module: str) -> str | None:
        if not module.startswith("."):
            return None
        folder = posixpath.dirname(path)
        place = posixpath.normpath(posixpath.join(folder, module))
        stem, suffix = posixpath.splitext(place)
        places = (place, stem) if suffix in _WRITTEN_SUFFIXES else (place,)
        for candidate in places:
            for ending in _ENDINGS:
                if candidate + ending in self._paths:
                    return candidate + ending
        return None

    def _resolve(self, path: str, dotted: str, steps: int) -> str | None:
        identifier = f"{path}::{dotted}"
        if identifier in self._kinds:
            return identifier
        if steps == 0:
            return None
        head, _, member = dotted.partition(".")
        imported = self._imports.get(path, {}).get(head)
        if imported is not None:
            parts = [part for part in (imported.name, member) if part]
            if not parts:
                return None
            target_name = ".".join(parts)
            return self._resolve(imported.module, target_name, steps - 1)
        for target in self._passed_on.get(path, ()):
            # ``export *`` leaves the default out.
            resolved = None if head == DEFAULT else self._resolve(target, dotted, steps - 1)
            if resolved is not None:
                return resolved
        return None

    def _member_of_owner(self, path: str, owner: str, member: str) -> str | None:
        holder = owner
        while holder and self._kinds.get(f"{path}::{holder}") != "class":
            holder = holder.rpartition(".")[0]
        if not holder or not member or "." in member:
            return None
        for class_id in self._ancestry(f"{path}::{holder}"):
            member_id = f"{class_id}.{member}"
            if member_id in self._kinds:
                return member_id
        return None

    def _ancestry(self, class_id: str) -> Iterator[str]:
        """Yield a class and the classes it derives from, the nearest first."""
        seen_classes = {class_id}
        queue = [class_id]
        while queue:
            nearest = queue.pop(0)
            yield nearest
            for base in self._bases.get(nearest, ()):
                if base not in seen_classes:
                    seen_classes.add(base)
                    queue.append(base)

    def _resolve_bases(self, written_bases: list[tuple[str, str, str]]) -> BasesByClass:
        bases: BasesByClass = {}
        for path, owner, dotted in written_bases:
            class_id = f"{path}::{owner}"
            base_id = self.resolve_name(path, dotted)
            if base_id is not None and base_id != class_id:
                bases[class_id] = (*bases.get(class_id, ()), base_id)
        return bases
