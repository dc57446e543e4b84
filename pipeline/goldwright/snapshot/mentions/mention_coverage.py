"""Telling which mentions of a text step outside what the text may speak of."""

import re
from collections.abc import Iterator
from typing import Final

from goldwright.snapshot.codebase import Codebase
from goldwright.snapshot.entities import Entity, entity_id, split_entity_id
from goldwright.snapshot.identifiers import BACKTICKS, CODE_MARKS, CODE_TAGS
from goldwright.snapshot.languages.language_catalog import WORDS, is_special_name
from goldwright.snapshot.mentions.cited_code import CitedCode
from goldwright.snapshot.mentions.cited_names import CitedNames
from goldwright.snapshot.mentions.mention_scope import MentionScope
from goldwright.snapshot.mentions.mention_search import mentions
from goldwright.snapshot.mentions.mention_types import SELF, Mention
from goldwright.snapshot.mentions.path_lookup import path_lookup_of
from goldwright.snapshot.mentions.scope_resolution import ScopeResolver

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
    cited = coverage.cited
    quoted_places = _quotations(text, cited)
    snippet_places = _snippets(text, cited)
    proven = (*quoted_places, *snippet_places)
    return tuple(mention for mention in outside if not _is_inside(mention, proven))


def _quotations(text: str, cited: CitedCode) -> Iterator[tuple[int, int]]:
    """Yield the offsets of what a text quotes from the cited lines."""
    for match in _QUOTATION.finditer(text):
        if cited.has_quotation(match[1]):
            yield match.span()


def _snippets(text: str, cited: CitedCode) -> Iterator[tuple[int, int]]:
    """Yield the offsets of code in a text that stands on the cited lines, up to blanks."""
    for match in CODE_MARKS.finditer(text):
        snippet = match[BACKTICKS] or match[CODE_TAGS]
        if cited.has_snippet(snippet):
            yield match.span()


def _is_inside(mention: Mention, places: tuple[tuple[int, int], ...]) -> bool:
    return any(start < mention.start and mention.end < end for start, end in places)


class _MentionCoverage:
    """Decides for each mention whether it stays inside the scope."""

    def __init__(self, scope: MentionScope, codebase: Codebase) -> None:
        self.cited = CitedCode(scope.ranges, codebase)
        self._scope = scope
        self._codebase = codebase
        self._lookup = path_lookup_of(codebase)
        resolver = ScopeResolver(codebase, self._lookup, self.cited)
        self._names = CitedNames(self.cited, resolver)

    def covers(self, mention: Mention) -> bool:
        if mention.tail and not self._has_tail(mention):
            return False
        if mention.kind == "path":
            return self._covers_path(mention)
        if self._is_expected(mention.entity_ids):
            return True
        if mention.kind == "entity_id":
            # An id is exact: its name alone proves nothing.
            return self._names.means(self._entities(mention))
        return self._is_foreign(mention) or self._covers_name(mention)

    def _has_tail(self, mention: Mention) -> bool:
        """Whether the cited lines have the names that stand behind what a mention resolves to.

        Any object may have the methods of the language's own objects.
        """
        for name in mention.tail.split("."):
            is_common = name in WORDS.object_methods or is_special_name(name)
            if not is_common and not self._names.has_word(name):
                return False
        return True

    def _covers_path(self, mention: Mention) -> bool:
        for path in mention.paths:
            if path in self._scope.files or self._has_file_below(path):
                return True
        if self.cited.has_literal(mention.text) or self.cited.has_unread_word(mention.text):
            return True
        # A path that exists must be named by the code, another one may be a word of a comment.
        if not mention.paths:
            return self.cited.has_word(mention.text)
        return "/" not in mention.text and self._names.uses_module(mention.text)

    def _has_file_below(self, path: str) -> bool:
        if not path.endswith("/"):
            return False
        return any(file.startswith(path) for file in self._scope.files)

    def _is_expected(self, entity_ids: frozenset[str]) -> bool:
        """Return whether an entity, or a member of it, is in the scope.

        A member is not in the scope because its class is.
        """
        if not entity_ids.isdisjoint(self._scope.entity_ids):
            return True
        for identifier in self._scope.entity_ids:
            if not entity_ids.isdisjoint(_ancestors(identifier)):
                return True
        return False

    def _is_foreign(self, mention: Mention) -> bool:
        """Return whether the first name of a mention comes from outside the codebase."""
        head = mention.text.partition(".")[0]
        for origin in self.cited.imports_of(head):
            top_level = origin.dotted.partition(".")[0]
            if not origin.is_relative and not self._lookup.is_own_module(top_level):
                return True
        if mention.kind != "member" or head not in WORDS.standard_modules:
            return False
        return not self._lookup.is_own_module(head)

    def _covers_name(self, mention: Mention) -> bool:
        entities = self._entities(mention)
        if not entities:
            return self._covers_unknown(mention)
        if self._stands(mention, entities) or self._constructs(entities):
            return True
        return self._names.means(self._called_alike(mention, entities))

    def _constructs(self, entities: list[Entity]) -> bool:
        """Return whether the cited lines call a class: that runs the ``__init__`` of a mention."""
        for entity in entities:
            owner = self._codebase.entity(entity_id(entity.path, entity.parent_name))
            if entity.simple_name == "__init__" and owner is not None:
                is_called = self._names.calls(owner.simple_name)
                return is_called and self._names.means([owner])
        return False

    def _entities(self, mention: Mention) -> list[Entity]:
        entities = map(self._codebase.entity, sorted(mention.entity_ids))
        return [entity for entity in entities if entity is not None]

    def _stands(self, mention: Mention, entities: list[Entity]) -> bool:
        """Return whether the names of a mention stand in the code of the cited lines."""
        parts = tuple(mention.text.split("."))
        is_called = mention.is_called
        if len(parts) == 1:
            # A text may write the plural of an entity's name.
            simple_names = [entity.simple_name for entity in entities]
            names = dict.fromkeys([parts[0], *simple_names])
            return any(self._names.has_name(name, is_called=is_called) for name in names)
        if parts[0] == SELF:
            return self._names.has_own_attribute(parts[1])
        if self._names.has_chain(parts, is_called=is_called):
            return True
        return self._names.has_parts(parts, is_called=is_called)

    def _called_alike(self, mention: Mention, entities: list[Entity]) -> Iterator[Entity]:
        """Yield the entities whose class is the one that a text names, if it names any."""
        *heads, _ = mention.text.split(".")
        has_class = mention.kind == "member" and heads and heads[-1] != SELF
        for entity in entities:
            owner = entity.parent_name.rpartition(".")[2]
            if not has_class or heads[-1] == owner or self._names.is_known(heads[-1]):
                yield entity

    def _covers_unknown(self, mention: Mention) -> bool:
        """Return whether the cited lines hold each name of a mention that means nothing here."""
        *heads, last = mention.text.split(".")
        if heads == [SELF]:
            is_used = any(self.cited.uses(last))
            # Where code uses the name, it decides; a comment may speak of it as well.
            if is_used:
                return self._names.has_own_attribute(last)
            return self.cited.has_word(last)
        if self._names.has_word(last):
            return all(map(self._names.has_word, heads))
        return not mention.is_marked and self._is_in_files(last)

    def _is_in_files(self, word: str) -> bool:
        """Return whether a word stands anywhere in the files of the scope."""
        escaped = re.escape(word)
        pattern = re.compile(rf"(?<!\w){escaped}(?!\w)")
        for path in self._scope.files:
            if self._codebase.has_text(path):
                text = self._codebase.source(path).text
                if pattern.search(text):
                    return True
        return False


def _ancestors(identifier: str) -> Iterator[str]:
    """Yield the ids of the definitions around an entity, from the inside out."""
    path, name = split_entity_id(identifier)
    while "." in name:
        name = name.rpartition(".")[0]
        yield entity_id(path, name)
