"""Finding the files and entities of a codebase that a text names.

Words are resolved against the index: entity ids, paths, dotted names, code-marked words and words
shaped like code. Python's own names and plain English are no mentions. A name that stands as code
and resolves nowhere is kept as a mention of nothing: a path that is not there, or an invented
identifier.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from goldwright.snapshot.code_words import CodeWord, code_words
from goldwright.snapshot.codebase import Codebase
from goldwright.snapshot.entities import Entity
from goldwright.snapshot.identifiers import (
    BRANDS,
    is_code_shaped,
    is_dunder,
)
from goldwright.snapshot.languages import WORDS
from goldwright.snapshot.path_lookup import PathLookup, is_called, path_lookup_of

MentionKind = Literal["path", "dotted", "member", "name", "entity_id"]

_CHAIN = re.compile(r"(?<!\d)[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_PLACE = re.compile(r"(?::\d+(?:-\d+)?(?::\d+)?|#L?\d+(?:-L?\d+)?)$")
_SUFFIX = re.compile(r"[\w\]]\.([A-Za-z]\w{0,5})$")
_SOURCE_SUFFIXES = frozenset("py pyi pyx toml cfg ini yaml yml rst md ipynb".split())
_DATA_SUFFIXES = frozenset(
    "json txt html htm css js ts jsx tsx xml sql sh csv lock jinja j2 c h cpp rs go".split()
)
_MODULE_WORDS = frozenset({"module", "modules", "package", "packages", "subpackage", "submodule"})
_RELATIVE = re.compile(r"^(?:\.\.?/)+")
_COMPOUND = re.compile(r"(?<=/)-[a-z-]+$|(\.[A-Za-z]\w{0,5}(?:[:#][L\d-]*\d)?|::[\w.]+)-[a-z-]+$")
_INSTANCES = frozenset({"self", "cls", "super"})


@dataclass(frozen=True, slots=True)
class Mention:
    """What a piece of a text names; ``start`` and ``end`` are offsets, end exclusive.

    ``entity_ids`` are all the entities it can mean, ``paths`` all the files, and directories with a
    slash at their end. Both are empty when it names nothing that is there. ``member`` is an
    attribute of an object whose class the text does not tell.
    """

    text: str
    kind: MentionKind
    entity_ids: frozenset[str]
    start: int
    end: int
    paths: frozenset[str] = frozenset()
    called: bool = False

    @property
    def path(self) -> str | None:
        """The one file or directory it names, if it is one."""
        return next(iter(self.paths)) if len(self.paths) == 1 else None

    @property
    def is_resolved(self) -> bool:
        """Tell whether it names anything of the codebase."""
        return bool(self.entity_ids or self.paths)


def mentions(text: str, snapshot: Codebase) -> tuple[Mention, ...]:
    """Find every mention in a text, in its order."""
    finder = _MentionFinder(snapshot, path_lookup_of(snapshot))
    return tuple(mention for word in code_words(text) for mention in finder.find(word))


@dataclass(frozen=True, slots=True)
class _MentionFinder:
    codebase: Codebase
    gazetteer: PathLookup

    def find(self, word: CodeWord) -> Iterator[Mention]:
        text = _PLACE.sub("", _COMPOUND.sub(r"\1", word.text) if "-" in word.text else word.text)
        if "::" in text:
            yield from self._identifier(text, word)
        elif self._looks_like_path(text):
            yield from self._path(text, word)
        else:
            yield from self._chains(text, word)

    def _looks_like_path(self, text: str) -> bool:
        if "/" in text or "\\" in text:
            return True
        suffix = _SUFFIX.search(text.partition(":")[0])
        return suffix is not None and (
            suffix[1] in _SOURCE_SUFFIXES
            or suffix[1] in _DATA_SUFFIXES
            or self.gazetteer.knows_file(text)
        )

    def _identifier(self, text: str, word: CodeWord) -> Iterator[Mention]:
        written, _, rest = text.partition("::")
        name = rest.replace("::", ".").strip(".:")
        paths = self.gazetteer.paths(_tidy(written)) if _SUFFIX.search(written) else frozenset()
        if not paths and not _SUFFIX.search(written):
            yield from self._chains(text.replace("::", "."), word)
            return
        found = (self.codebase.entity(f"{path}::{name}") for path in paths)
        yield _mention(text, "entity_id", word, (entity for entity in found if entity))

    def _path(self, text: str, word: CodeWord) -> Iterator[Mention]:
        written, colon, rest = text.partition(":")
        tidy = _tidy(written)
        paths = self.gazetteer.paths(tidy)
        if not paths and "/" in tidy and not _SUFFIX.search(tidy):
            paths = self.gazetteer.paths(tidy + ".py")
        if paths and self._is_meant(tidy, word, paths):
            yield _mention(written, "path", word, paths=paths)
        elif not paths and self._is_lost_path(tidy, word):
            yield _mention(written, "path", word)
        else:
            yield from self._chains(text, word)
            return
        if colon:
            yield from self._chains(rest, word)

    def _is_meant(self, tidy: str, word: CodeWord, paths: frozenset[str]) -> bool:
        """Rule out prose with a slash ("read/write") that happens to end the path of a directory."""
        if word.template:
            return False
        return (
            word.quoted
            or tidy.endswith("/")
            or any(not path.endswith("/") for path in paths)
            or tidy in paths
        )

    def _is_lost_path(self, tidy: str, word: CodeWord) -> bool:
        suffix = _SUFFIX.search(tidy)
        if suffix is None or word.template or word.attribute or tidy.startswith(("/", "~")):
            return False
        if "/" in tidy:
            return suffix[1] in _SOURCE_SUFFIXES | _DATA_SUFFIXES
        head = tidy.partition(".")[0]
        return suffix[1] in _SOURCE_SUFFIXES and head not in _INSTANCES and not word.called

    def _chains(self, text: str, word: CodeWord) -> Iterator[Mention]:
        if "-" in text and "." in text and (entities := self._exact(text)):
            yield _mention(text, "dotted", word, entities, called=word.called)
            return
        for match in _CHAIN.finditer(text.replace("\\", "/")):
            parts = [part for part in match[0].split(".") if part]
            last = match.end() == len(text)
            called = word.called and last
            lone = word.marked and len(match[0]) == len(text.strip("./~"))
            if len(parts) > 1:
                yield from self._dotted(parts, word, called=called)
            elif word.attribute and match.start() <= 1:
                yield from self._member(parts[0], word, called=called, head="")
            else:
                yield from self._bare(parts[0], word, called=called, marked=lone)

    def _bare(self, name: str, word: CodeWord, *, called: bool, marked: bool) -> Iterator[Mention]:
        if not self.codebase.named(name):
            name = _without_emphasis(name)
        if name in WORDS.names or is_dunder(name):
            return
        shaped = is_code_shaped(name)
        brand = name.lower() in BRANDS
        if not (shaped or marked or called) or (brand and not (word.quoted or called)):
            return
        entities = self.codebase.named(name)
        if not entities and shaped and name.endswith("s"):
            entities = self.codebase.named(name[:-1])
        if entities:
            yield _mention(name, "name", word, entities, called=called)
        elif word.following in _MODULE_WORDS and self.gazetteer.modules(name):
            yield _mention(name, "path", word, paths=self.gazetteer.modules(name))
        elif (
            shaped
            and not brand
            and (word.quoted or called)
            and name not in WORDS.type_names
            and not _is_sample(name)
        ):
            yield _mention(name, "name", word, called=called)

    def _dotted(self, parts: list[str], word: CodeWord, *, called: bool) -> Iterator[Mention]:
        while len(parts) > 1 and is_dunder(parts[-1]) and not self._exact(".".join(parts)):
            parts, called = parts[:-1], False
        if parts[0] in _INSTANCES:
            yield from self._of_instance(parts[1:], word, called=called)
        elif len(parts) == 1:
            yield from self._bare(parts[0], word, called=called, marked=word.quoted)
        else:
            yield from self._named_by_chain(parts, word, called=called)

    def _of_instance(self, parts: list[str], word: CodeWord, *, called: bool) -> Iterator[Mention]:
        for number, part in enumerate(parts, start=1):
            is_last = number == len(parts)
            if number == 1 or is_last:
                yield from self._member(
                    part, word, called=called and is_last, head="self" if number == 1 else ""
                )

    def _named_by_chain(
        self, parts: list[str], word: CodeWord, *, called: bool
    ) -> Iterator[Mention]:
        chain = ".".join(parts)
        for length in range(len(parts), 1, -1):
            beginning = ".".join(parts[:length])
            if entities := self._exact(beginning):
                yield _mention(chain, "dotted", word, entities, called=called)
                return
            if paths := self.gazetteer.modules(beginning):
                yield from self._in_module(chain, parts[length:], paths, word)
                return
        yield from self._by_head(chain, parts, word, called=called)

    def _in_module(
        self, chain: str, rest: list[str], paths: frozenset[str], word: CodeWord
    ) -> Iterator[Mention]:
        entities = self._below(paths, rest) if rest else ()
        if entities:
            yield _mention(chain, "dotted", word, entities)
        else:
            yield _mention(chain, "path", word, paths=paths)

    def _by_head(
        self, chain: str, parts: list[str], word: CodeWord, *, called: bool
    ) -> Iterator[Mention]:
        head, tail = parts[0], parts[-1]
        packages = frozenset(path for path in self.gazetteer.modules(head) if path.endswith("/"))
        classes = [entity for entity in self.codebase.named(head) if entity.kind == "class"]
        if entities := self._below(packages, parts[1:]):
            yield _mention(chain, "dotted", word, entities, called=called)
        elif classes:
            inherited = tuple(entity for entity in self.codebase.named(tail) if entity.parent_name)
            yield _mention(chain, "member", word, inherited or classes, called=called)
        elif head not in WORDS.standard_modules and head not in WORDS.names:
            yield from self._member(tail, word, called=called, head=head)

    def _member(self, name: str, word: CodeWord, *, called: bool, head: str) -> Iterator[Mention]:
        if is_dunder(name):
            return
        shaped = is_code_shaped(name)
        text = f"{head}.{name}" if head else name
        members = tuple(
            entity for entity in self.codebase.named(name) if head != "self" or entity.parent_name
        )
        if head and head != "self":
            owned = tuple(
                entity
                for entity in members
                if _snake(entity.parent_name.rpartition(".")[2]) == head.lower()
            )
            members = owned or (
                members if shaped or (called and name not in WORDS.object_methods) else ()
            )
        elif not head and not (shaped or (called and name not in WORDS.object_methods)):
            return
        if members:
            yield _mention(text, "member", word, members, called=called)
        elif shaped and (called or head == "self") and not self.codebase.named(name):
            yield _mention(text, "member", word, called=called)

    def _exact(self, chain: str) -> tuple[Entity, ...]:
        last = chain.rpartition(".")[2]
        return tuple(entity for entity in self.codebase.named(last) if is_called(entity, chain))

    def _below(self, places: frozenset[str], parts: list[str]) -> tuple[Entity, ...]:
        """Find entities by qualified name under packages that hand their names on."""
        if not places or not parts:
            return ()
        folders, name = tuple(places), ".".join(parts)
        entities = self.codebase.named(parts[-1])
        return tuple(
            entity for entity in entities if entity.name == name and entity.path.startswith(folders)
        )


def _mention(
    text: str,
    kind: MentionKind,
    word: CodeWord,
    entities: Iterable[Entity] = (),
    *,
    paths: frozenset[str] = frozenset(),
    called: bool = False,
) -> Mention:
    ids = frozenset(entity.entity_id for entity in entities)
    return Mention(text, kind, ids, word.start, word.end, paths, called)


def _tidy(written: str) -> str:
    path = written.replace("\\", "/")
    return _RELATIVE.sub("", path)


def _without_emphasis(name: str) -> str:
    """Take Markdown's underscores off: ``__Word__`` and ``_Word_``, but not a dunder name."""
    if is_dunder(name) or not (name.startswith("_") and name.endswith("_")):
        return name
    return name.strip("_") or name


def _is_sample(name: str) -> bool:
    """Tell whether a name is written as environment variables and prefixes are, which nobody
    defines.
    """
    return name.isupper() or name.endswith("_")


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()
