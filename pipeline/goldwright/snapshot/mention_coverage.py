"""Telling which mentions of a text step outside the entities and files it may speak of."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from goldwright.records import FileRange
from goldwright.snapshot.codebase import Codebase
from goldwright.snapshot.entities import split_entity_id
from goldwright.snapshot.language import Bindings
from goldwright.snapshot.languages import WORDS, language_of
from goldwright.snapshot.mentions import Mention, mentions
from goldwright.snapshot.path_lookup import path_lookup_of


@dataclass(frozen=True, slots=True)
class MentionScope:
    """What a text may speak of: entities, files, and the cited lines whose data it may call by
    name.
    """

    entity_ids: frozenset[str]
    files: frozenset[str]
    ranges: tuple[FileRange, ...] = ()


def uncovered_mentions(text: str, ground: MentionScope, snapshot: Codebase) -> tuple[Mention, ...]:
    """List the mentions of a text that name something outside its ground, in their order.

    An entity is covered when it, or a member of it, is in the ground; a member is not covered by
    its class. A word that several entities share is covered by any of them. Parameters, local
    names, attributes and literals of the cited code are data, and names imported from elsewhere are
    foreign.
    """
    cover = _MentionCoverage(ground, snapshot)
    outside = tuple(mention for mention in mentions(text, snapshot) if not cover.covers(mention))
    quotations = (
        [match.span() for match in _QUOTATION.finditer(text) if cover.is_literal(match[1])]
        if outside
        else []
    )
    return tuple(
        mention
        for mention in outside
        if not any(start < mention.start and mention.end < end for start, end in quotations)
    )


_QUOTATION = re.compile(r"[\"“]([^\"“”`]+)[\"”]")
_GAP = "…"


class _MentionCoverage:
    def __init__(self, ground: MentionScope, codebase: Codebase) -> None:
        self._ground = ground
        self._codebase = codebase

    def covers(self, mention: Mention) -> bool:
        if mention.kind == "path":
            return self._covers_path(mention)
        if self._holds(mention.entity_ids):
            return True
        if mention.kind == "entity_id":
            return False
        if not mention.is_resolved:
            return self._stands_in_files(mention.text.rpartition(".")[2]) or self._is_foreign(
                mention
            )
        return self._is_foreign(mention) or self._is_data(mention)

    def is_literal(self, quotation: str) -> bool:
        """Tell whether several quoted words stand in a file of the ground as they are, but for
        marked gaps.
        """
        pieces = [piece for piece in quotation.split(_GAP) if piece.strip()]
        return " " in quotation.strip() and any(
            all(piece in text for piece in pieces) for text in self._texts()
        )

    def _covers_path(self, mention: Mention) -> bool:
        files = self._ground.files
        if any(
            path in files or (path.endswith("/") and _any_below(path, files))
            for path in mention.paths
        ):
            return True
        if mention.paths:
            return self._binds(f"={mention.text}") or self._is_attribute_of_local(mention)
        return self._stands_in_files(mention.text)

    def _holds(self, ids: frozenset[str]) -> bool:
        if not ids.isdisjoint(self._ground.entity_ids):
            return True
        return any(
            ancestor in ids
            for identifier in self._ground.entity_ids
            for ancestor in _ancestors(identifier)
        )

    def _is_data(self, mention: Mention) -> bool:
        head, _, word = mention.text.rpartition(".")
        if mention.kind == "dotted":
            return self._is_attribute_of_local(mention)
        if mention.kind == "name" and self._binds(word):
            return True
        if mention.called:
            return False
        if head == "self" and not self._is_own_member(mention):
            return True
        return self._binds(f".{word}") or self._binds(f"={word}")

    def _is_attribute_of_local(self, mention: Mention) -> bool:
        """Tell whether ``app.name`` reads a local ``app``, although a module or entity is called so
        too.
        """
        if mention.called:
            return False
        head, _, word = mention.text.rpartition(".")
        return bool(head) and self._binds(head.partition(".")[0]) and self._binds(f".{word}")

    def _is_own_member(self, mention: Mention) -> bool:
        """Tell whether ``self.name`` can be a member of a class of the ground."""
        owners = {identifier.rpartition(".")[0] for identifier in self._ground.entity_ids}
        return any(
            member.rpartition(".")[0] in owners | self._ground.entity_ids
            for member in mention.entity_ids
        )

    def _is_foreign(self, mention: Mention) -> bool:
        """Tell whether a file of the ground imports the first name of the mention from outside the
        codebase.
        """
        head = mention.text.partition(".")[0]
        own = path_lookup_of(self._codebase).is_own
        origins = [
            bindings.imports[head] for _, bindings in self._bindings() if head in bindings.imports
        ]
        if any(not own(origin.partition(".")[0]) for origin in origins):
            return True
        return mention.kind == "member" and head in WORDS.standard_modules and not own(head)

    def _binds(self, key: str) -> bool:
        return any(
            bindings.binds(key, first, last)
            for path, bindings in self._bindings()
            for first, last in self._lines(path)
        )

    def _bindings(self) -> Iterator[tuple[str, Bindings]]:
        for path in sorted(self._ground.files):
            language = language_of(path)
            if language is not None and self._codebase.has_text(path):
                yield path, language.bindings(self._codebase.source(path).text)

    def _lines(self, path: str) -> Sequence[tuple[int, int]]:
        entities = [self._codebase.entity(identifier) for identifier in self._ground.entity_ids]
        spans = [
            (span.first, span.last)
            for entity in entities
            if entity and entity.path == path and entity.kind != "class"
            for span in entity.spans
        ]
        return spans + [
            (cited.start, cited.end) for cited in self._ground.ranges if cited.file == path
        ]

    def _stands_in_files(self, word: str) -> bool:
        pattern = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
        return any(word in text and pattern.search(text) for text in self._texts())

    def _texts(self) -> Iterator[str]:
        return (
            self._codebase.source(path).text
            for path in self._ground.files
            if self._codebase.has_text(path)
        )


def _ancestors(identifier: str) -> Iterator[str]:
    path, name = split_entity_id(identifier)
    while "." in name:
        name = name.rpartition(".")[0]
        yield f"{path}::{name}"


def _any_below(folder: str, files: frozenset[str]) -> bool:
    return any(path.startswith(folder) for path in files)
