"""What a dotted name means at a place: through definitions, imports, re-exports and base classes."""

from collections.abc import Mapping, Sequence
from typing import Final

from goldwright.snapshot.file_facts import FileFacts
from goldwright.snapshot.language import Kinds
from goldwright.snapshot.python.modules import absolute_module, module_names

DEEPEST: Final = 8


class Resolver:
    """Resolves names to entity ids over all files of a codebase.

    ``kinds`` maps every entity id to its kind.
    """

    def __init__(self, facts: Mapping[str, FileFacts], kinds: Kinds) -> None:
        self._kinds = kinds
        self._modules = module_names(tuple(facts))
        self._imports = {path: self._import_table(path, one) for path, one in facts.items()}
        self._stars = {path: self._star_modules(path, one) for path, one in facts.items()}
        self._named: dict[tuple[str, str], str | None] = {}
        self.bases: dict[str, tuple[str, ...]] = {}
        self._attributes: dict[tuple[str, str], str] = {}
        for path, one in facts.items():
            self._take_bases(path, one)
        # What was resolved before the bases were known may have missed inherited members.
        self._named.clear()
        for path, one in facts.items():
            self._take_attributes(path, one)

    def kind(self, entity_id: str) -> str | None:
        """The kind of an entity."""
        return self._kinds.get(entity_id)

    def name(self, path: str, dotted: str, depth: int = 0) -> str | None:
        """The entity that a dotted name means at the top of a file."""
        if depth:
            return self._name(path, dotted, depth) if depth <= DEEPEST else None
        known = self._named.get((path, dotted), "")
        if known == "":
            known = self._named[path, dotted] = self._name(path, dotted, 0)
        return known

    def _name(self, path: str, dotted: str, depth: int) -> str | None:
        head, _, rest = dotted.partition(".")
        if f"{path}::{head}" in self._kinds:
            return self.member(f"{path}::{head}", rest)
        imported = self._imports[path].get(head)
        if imported is not None:
            return self._imported(*imported, rest, depth)
        for module in self._stars[path]:
            found = self.name(module, dotted, depth + 1)
            if found is not None:
                return found
        return None

    def member(self, owner: str, rest: str) -> str | None:
        """The entity that ``rest`` means inside another one; a class is searched with its bases."""
        if not rest:
            return owner
        name, _, deeper = rest.partition(".")
        for one in self.lineage(owner):
            if f"{one}.{name}" in self._kinds:
                return self.member(f"{one}.{name}", deeper)
        return None

    def called(self, path: str, owner: str, dotted: str) -> str | None:
        """The entity that a call of ``dotted`` by ``owner`` reaches; never a plain variable."""
        found = self._called(path, owner, dotted)
        return found if found is not None and self._kinds[found] != "variable" else None

    def lineage(self, class_id: str) -> Sequence[str]:
        """A class and its bases inside the codebase, nearest first."""
        found = [class_id]
        for one in found:
            found.extend(base for base in self.bases.get(one, ()) if base not in found)
        return found

    def _called(self, path: str, owner: str, dotted: str) -> str | None:
        if dotted.startswith("("):
            made, _, rest = dotted[1:].partition(").")
            return self._of_instance(self._local(path, owner, made), rest)
        head, _, rest = dotted.partition(".")
        if head in {"self", "cls", "super()"} and rest:
            return self._of_self(path, owner, rest, above=head == "super()")
        return self._local(path, owner, dotted)

    def _local(self, path: str, owner: str, dotted: str) -> str | None:
        """A name as a function sees it: nested definitions of its own and of those around it come
        first.
        """
        head, _, rest = dotted.partition(".")
        scope = owner
        while scope:
            if (
                self._kinds.get(f"{path}::{scope}") != "class"
                and f"{path}::{scope}.{head}" in self._kinds
            ):
                return self.member(f"{path}::{scope}.{head}", rest)
            scope = scope.rpartition(".")[0]
        return self.name(path, dotted)

    def _of_self(self, path: str, owner: str, rest: str, *, above: bool) -> str | None:
        class_id = self._class_around(path, owner)
        if class_id is None:
            return None
        name, _, deeper = rest.partition(".")
        candidates = self.lineage(class_id)[1:] if above else self.lineage(class_id)
        for one in candidates:
            held = self._attributes.get((one, name))
            if deeper and held is not None:
                return self._of_instance(held, deeper)
            if f"{one}.{name}" in self._kinds:
                return None if deeper else f"{one}.{name}"
        return None

    def _of_instance(self, class_id: str | None, rest: str) -> str | None:
        if class_id is None or self._kinds.get(class_id) != "class" or "." in rest:
            return None
        return self.member(class_id, rest)

    def _class_around(self, path: str, owner: str) -> str | None:
        scope = owner.rpartition(".")[0]
        while scope:
            if self._kinds.get(f"{path}::{scope}") == "class":
                return f"{path}::{scope}"
            scope = scope.rpartition(".")[0]
        return None

    def _imported(self, module: str, name: str, rest: str, depth: int) -> str | None:
        wanted = [part for part in (*name.split("."), *rest.split(".")) if part]
        while True:
            path = self._modules.get(module)
            if path is not None and wanted:
                found = self.name(path, ".".join(wanted), depth + 1)
                if found is not None:
                    return found
            if not wanted:
                return None
            module = f"{module}.{wanted.pop(0)}" if module else wanted.pop(0)

    def _import_table(self, path: str, one: FileFacts) -> Mapping[str, tuple[str, str]]:
        return {
            item.alias: (self._module(path, item.module, item.level), item.name)
            for item in one.imports
        }

    def _star_modules(self, path: str, one: FileFacts) -> tuple[str, ...]:
        modules = (
            self._module(path, item.module, item.level) for item in one.imports if item.name == "*"
        )
        return tuple(
            self._modules[module] for module in modules if self._modules.get(module, path) != path
        )

    def _module(self, path: str, module: str, level: int) -> str:
        return absolute_module(path, module, level) if level else module

    def _take_bases(self, path: str, one: FileFacts) -> None:
        for base in one.bases:
            found = self._local(path, base.owner.rpartition(".")[0], base.dotted)
            class_id = f"{path}::{base.owner}"
            if found is not None and found != class_id and self._kinds[found] == "class":
                self.bases[class_id] = (*self.bases.get(class_id, ()), found)

    def _take_attributes(self, path: str, one: FileFacts) -> None:
        for held in one.attributes:
            name, _, written = held.dotted.partition(":")
            found = self.name(path, written)
            if found is not None and self._kinds[found] == "class":
                self._attributes.setdefault((f"{path}::{held.owner}", name), found)
