"""What a dotted name in a file means: a module, a class or a function of the codebase."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from goldwright.trust_card.source.modules import CodeDefinition, ImportBinding, ModuleReading

# Re-exports are followed this far; a longer chain is most likely a circle.
_MOST_HOPS: Final = 6


@dataclass(frozen=True, slots=True)
class NameMeaning:
    """What a name stands for.

    Attributes:
        path: The file.
        name: The qualified name in it; empty for the module itself.
    """

    path: str
    name: str

    @property
    def entity_id(self) -> str:
        """The id of the class or function."""
        return f"{self.path}::{self.name}"


class ImportResolver:
    """Resolves names through imports, re-exports and base classes.

    A name that leads out of the codebase, or that cannot be followed for sure, means nothing here.
    """

    def __init__(self, modules: Mapping[str, ModuleReading]) -> None:
        self._modules = modules
        self._definitions: dict[str, CodeDefinition] = {}
        self._paths_by_last_part: dict[str, list[_ModulePath]] = {}
        for module in modules.values():
            self._add_path(module.path)
            for definition in module.definitions:
                self._definitions.setdefault(definition.entity_id, definition)

    def definition(self, entity_id: str) -> CodeDefinition | None:
        """The first definition with an id, if there is one."""
        return self._definitions.get(entity_id)

    def resolve(self, path: str, dotted: str) -> NameMeaning | None:
        """Say what a dotted name means at module level of a file."""
        first_name, *attributes = dotted.split(".")
        meaning = self._in_module(path, first_name, _MOST_HOPS)
        for part in attributes:
            if meaning is None:
                return None
            meaning = self._part_of(meaning, part)
        return meaning

    def resolve_class(self, path: str, dotted: str) -> str | None:
        """The id of the class that a name means; None where it means no class of the codebase."""
        meaning = self.resolve(path, dotted)
        if meaning is None:
            return None
        definition = self._definitions.get(meaning.entity_id)
        if definition is None or definition.kind != "class":
            return None
        return meaning.entity_id

    def direct_bases(self, class_id: str) -> tuple[str, ...]:
        """The base classes of a class that the codebase defines, in their order."""
        definition = self._definitions.get(class_id)
        if definition is None:
            return ()
        base_ids = []
        for base in definition.bases:
            base_id = self.resolve_class(definition.path, base)
            # A class may derive from another one of its own name, imported before.
            if base_id is not None and base_id != class_id:
                base_ids.append(base_id)
        return tuple(base_ids)

    def find_member(self, class_id: str, name: str) -> str | None:
        """The id of the method or nested class that a class has or inherits under a name."""
        for ancestor in self.with_ancestors(class_id):
            member_id = f"{ancestor}.{name}"
            if member_id in self._definitions:
                return member_id
        return None

    def find_inherited(self, class_id: str, name: str) -> str | None:
        """The id of the member that the base classes alone have under a name."""
        for ancestor in self.with_ancestors(class_id)[1:]:
            member_id = f"{ancestor}.{name}"
            if member_id in self._definitions:
                return member_id
        return None

    def with_ancestors(self, class_id: str) -> Sequence[str]:
        """A class and its ancestors in the codebase, nearest first, each once."""
        ancestors: dict[str, None] = {}
        stack = [class_id]
        while stack:
            current = stack.pop()
            if current in ancestors:
                continue
            ancestors[current] = None
            stack.extend(reversed(self.direct_bases(current)))
        return list(ancestors)

    def _add_path(self, path: str) -> None:
        parts = _module_parts(path)
        if parts:
            entry = _ModulePath(parts, path)
            paths = self._paths_by_last_part.setdefault(parts[-1], [])
            paths.append(entry)

    def _in_module(self, path: str, name: str, hops: int) -> NameMeaning | None:
        """Say what a name means among the names of a module."""
        module = self._modules.get(path)
        if module is None or hops == 0:
            return None
        if f"{path}::{name}" in self._definitions:
            return NameMeaning(path, name)
        binding = module.imports.get(name)
        if binding is not None:
            return self._follow(path, binding, hops)
        for star_import in module.star_imports:
            source = self._module_path(path, star_import.module, star_import.level)
            if source is None:
                continue
            meaning = self._in_module(source, name, hops - 1)
            if meaning is not None:
                return meaning
        return self._submodule(path, name)

    def _follow(self, path: str, binding: ImportBinding, hops: int) -> NameMeaning | None:
        source = self._module_path(path, binding.module, binding.level)
        if not binding.name:
            return _module_meaning(source)
        if source is not None and source != path:
            meaning = self._in_module(source, binding.name, hops - 1)
            if meaning is not None:
                return meaning
        # ``from package import module`` where the package has no ``__init__.py``.
        dotted = f"{binding.module}.{binding.name}".removeprefix(".")
        return _module_meaning(self._module_path(path, dotted, binding.level))

    def _part_of(self, meaning: NameMeaning, part: str) -> NameMeaning | None:
        if not meaning.name:
            return self._in_module(meaning.path, part, _MOST_HOPS)
        member_id = self.find_member(meaning.entity_id, part)
        if member_id is None:
            return None
        path, _, name = member_id.partition("::")
        return NameMeaning(path, name)

    def _submodule(self, path: str, name: str) -> NameMeaning | None:
        if PurePosixPath(path).stem != "__init__":
            return None
        folder = PurePosixPath(path).parent
        for candidate in (folder / f"{name}.py", folder / name / "__init__.py"):
            if str(candidate) in self._modules:
                return NameMeaning(str(candidate), "")
        return None

    def _module_path(self, path: str, dotted: str, level: int) -> str | None:
        """The file of a module as an import in another file names it."""
        if level:
            return self._relative_module_path(path, dotted, level)
        parts = tuple(dotted.split("."))
        namesakes = self._paths_by_last_part.get(parts[-1], [])
        candidates = [entry for entry in namesakes if entry.ends_with(parts)]
        if not candidates:
            return None
        # The least nested one, as ``src/package`` before ``tests/vendored/package``; of equally
        # nested ones none is sure.
        candidates.sort(key=_nesting)
        if len(candidates) > 1 and _nesting(candidates[0]) == _nesting(candidates[1]):
            return None
        return candidates[0].path

    def _relative_module_path(self, path: str, dotted: str, level: int) -> str | None:
        folder = PurePosixPath(path).parent
        for _ in range(level - 1):
            folder = folder.parent
        # Without a name the package itself is meant.
        names = filter(None, dotted.split("."))
        target = folder.joinpath(*names)
        for candidate in (target.with_suffix(".py"), target / "__init__.py"):
            if str(candidate) in self._modules:
                return str(candidate)
        return None


@dataclass(frozen=True, slots=True)
class _ModulePath:
    """A file and the dotted parts of its path, without ``__init__``."""

    parts: tuple[str, ...]
    path: str

    def ends_with(self, parts: tuple[str, ...]) -> bool:
        return self.parts[-len(parts) :] == parts


def _module_meaning(path: str | None) -> NameMeaning | None:
    if path is None:
        return None
    return NameMeaning(path, "")


def _nesting(entry: _ModulePath) -> int:
    return len(entry.parts)


def _module_parts(path: str) -> tuple[str, ...]:
    pure_path = PurePosixPath(path)
    parts = pure_path.parent.parts
    if pure_path.stem == "__init__":
        return parts
    return (*parts, pure_path.stem)
