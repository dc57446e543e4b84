"""Code in memory, for readings that need no repository."""

from collections.abc import Iterator, Mapping

from goldwright.code_reading.modules import Function, Module, open_module
from goldwright.snapshot.entities import Entity, EntityKind, FileEntry, Span, entity_id
from goldwright.snapshot.source_text import SourceText

PATH = "shop.py"


class CodeInMemory:
    """A codebase of a few files, each function and class an entity."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self._sources = dict(sources)
        self.files = {
            path: FileEntry(path, "0" * 40, len(text), "text") for path, text in sources.items()
        }
        self._entities: dict[str, Entity] = {}
        for path in self.source_files:
            for entity in _entities_of(self, path):
                self._entities[entity.entity_id] = entity

    @property
    def source_files(self) -> tuple[str, ...]:
        return tuple(path for path in self._sources if path.endswith(".py"))

    @property
    def unparsed(self) -> Mapping[str, str]:
        return {}

    def set_aside(self, path: str, reason: str) -> None:
        raise AssertionError(f"{path}: {reason}")

    def has_text(self, path: str) -> bool:
        return path in self._sources

    def data(self, path: str) -> bytes:
        return self._sources[path].encode()

    def source(self, path: str) -> SourceText:
        return SourceText(path, self._sources[path])

    def line_count(self, path: str) -> int:
        return len(self.source(path).lines)

    def entity(self, entity_id: str) -> Entity | None:
        return self._entities.get(entity_id)

    def entities(self) -> Iterator[Entity]:
        return iter(self._entities.values())

    def entities_in(self, path: str) -> tuple[Entity, ...]:
        return tuple(entity for entity in self._entities.values() if entity.path == path)

    def named(self, simple_name: str) -> tuple[Entity, ...]:
        return tuple(
            entity for entity in self._entities.values() if entity.simple_name == simple_name
        )


def read_module(code: str) -> Module:
    """Parse the text of a file."""
    module = open_module(CodeInMemory({PATH: code}), PATH)
    assert module is not None
    return module


def read_function(code: str, name: str = "work") -> tuple[Module, Function]:
    """Parse the text of a file, and give one of its functions."""
    module = read_module(code)
    function = module.function(name)
    assert function is not None
    return module, function


def _entities_of(codebase: CodeInMemory, path: str) -> Iterator[Entity]:
    module = open_module(codebase, path)
    if module is None:
        return
    for name, node in module.definitions.items():
        kind: EntityKind = "function" if module.function(name) else "class"
        last = node.end_lineno or node.lineno
        yield Entity(entity_id(path, name), path, name, kind, (Span(node.lineno, last),))
