"""A codebase at one commit: its files, its entities and how they hang together."""

import weakref
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

import msgspec

from goldwright.errors import GoldwrightError, InputError
from goldwright.snapshot.call_graph import CallGraph
from goldwright.snapshot.entities import Entity, EntityKind, FileEntry, Span
from goldwright.snapshot.fact_cache import FactCache
from goldwright.snapshot.file_facts import Definition, FileFacts
from goldwright.snapshot.garbage import garbage_collection_paused
from goldwright.snapshot.git_objects import ObjectStore, is_binary
from goldwright.snapshot.indexing import facts_of
from goldwright.snapshot.languages import (
    LANGUAGES,
    SOURCE_SUFFIXES,
    language_named,
    language_of,
)
from goldwright.snapshot.mirror import PinnedCommit, mirror_of, pin_commit
from goldwright.snapshot.source_text import SourceText, decode

_DECODER = msgspec.msgpack.Decoder(FileFacts)


class UnknownPathError(InputError):
    """A path that is no text file of the snapshot."""


class Snapshot:
    """What a pinned commit holds; nothing of it changes, and nothing is read but from the mirror."""

    def __init__(
        self,
        pinned: PinnedCommit,
        entries: Iterable[FileEntry],
        contents: Mapping[str, bytes],
        facts: Mapping[str, bytes],
    ) -> None:
        """Hold what was read already; use ``open_snapshot``.

        Args:
            pinned: Where the commit lies.
            entries: Its files.
            contents: Bytes of source files by their object ids; any part of them.
            facts: The encoded facts of every source file, by ``language:object id``.
        """
        self.commit = pinned.commit
        self.tree = pinned.tree
        self.origin = pinned.origin
        self.mirror = pinned.mirror
        self.notes = pinned.notes
        self.files: Mapping[str, FileEntry] = MappingProxyType(
            {entry.path: entry for entry in entries}
        )
        self.source_files = tuple(path for path, entry in self.files.items() if _is_source(entry))
        self._encoded = facts
        self._contents = dict(contents)
        self._sources: dict[str, SourceText] = {}
        self._entities: dict[str, dict[str, Entity]] = {}
        self._store = ObjectStore(pinned.mirror, pinned.commit)
        # The store may have a git process; it ends with the snapshot, whoever forgets to close it.
        self._closer = weakref.finalize(self, self._store.close)

    def close(self) -> None:
        """End the git process behind the snapshot, if there is one; a later read starts another."""
        self._store.close()

    @cached_property
    def unparsed(self) -> Mapping[str, str]:
        """The source files that could not be indexed, each with its reason."""
        return {path: facts.reason for path, facts in self._facts.items() if facts.reason}

    @cached_property
    def graph(self) -> CallGraph:
        """The edges between entities."""
        kinds = {
            f"{path}::{one.name}": one.kind
            for path, facts in self._facts.items()
            for one in reversed(facts.definitions)
        }
        with garbage_collection_paused():
            return CallGraph(self._facts, kinds)

    def files_in(self, language: str) -> tuple[str, ...]:
        """The source files of one language, named as in ``python``."""
        suffixes = language_named(language).suffixes
        return tuple(path for path in self.source_files if path.endswith(suffixes))

    def has_text(self, path: str) -> bool:
        """Tell whether a path is a text file of the tree."""
        entry = self.files.get(path)
        return entry is not None and entry.kind == "text" and not is_binary(self._content(entry))

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
        known = self._sources.get(path)
        if known is None:
            language = language_of(path)
            data = self.data(path)
            text = decode(data) if language is None else language.decode(data)
            known = self._sources[path] = SourceText(path, text)
        return known

    def line_count(self, path: str) -> int:
        """How many lines a text file has.

        Raises:
            UnknownPathError: The path is no text file of the tree.
        """
        return self.source(path).line_count

    def entity(self, entity_id: str) -> Entity | None:
        """The entity with an id, if there is one."""
        path, _, name = entity_id.partition("::")
        return self._in_file(path).get(name)

    def entities_in(self, path: str) -> tuple[Entity, ...]:
        """The entities of a file, in the order of their first lines."""
        return tuple(self._in_file(path).values())

    def entities(self) -> Iterator[Entity]:
        """Every entity, by path and then by line."""
        for path in self.source_files:
            yield from self._in_file(path).values()

    def named(self, simple_name: str) -> tuple[Entity, ...]:
        """Every entity whose qualified name ends in this name."""
        return self._by_simple_name.get(simple_name, ())

    @cached_property
    def _by_simple_name(self) -> Mapping[str, tuple[Entity, ...]]:
        found: dict[str, list[Entity]] = {}
        for entity in self.entities():
            found.setdefault(entity.simple_name, []).append(entity)
        return {name: tuple(entities) for name, entities in found.items()}

    @cached_property
    def _facts(self) -> Mapping[str, FileFacts]:
        return {path: self._facts_in(path) for path in self.source_files}

    def _facts_in(self, path: str) -> FileFacts:
        language = language_of(path)
        if language is None:
            raise UnknownPathError(f"{path}: no source file of the snapshot")
        return _DECODER.decode(self._encoded[f"{language.name}:{self.files[path].oid}"])

    def _in_file(self, path: str) -> dict[str, Entity]:
        known = self._entities.get(path)
        if known is None:
            entry = self.files.get(path)
            found = (
                self._facts_in(path).definitions if entry is not None and _is_source(entry) else ()
            )
            known = self._entities[path] = _merged(path, found)
        return known

    def _content(self, entry: FileEntry) -> bytes:
        known = self._contents.get(entry.oid)
        if known is None:
            known = self._contents[entry.oid] = self._store.read(entry.oid)
        return known


def open_snapshot(
    repo: Path,
    *,
    rev: str | None = None,
    cache: Path,
    allow_dirty: bool = False,
    workers: int | None = None,
) -> Snapshot:
    """Pin a codebase and index it.

    Args:
        repo: A git repository, or a plain directory, which is pinned by its content.
        rev: The commit; HEAD when there is none.
        cache: Where mirrors and indexes are kept between runs.
        allow_dirty: Pin the files of the work tree as they are.
        workers: How many processes may parse (at least 1); as many as there are cores when there is
            none.

    Raises:
        InputError: The codebase or the revision is not what it should be.
    """
    pinned = pin_commit(repo, rev=rev, store=cache / "mirrors", allow_dirty=allow_dirty)
    return _indexed(pinned, cache, workers)


def open_pinned(
    mirror: Path, commit: str, *, cache: Path, origin: str, workers: int | None = None
) -> Snapshot:
    """Open a commit that was pinned before, from its mirror alone.

    Raises:
        InputError: The mirror does not hold the commit.
    """
    with ObjectStore(mirror, commit) as store:
        tree = store.tree()
    pinned = PinnedCommit(
        mirror=mirror,
        commit=commit,
        tree=tree,
        origin="git" if origin == "git" else "directory",
        shallow=False,
        notes=(),
    )
    return _indexed(pinned, cache, workers)


def open_known(repo: Path, commit: str, *, cache: Path) -> Snapshot:
    """Open a commit of a codebase by its full id: one that was pinned from it before, or that its
    history holds.

    Raises:
        InputError: Neither the mirror nor the codebase has it.
    """
    mirror = mirror_of(repo, cache / "mirrors")
    if mirror.is_dir():
        try:
            return open_pinned(mirror, commit, cache=cache, origin="git")
        except GoldwrightError:
            pass
    return open_snapshot(repo, rev=commit, cache=cache)


def _indexed(pinned: PinnedCommit, cache: Path, workers: int | None) -> Snapshot:
    facts: dict[str, bytes] = {}
    contents: dict[str, bytes] = {}
    with ObjectStore(pinned.mirror, pinned.commit) as store:
        entries = store.entries()
        for language in LANGUAGES:
            wanted = {
                entry.oid
                for entry in entries
                if entry.kind == "text" and entry.path.endswith(language.suffixes)
            }
            # Facts are kept by language: one content may mean different things in two of them.
            fact_cache = FactCache(cache / "index", f"{pinned.mirror.stem}-{language.name}")
            kept = fact_cache.load()
            own_facts = {oid: data for oid, data in kept.items() if oid in wanted}
            missing = sorted(wanted - kept.keys())
            if missing:
                contents.update(store.read_many(missing))
                new_files = {oid: contents[oid] for oid in missing}
                own_facts.update(facts_of(new_files, language, workers))
                fact_cache.save(own_facts)
            facts.update((f"{language.name}:{oid}", data) for oid, data in own_facts.items())
    return Snapshot(pinned, entries, contents, facts)


def _is_source(entry: FileEntry) -> bool:
    return entry.kind == "text" and entry.path.endswith(SOURCE_SUFFIXES)


def _merged(path: str, definitions: Iterable[Definition]) -> dict[str, Entity]:
    """Join several definitions of one qualified name into one entity with several spans."""
    spans: dict[str, list[Span]] = {}
    kinds: dict[str, EntityKind] = {}
    for one in definitions:
        spans.setdefault(one.name, []).append(Span(one.first, one.last))
        kinds.setdefault(one.name, _kind(one.kind))
    return {
        name: Entity(f"{path}::{name}", path, name, kinds[name], tuple(found))
        for name, found in spans.items()
    }


def _kind(written: str) -> EntityKind:
    match written:
        case "class" | "function" | "method":
            return written
        case _:
            return "variable"
