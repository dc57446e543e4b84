"""Telling which mentions of a text step outside what the text may speak of."""

import re
from collections.abc import Iterator
from typing import Final

from goldwright.snapshot.cited_code import CitedCode, PlacedUse
from goldwright.snapshot.codebase import Codebase
from goldwright.snapshot.entities import Entity, entity_id, split_entity_id
from goldwright.snapshot.identifiers import BACKTICKS, CODE_MARKS, CODE_TAGS
from goldwright.snapshot.languages import WORDS, is_special_name
from goldwright.snapshot.mention_scope import MentionScope
from goldwright.snapshot.mention_types import SELF, Mention
from goldwright.snapshot.mentions import mentions
from goldwright.snapshot.path_lookup import path_lookup_of
from goldwright.snapshot.scope_resolution import ScopeResolver

__all__ = ["MentionScope", "uncovered_mentions"]

_QUOTATION: Final = re.compile(r"[\"“]([^\"“”`]+)[\"”]")


def uncovered_mentions(text: str, scope: MentionScope, snapshot: Codebase) -> tuple[Mention, ...]:
    """List the mentions of a text that name something outside its scope, in their order.

    A mention is covered when it is one of the entities and files of the scope, or around one of
    these entities, or when its names stand in the code of the cited lines and can mean there what
    they mean in the text: as local names, parameters, attributes, imports, globals, callees, types,
    keywords or words of literal strings. A name that nothing in the codebase has is covered where
    the cited lines hold it as a word. Names that come from elsewhere are foreign, and what a
    quotation from the cited lines holds is not the text's own.
    """
    coverage = _MentionCoverage(scope, snapshot)
    all_mentions = mentions(text, snapshot)
    outside = [mention for mention in all_mentions if not coverage.covers(mention)]
    # Only few texts need the lines themselves searched.
    if not outside:
        return ()
    proven = (*_quotations(text, coverage.cited), *_snippets(text, coverage.cited))
    return tuple(mention for mention in outside if not _is_inside(mention, proven))


def _quotations(text: str, cited: CitedCode) -> Iterator[tuple[int, int]]:
    """Yield the offsets of what a text quotes from the cited lines."""
    for match in _QUOTATION.finditer(text):
        if cited.has_quotation(match[1]):
            yield match.span()


def _snippets(text: str, cited: CitedCode) -> Iterator[tuple[int, int]]:
    """Yield the offsets of code in a text that stands on the cited lines, up to blanks."""
    for match in CODE_MARKS.finditer(text):
        if cited.has_snippet(match[BACKTICKS] or match[CODE_TAGS]):
            yield match.span()


def _is_inside(mention: Mention, places: tuple[tuple[int, int], ...]) -> bool:
    return any(start < mention.start and mention.end < end for start, end in places)


class _MentionCoverage:
    """Decides for each mention whether it stays inside the scope."""

    def __init__(self, scope: MentionScope, codebase: Codebase) -> None:
        self._scope = scope
        self._codebase = codebase
        self._lookup = path_lookup_of(codebase)
        self.cited = CitedCode(scope.ranges, codebase)
        self._resolver = ScopeResolver(codebase, self._lookup, self.cited)

    def covers(self, mention: Mention) -> bool:
        if mention.tail and not self._has_tail(mention):
            return False
        return self._covers_beginning(mention)

    def _has_tail(self, mention: Mention) -> bool:
        """Tell whether the cited lines have the names that stand behind what a mention resolves to.

        Any object may have the methods of the language's own objects.
        """
        for name in mention.tail.split("."):
            if name in WORDS.object_methods or is_special_name(name):
                continue
            if not self._has_word(name):
                return False
        return True

    def _covers_beginning(self, mention: Mention) -> bool:
        if mention.kind == "path":
            return self._covers_path(mention)
        if self._is_expected(mention.entity_ids):
            return True
        entities = self._entities(mention)
        if mention.kind == "entity_id":
            # An id is exact: its name alone proves nothing.
            return any(map(self._is_meant, entities))
        if self._is_foreign(mention):
            return True
        if not entities:
            return self._has_all_words(mention)
        if self._stands(mention):
            return True
        return any(self._is_meant(entity) for entity in self._called_alike(mention, entities))

    def _called_alike(self, mention: Mention, entities: list[Entity]) -> Iterator[Entity]:
        """Yield the entities whose class is the one that a text names, if it names any."""
        *heads, _ = mention.text.split(".")
        for entity in entities:
            owner = entity.parent_name.rpartition(".")[2]
            is_free = mention.kind != "member" or not heads or heads[-1] == SELF
            if is_free or heads[-1] == owner or self._is_known(heads[-1]):
                yield entity

    def _entities(self, mention: Mention) -> list[Entity]:
        entities = map(self._codebase.entity, sorted(mention.entity_ids))
        return [entity for entity in entities if entity is not None]

    def _is_expected(self, entity_ids: frozenset[str]) -> bool:
        """Tell whether an entity, or a member of it, is in the scope.

        A member is not in the scope because its class is.
        """
        if not entity_ids.isdisjoint(self._scope.entity_ids):
            return True
        for identifier in self._scope.entity_ids:
            if not entity_ids.isdisjoint(_ancestors(identifier)):
                return True
        return False

    def _is_meant(self, entity: Entity) -> bool:
        return self.cited.defines(entity) or self._resolver.means(entity)

    def _covers_path(self, mention: Mention) -> bool:
        for path in mention.paths:
            if path in self._scope.files or self._has_file_below(path):
                return True
        if self.cited.has_literal(mention.text) or self.cited.has_unread_word(mention.text):
            return True
        # A path that exists must be named by the code, another one may be a word of a comment.
        if not mention.paths:
            return self.cited.has_word(mention.text)
        return "/" not in mention.text and self._is_module_in_use(mention.text)

    def _has_file_below(self, path: str) -> bool:
        if not path.endswith("/"):
            return False
        return any(file.startswith(path) for file in self._scope.files)

    def _is_module_in_use(self, dotted: str) -> bool:
        """Tell whether the cited lines use a name of a module, or a module of this name."""
        parts = tuple(dotted.split("."))
        if self._has_chain(parts, is_called=False):
            return True
        for origin in self.cited.imported_here():
            module = origin.dotted.rpartition(".")[0]
            if f".{module}".endswith(f".{dotted}"):
                return True
        return False

    def _stands(self, mention: Mention) -> bool:
        """Tell whether the names of a mention stand in the code of the cited lines."""
        parts = tuple(mention.text.split("."))
        is_called = mention.is_called
        if len(parts) == 1:
            names = [parts[0], *self._singulars(mention)]
            return any(self._has_name(name, is_called=is_called) for name in names)
        if parts[0] == SELF:
            return self._has_own_attribute(parts[1], is_called=is_called)
        if self._has_chain(parts, is_called=is_called):
            return True
        *heads, last = parts
        return self._has_open_attribute(last, is_called=is_called) and all(
            map(self._is_known, heads)
        )

    def _singulars(self, mention: Mention) -> list[str]:
        """Give the names of the entities, where the text writes a plural of them."""
        return [entity.simple_name for entity in self._entities(mention)]

    def _has_name(self, name: str, *, is_called: bool) -> bool:
        if self.cited.has_unread_word(name):
            return True
        for place in self.cited.uses(name):
            if _names(place, name, is_called=is_called):
                return True
        # What is called is code, and no data, unless a literal text calls it.
        if is_called:
            return self.cited.has_literal(f"{name}(")
        return self.cited.has_data(name)

    def _has_own_attribute(self, name: str, *, is_called: bool = False) -> bool:
        for place in self.cited.uses(name):
            chain = place.use.chain
            if len(chain) > 1 and chain[0] in WORDS.receivers and chain[1] == name:
                return True
            # What a class defines is an attribute of its objects.
            if place.use.kind == "definition":
                return True
        return not is_called and self.cited.has_unread_word(name)

    def _has_chain(self, parts: tuple[str, ...], *, is_called: bool) -> bool:
        for place in self.cited.uses(parts[-1]):
            if _contains(place, parts, is_called=is_called):
                return True
        return not is_called and self.cited.has_literal(".".join(parts))

    def _has_open_attribute(self, name: str, *, is_called: bool) -> bool:
        """Tell whether an attribute is used of an object that may be of any class."""
        for place in self.cited.uses(name):
            is_attribute = place.use.chain[-1] == name and len(place.use.chain) > 1
            if is_attribute and is_called <= place.use.is_called and self._resolver.is_open(place):
                return True
        return False

    def _is_known(self, name: str) -> bool:
        """Tell whether a name stands on the lines, or is called like a class there."""
        if any(self.cited.uses(name)) or self.cited.has_data(name):
            return True
        return self._is_like_class_around(name)

    def _is_like_class_around(self, name: str) -> bool:
        """Tell whether a variable of the text is called like a class: ``session`` for ``Session``.

        It is a class that the cited lines belong to.
        """
        squeezed = name.replace("_", "").lower()
        for entity in self._scope_entities():
            for part in entity.name.split("."):
                if part.lower() == squeezed:
                    return True
        return False

    def _scope_entities(self) -> Iterator[Entity]:
        for path in dict.fromkeys(cited.file for cited in self._scope.ranges):
            for entity in self._codebase.entities_in(path):
                if entity.kind == "class" and self.cited.defines(entity):
                    yield entity

    def _has_all_words(self, mention: Mention) -> bool:
        """Tell whether the cited lines hold each name of a mention that means nothing here."""
        *heads, last = mention.text.split(".")
        if heads == [SELF]:
            is_other = any(self.cited.uses(last)) and not self._has_own_attribute(last)
            return self.cited.has_word(last) and not is_other
        if not self._has_word(last):
            return not mention.is_marked and self._is_in_files(last)
        return all(map(self._has_word, heads))

    def _has_word(self, name: str) -> bool:
        return self.cited.has_word(name) or self._is_known(name)

    def _is_in_files(self, word: str) -> bool:
        """Tell whether a word stands anywhere in the files of the scope."""
        pattern = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
        for path in self._scope.files:
            if self._codebase.has_text(path) and pattern.search(self._codebase.source(path).text):
                return True
        return False

    def _is_foreign(self, mention: Mention) -> bool:
        """Tell whether the first name of a mention comes from outside the codebase."""
        head = mention.text.partition(".")[0]
        for origin in self.cited.imports_of(head):
            top_level = origin.dotted.partition(".")[0]
            if not origin.is_relative and not self._lookup.is_own_module(top_level):
                return True
        if mention.kind != "member" or head not in WORDS.standard_modules:
            return False
        return not self._lookup.is_own_module(head)


def _names(place: PlacedUse, name: str, *, is_called: bool) -> bool:
    """Tell whether a use of a name can be what a text calls by that name alone."""
    chain = place.use.chain
    if chain[0] == name or not is_called:
        return True
    # An attribute of the own object is handed on, to be called elsewhere.
    is_own = chain[0] in WORDS.receivers and chain[1] == name
    return is_own or (place.use.is_called and chain[-1] == name)


def _contains(place: PlacedUse, parts: tuple[str, ...], *, is_called: bool) -> bool:
    """Tell whether a chain holds names in a row, and at its end where they are called."""
    chain = place.use.chain
    size = len(parts)
    starts = range(len(chain) - size + 1)
    matches = [start for start in starts if chain[start : start + size] == parts]
    if not matches or not is_called:
        return bool(matches)
    is_at_end = matches[-1] + size == len(chain)
    return is_at_end and place.use.is_called


def _ancestors(identifier: str) -> Iterator[str]:
    """Yield the ids of the definitions around an entity, from the inside out."""
    path, name = split_entity_id(identifier)
    while "." in name:
        name = name.rpartition(".")[0]
        yield entity_id(path, name)
