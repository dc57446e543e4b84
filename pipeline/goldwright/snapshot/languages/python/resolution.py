"""What a dotted name means in a file: through definitions, imports, re-exports and base classes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from goldwright.snapshot.file_facts import FileFacts, ImportedName
from goldwright.snapshot.languages.language_port import BasesByClass, EntityKinds
from goldwright.snapshot.languages.python.modules import absolute_module, module_names
from goldwright.snapshot.languages.python.references import OWN_OBJECT

# Re-exports are followed through this many modules; two that import each other would never end.
DEEPEST: Final = 8
# No entity has an empty id, so it can stand for a name that was not looked up yet.
_NOT_LOOKED_UP: Final = ""

# What each imported name stands for: a module, and the name in it or nothing for the module itself.
_ImportTable: TypeAlias = dict[str, tuple[str, str]]
# The modules and names that one look-up has come to, and after how many imports at the fewest.
_Tried: TypeAlias = dict[tuple[str, str], int]


class PythonNameResolver:
    """Resolves names to entity ids over all Python files of a codebase.

    Ids are joined in place here, not by ``entity_id``: each reference of a codebase is looked up
    in several places.

    Attributes:
        bases: The direct base classes of each class, as ids, in written order.
    """

    def __init__(self, facts: Mapping[str, FileFacts], kinds: EntityKinds) -> None:
        self._kinds = kinds
        self._modules = module_names(tuple(facts))
        self._imports: dict[str, _ImportTable] = {}
        self._star_imports: dict[str, list[str]] = {}
        # By the path of a file and a dotted name.
        self._resolved: dict[tuple[str, str], str | None] = {}
        # By the id of a class and the name of an attribute.
        self._attribute_classes: dict[tuple[str, str], str] = {}
        self.bases: BasesByClass = {}
        for path, file_facts in facts.items():
            self._add_imports(path, file_facts.imports)
        for path, file_facts in facts.items():
            self._add_bases(path, file_facts)
        # What was resolved before the bases were complete may have missed inherited members.
        self._resolved.clear()
        for path, file_facts in facts.items():
            self._add_attributes(path, file_facts)

    def kind(self, entity_id: str) -> str | None:
        """Give the kind of an entity; None where there is no such entity."""
        return self._kinds.get(entity_id)

    def resolve_name(self, path: str, dotted: str) -> str | None:
        """Give the entity that a dotted name means at the top of a file."""
        resolved = self._resolved.get((path, dotted), _NOT_LOOKED_UP)
        if resolved == _NOT_LOOKED_UP:
            resolved = self._resolve_in_module(path, dotted, 0, {})
            self._resolved[path, dotted] = resolved
        return resolved

    def resolve_call(self, path: str, owner: str, dotted: str) -> str | None:
        """Give the entity that a call of ``dotted`` by ``owner`` reaches; never a variable."""
        called = self._resolve_called(path, owner, dotted)
        if called is None or self._kinds[called] == "variable":
            return None
        return called

    def _resolve_in_module(self, path: str, dotted: str, depth: int, tried: _Tried) -> str | None:
        """Look a name up in a module and in what it imports.

        Args:
            path: The module.
            dotted: The name.
            depth: How many imports led here.
            tried: Where this look-up has been. Forty modules that import everything from one
                another have more ways through them than can be walked.
        """
        # What was not found with fewer imports behind it is not found with more of them.
        earlier_depth = tried.get((path, dotted), DEEPEST + 1)
        has_been_here = earlier_depth <= depth
        if depth > DEEPEST or has_been_here:
            return None
        tried[path, dotted] = depth
        head, _, tail = dotted.partition(".")
        top_level = f"{path}::{head}"
        if top_level in self._kinds:
            return self._resolve_member(top_level, tail)
        imported = self._imports[path].get(head)
        if imported is not None:
            return self._resolve_import(imported, tail, depth, tried)
        for module_path in self._star_imports[path]:
            resolved = self._resolve_in_module(module_path, dotted, depth + 1, tried)
            if resolved is not None:
                return resolved
        return None

    def _resolve_import(
        self, imported: tuple[str, str], tail: str, depth: int, tried: _Tried
    ) -> str | None:
        """Resolve what stands behind an imported name.

        The first parts of ``tail`` may be submodules, so each longer module is tried in turn.
        """
        module, name = imported
        dotted = ".".join(filter(None, (name, tail)))
        while dotted:
            path = self._modules.get(module)
            if path is not None:
                resolved = self._resolve_in_module(path, dotted, depth + 1, tried)
                if resolved is not None:
                    return resolved
            submodule, _, dotted = dotted.partition(".")
            module = f"{module}.{submodule}" if module else submodule
        return None

    def _resolve_member(self, owner_id: str, dotted: str) -> str | None:
        """Give the entity that ``dotted`` means inside another; a class is searched with its bases.

        An empty name means the other entity itself.
        """
        if not dotted:
            return owner_id
        name, _, tail = dotted.partition(".")
        for class_id in self._lineage(owner_id):
            member_id = f"{class_id}.{name}"
            if member_id in self._kinds:
                return self._resolve_member(member_id, tail)
        return None

    def _lineage(self, class_id: str) -> Iterator[str]:
        """Yield a class and its bases inside the codebase, nearest first, as far as asked for.

        A name is found near by as a rule, however long the ladder of bases is.
        """
        # In order, each once; it grows while it is read.
        visited = {class_id}
        lineage = [class_id]
        for ancestor in lineage:
            yield ancestor
            for base in self.bases.get(ancestor, ()):
                if base not in visited:
                    visited.add(base)
                    lineage.append(base)

    def _resolve_called(self, path: str, owner: str, dotted: str) -> str | None:
        if dotted.startswith("("):
            written_class, _, method = dotted.removeprefix("(").partition(").")
            class_id = self._resolve_in_scope(path, owner, written_class)
            return self._resolve_on_instance(class_id, method)
        head, _, tail = dotted.partition(".")
        if tail and head in OWN_OBJECT:
            return self._resolve_on_self(path, owner, tail, from_bases=head == "super()")
        return self._resolve_in_scope(path, owner, dotted)

    def _resolve_in_scope(self, path: str, owner: str, dotted: str) -> str | None:
        """Resolve a name as a function sees it.

        Definitions nested in the function and in those around it come before those of the module.
        """
        head, _, tail = dotted.partition(".")
        scope = owner
        while scope:
            scope_id = f"{path}::{scope}"
            nested_id = f"{scope_id}.{head}"
            # A method does not see the names of its class.
            if nested_id in self._kinds and self._kinds.get(scope_id) != "class":
                return self._resolve_member(nested_id, tail)
            scope = scope.rpartition(".")[0]
        return self.resolve_name(path, dotted)

    def _resolve_on_self(
        self, path: str, owner: str, dotted: str, *, from_bases: bool
    ) -> str | None:
        class_id = self._class_around(path, owner)
        if class_id is None:
            return None
        name, _, tail = dotted.partition(".")
        lineage = self._lineage(class_id)
        if from_bases:
            next(lineage)
        for candidate in lineage:
            attribute_class = self._attribute_classes.get((candidate, name))
            if tail and attribute_class is not None:
                return self._resolve_on_instance(attribute_class, tail)
            member_id = f"{candidate}.{name}"
            if member_id in self._kinds:
                return None if tail else member_id
        return None

    def _resolve_on_instance(self, class_id: str | None, dotted: str) -> str | None:
        """Resolve a method of an instance; its attributes' own members are not followed."""
        if class_id is None or "." in dotted or self._kinds.get(class_id) != "class":
            return None
        return self._resolve_member(class_id, dotted)

    def _class_around(self, path: str, owner: str) -> str | None:
        scope = owner.rpartition(".")[0]
        while scope:
            scope_id = f"{path}::{scope}"
            if self._kinds.get(scope_id) == "class":
                return scope_id
            scope = scope.rpartition(".")[0]
        return None

    def _add_imports(self, path: str, imports: Sequence[ImportedName]) -> None:
        names: _ImportTable = {}
        star_imports: list[str] = []
        for imported in imports:
            module = imported.module
            if imported.level:
                module = absolute_module(path, module, imported.level)
            names[imported.alias] = (module, imported.name)
            if imported.name == "*" and self._modules.get(module, path) != path:
                star_imports.append(self._modules[module])
        self._imports[path] = names
        self._star_imports[path] = star_imports

    def _add_bases(self, path: str, file_facts: FileFacts) -> None:
        for base in file_facts.bases:
            class_id = f"{path}::{base.owner}"
            scope = base.owner.rpartition(".")[0]
            base_id = self._resolve_in_scope(path, scope, base.dotted)
            if base_id is None or base_id == class_id or self._kinds[base_id] != "class":
                continue
            earlier_bases = self.bases.get(class_id, ())
            self.bases[class_id] = (*earlier_bases, base_id)

    def _add_attributes(self, path: str, file_facts: FileFacts) -> None:
        for attribute in file_facts.attributes:
            name, _, written_class = attribute.dotted.partition(":")
            class_id = self.resolve_name(path, written_class)
            if class_id is None or self._kinds[class_id] != "class":
                continue
            owner_id = f"{path}::{attribute.owner}"
            self._attribute_classes.setdefault((owner_id, name), class_id)
