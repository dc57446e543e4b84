"""A codebase at one commit: its files, its entities and how they hang together."""

import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Final, TypeAlias

import msgspec

from goldwright.errors import DamagedStateError, InputError
from goldwright.snapshot.call_graph import CallGraph
from goldwright.snapshot.entities import (
    Entity,
    EntityKind,
    FileEntry,
    Span,
    entity_id,
    split_entity_id,
)
from goldwright.snapshot.file_facts import NO_REASON, Definition, FileFacts
from goldwright.snapshot.file_guard import allow_deep_trees
from goldwright.snapshot.garbage import garbage_collection_paused
from goldwright.snapshot.git.git_objects import ObjectStore, is_binary
from goldwright.snapshot.languages.language_catalog import language_named, language_of, paths_in
from goldwright.snapshot.languages.language_port import Language
from goldwright.snapshot.mirror.pinning import PinnedCommit
from goldwright.snapshot.recent_values import RecentValues
from goldwright.snapshot.size_limits import LARGEST_TEXT_FILE
from goldwright.snapshot.source_text import SourceText, decode

# Enough for all files of most codebases; of larger ones, the files that were read last stay.
MOST_BYTES_IN_MEMORY: Final = 120_000_000
# Decoded and cut into lines, a file takes some four times its size.
MOST_CHARACTERS_IN_MEMORY: Final = 12_000_000

TOO_LARGE_A_FILE: Final = f"larger than {LARGEST_TEXT_FILE >> 20} MB"

_DECODER: Final = msgspec.msgpack.Decoder(FileFacts)

_EntitiesByName: TypeAlias = dict[str, Entity]


class UnknownPathError(InputError):
    """A path that is no text file of the snapshot."""


class Snapshot:
    """What a pinned commit holds.

    Nothing of it changes, and everything is read from the mirror.

    Attributes:
        commit: The id of the commit.
        tree: The id of its tree.
        origin: Whether it comes from a git repository or from a plain directory.
        mirror: The bare repository that holds it.
        notes: Sentences about the codebase that a user should see.
        files: Its files by path, in the order of their paths.
        source_files: The paths of the files that are indexed, in the same order.
        on_set_aside: Called whenever a file was set aside.
    """

    def __init__(
        self,
        pinned: PinnedCommit,
        entries: Iterable[FileEntry],
        *,
        contents: Mapping[str, bytes],
        facts: Mapping[str, bytes],
        mend: Callable[[str, DamagedStateError], None] | None = None,
    ) -> None:
        """Hold what was read already; use ``open_snapshot``.

        Args:
            pinned: Where the commit lies.
            entries: Its files.
            contents: Bytes of source files by their object ids; any part of them.
            facts: The encoded facts of every source file, by their ``facts_key``.
            mend: Makes a mirror again that lacks something of a commit; without it, damage stays.
        """
        self.commit = pinned.commit
        self.tree = pinned.tree
        self.origin = pinned.origin
        self.mirror = pinned.mirror
        self.notes = pinned.notes
        files = {entry.path: entry for entry in entries}
        source_files = filter(_is_source, files.values())
        self.files: Mapping[str, FileEntry] = MappingProxyType(files)
        self.source_files = tuple(entry.path for entry in source_files)
        self._encoded_facts = facts
        self._mend = mend
        self._contents = RecentValues[bytes](MOST_BYTES_IN_MEMORY)
        for oid, data in contents.items():
            self._contents.put(oid, data, len(data))
        self._sources = RecentValues[SourceText](MOST_CHARACTERS_IN_MEMORY)
        self._shown_texts: dict[str, str] = {}
        self._entities: dict[str, _EntitiesByName] = {}
        self._store = ObjectStore(pinned.mirror, pinned.commit)
        self._set_aside: set[str] = set()
        self.on_set_aside: Callable[[], None] = _do_nothing
        # Whoever reads a snapshot may walk over its trees.
        allow_deep_trees()
        # The store may have a git process; it ends with the snapshot, whoever forgets to close it.
        self._closer = weakref.finalize(self, self._store.close)

    def close(self) -> None:
        """End the git process behind the snapshot, if there is one; a later read starts another."""
        self._store.close()

    @property
    def unparsed(self) -> Mapping[str, str]:
        """The source files of which nothing is read, each with its reason.

        Those that could not be indexed are among them, and those set aside since.
        """
        return self._unparsed

    @cached_property
    def _unparsed(self) -> dict[str, str]:
        reasons: dict[str, str] = {}
        for path in self.source_files:
            if not self._encoded_facts_in(path).endswith(NO_REASON):
                reasons[path] = self._facts_in(path).reason
        for path, entry in self.files.items():
            if entry.kind == "large" and language_of(path) is not None:
                reasons[path] = TOO_LARGE_A_FILE
        return reasons

    def set_aside(self, path: str, reason: str) -> None:
        """Do without a source file from here on: no entity of it is known any more.

        Args:
            path: The file; one that is no source file, or was set aside before, stays as it is.
            reason: Why, in one line.
        """
        if path not in self.source_files or path in self.unparsed:
            return
        self._set_aside.add(path)
        self._unparsed[path] = reason
        # What was drawn from all files is drawn again where it is still asked for.
        for name in ("graph", "_by_simple_name"):
            self.__dict__.pop(name, None)
        self._entities[path] = {}
        self.on_set_aside()

    @cached_property
    def graph(self) -> CallGraph:
        """The edges between entities."""
        kinds: dict[str, str] = {}
        facts_by_path = _FactsByPath(self.source_files, self._facts_in)
        with garbage_collection_paused():
            for path, facts in facts_by_path.items():
                # Of several definitions of one name, the first gives the kind.
                for definition in reversed(facts.definitions):
                    kinds[entity_id(path, definition.name)] = definition.kind
            return CallGraph(facts_by_path, kinds)

    def files_in(self, language: str) -> tuple[str, ...]:
        """The source files of one language, named as in ``python``."""
        return paths_in(language_named(language), self.source_files)

    def has_text(self, path: str) -> bool:
        """Return whether a path is a text file of the tree."""
        entry = self.files.get(path)
        if entry is None or entry.kind != "text":
            return False
        # A name without a known suffix may hold anything.
        return not is_binary(self._content(entry))

    def data(self, path: str) -> bytes:
        """The bytes of a text file.

        Raises:
            UnknownPathError: The path is no text file of the tree.
        """
        if not self.has_text(path):
            raise UnknownPathError(f"{path}: no text file of the snapshot")
        return self._content(self.files[path])

    def source(self, path: str) -> SourceText:
        """The decoded text of a file.

        Raises:
            UnknownPathError: The path is no text file of the tree.
        """
        source = self._sources.get(path)
        if source is None:
            text = self._shown_texts.get(path)
            if text is None:
                text = self._decode(path)
            source = SourceText(path, text)
            self._sources.put(path, source, len(source.text))
        return source

    def show_instead(self, path: str, text: str) -> None:
        """Give another text for a file from here on; entities stay where they are.

        Args:
            path: A text file of the tree.
            text: As many lines as the file has.
        """
        self._shown_texts[path] = text
        source = SourceText(path, text)
        self._sources.put(path, source, len(text))

    def line_count(self, path: str) -> int:
        """How many lines a text file has.

        Raises:
            UnknownPathError: The path is no text file of the tree.
        """
        return self.source(path).line_count

    def entity(self, entity_id: str) -> Entity | None:
        """The entity with an id, if there is one."""
        path, name = split_entity_id(entity_id)
        return self._entities_by_name(path).get(name)

    def entities_in(self, path: str) -> tuple[Entity, ...]:
        """The entities of a file, in the order of their first lines."""
        return tuple(self._entities_by_name(path).values())

    def entities(self) -> Iterator[Entity]:
        """Every entity, by path and then by line."""
        for path in self.source_files:
            yield from self._entities_by_name(path).values()

    def named(self, simple_name: str) -> tuple[Entity, ...]:
        """Every entity whose qualified name ends in this name."""
        return self._by_simple_name.get(simple_name, ())

    @cached_property
    def _by_simple_name(self) -> Mapping[str, tuple[Entity, ...]]:
        namesakes: dict[str, list[Entity]] = {}
        for entity in self.entities():
            namesakes.setdefault(entity.simple_name, []).append(entity)
        return {name: tuple(entities) for name, entities in namesakes.items()}

    def _facts_in(self, path: str) -> FileFacts:
        if path in self._set_aside:
            return FileFacts(reason=self._unparsed[path])
        return _DECODER.decode(self._encoded_facts_in(path))

    def _encoded_facts_in(self, path: str) -> bytes:
        language = language_of(path)
        if language is None:
            raise UnknownPathError(f"{path}: no source file of the snapshot")
        key = facts_key(language, self.files[path].oid)
        return self._encoded_facts[key]

    def _decode(self, path: str) -> str:
        data = self.data(path)
        language = language_of(path)
        if language is None:
            return decode(data)
        return language.decode(data)

    def _entities_by_name(self, path: str) -> _EntitiesByName:
        entities = self._entities.get(path)
        if entities is None:
            entities = {}
            entry = self.files.get(path)
            if entry is not None and _is_source(entry):
                entities = _merge_definitions(path, self._facts_in(path).definitions)
            self._entities[path] = entities
        return entities

    def _content(self, entry: FileEntry) -> bytes:
        content = self._contents.get(entry.oid)
        if content is None:
            content = self._read(entry.oid)
            self._contents.put(entry.oid, content, len(content))
        return content

    def _read(self, oid: str) -> bytes:
        try:
            return self._store.read(oid)
        except DamagedStateError as error:
            if self._mend is None:
                raise
            # The reading process still holds files of the damaged mirror.
            self._store.close()
            self._mend(self.commit, error)
        return self._store.read(oid)


class _FactsByPath(Mapping[str, FileFacts]):
    """The facts of every file, decoded when they are looked at and not kept.

    Decoded, those of a large codebase take ten times the memory.
    """

    def __init__(self, paths: tuple[str, ...], facts_in: Callable[[str], FileFacts]) -> None:
        self._paths = paths
        self._facts_in = facts_in

    def __getitem__(self, path: str) -> FileFacts:
        return self._facts_in(path)

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


def facts_key(language: Language, oid: str) -> str:
    """Name the facts of a file by its language and content.

    One content may mean different things in two languages.
    """
    return f"{language.name}:{oid}"


def _do_nothing() -> None:
    """Nobody asked to hear of files that are set aside."""


def _is_source(entry: FileEntry) -> bool:
    if entry.kind != "text":
        return False
    return language_of(entry.path) is not None


def _merge_definitions(path: str, definitions: Iterable[Definition]) -> _EntitiesByName:
    """Join several definitions of one qualified name into one entity with several spans."""
    spans: dict[str, list[Span]] = {}
    kinds: dict[str, EntityKind] = {}
    for definition in definitions:
        name = definition.name
        span = Span(definition.first, definition.last)
        spans.setdefault(name, []).append(span)
        kinds.setdefault(name, _entity_kind(definition.kind))
    entities: _EntitiesByName = {}
    for name, kind in kinds.items():
        identifier = entity_id(path, name)
        entity_spans = tuple(spans[name])
        entities[name] = Entity(identifier, path, name, kind, entity_spans)
    return entities


def _entity_kind(kind: str) -> EntityKind:
    match kind:
        case "class" | "function" | "method":
            return kind
        case _:
            return "variable"
