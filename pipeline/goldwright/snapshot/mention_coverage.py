"""Telling which mentions of a text step outside the entities and files it may speak of."""

import re
from collections.abc import Iterator
from typing import Final

from goldwright.snapshot.codebase import Codebase
from goldwright.snapshot.entities import entity_id, split_entity_id
from goldwright.snapshot.languages import WORDS
from goldwright.snapshot.mention_scope import MentionScope, ScopeSources
from goldwright.snapshot.mention_types import SELF, Mention
from goldwright.snapshot.mentions import mentions
from goldwright.snapshot.path_lookup import path_lookup_of

__all__ = ["MentionScope", "uncovered_mentions"]

_CODE_NAME: Final = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_QUOTATION: Final = re.compile(r"[\"“]([^\"“”`]+)[\"”]")


def uncovered_mentions(text: str, scope: MentionScope, snapshot: Codebase) -> tuple[Mention, ...]:
    """List the mentions of a text that name something outside its scope, in their order.

    An entity is covered when it, or a member of it, is in the scope; a member is not covered by
    its class. A word that several entities share is covered by any of them. What stands in cited
    lines themselves is seen there, whatever it means elsewhere. Names imported from elsewhere are
    foreign; what a quotation from a file of the scope holds is not the text's own. None of these
    steps outside.
    """
    coverage = _MentionCoverage(text, scope, snapshot)
    all_mentions = mentions(text, snapshot)
    outside = [mention for mention in all_mentions if not coverage.covers(mention)]
    # The search for quotations reads all files of the scope.
    if not outside:
        return ()
    quotations = _quotations(text, coverage.sources)
    return tuple(mention for mention in outside if not _is_quoted(mention, quotations))


def _quotations(text: str, sources: ScopeSources) -> list[tuple[int, int]]:
    """Give the offsets of what a text quotes from the files of its scope."""
    matches = _QUOTATION.finditer(text)
    return [match.span() for match in matches if sources.has_quotation(match[1])]


def _is_quoted(mention: Mention, quotations: list[tuple[int, int]]) -> bool:
    return any(start < mention.start and mention.end < end for start, end in quotations)


class _MentionCoverage:
    """Decides for each mention whether it stays inside the scope."""

    def __init__(self, text: str, scope: MentionScope, codebase: Codebase) -> None:
        self._text = text
        self._scope = scope
        self.sources = ScopeSources(scope, codebase)
        self._lookup = path_lookup_of(codebase)

    def covers(self, mention: Mention) -> bool:
        if mention.kind == "path":
            return self._covers_path(mention)
        if self._covers_entity(mention.entity_ids):
            return True
        # An id is exact; whatever else the word means does not excuse it.
        if mention.kind == "entity_id":
            return False
        if self._is_foreign(mention) or self._stands_in_scope(mention):
            return True
        if mention.is_resolved:
            return self._is_data(mention)
        # A word that the source holds is a quotation, and no invention.
        name = mention.text.rpartition(".")[2]
        return self.sources.has_word(name)

    def _stands_in_scope(self, mention: Mention) -> bool:
        """Find out whether the lines of the scope themselves hold the name.

        They call it, catch it, compare it or hand it on: whoever reads them sees it there, although
        it is defined elsewhere.
        """
        written = self._text[mention.start : mention.end]
        name = _CODE_NAME.match(written)
        if name is not None and name[0] in self.sources.names_in_scope:
            return True
        return any(map(self._is_cited_member, mention.entity_ids))

    def _is_cited_member(self, identifier: str) -> bool:
        """Find out whether a definition is part of an expected one and stands in cited lines."""
        is_member = not self._scope.entity_ids.isdisjoint(_ancestors(identifier))
        return is_member and self.sources.holds_entity(identifier)

    def _covers_path(self, mention: Mention) -> bool:
        if not mention.paths:
            return self.sources.has_word(mention.text)
        for path in mention.paths:
            if path in self._scope.files or self._has_file_below(path):
                return True
        # A file name may be a literal of the code, and a module be called like a local name.
        if self.sources.binds("value", mention.text):
            return True
        return self._is_attribute_of_local(mention)

    def _has_file_below(self, path: str) -> bool:
        if not path.endswith("/"):
            return False
        return any(file.startswith(path) for file in self._scope.files)

    def _covers_entity(self, entity_ids: frozenset[str]) -> bool:
        if not entity_ids.isdisjoint(self._scope.entity_ids):
            return True
        for identifier in self._scope.entity_ids:
            if not entity_ids.isdisjoint(_ancestors(identifier)):
                return True
        return False

    def _is_data(self, mention: Mention) -> bool:
        """Tell whether the code of the scope uses a word as data that is an entity's name too."""
        if mention.kind == "dotted":
            return self._is_attribute_of_local(mention)
        receiver, _, word = mention.text.rpartition(".")
        if mention.kind == "name" and self.sources.binds("local", word):
            return True
        # What is called is code, and no data.
        if mention.is_called:
            return False
        # No class of the scope has such a member, so it can only be an attribute.
        if receiver == SELF and not self._is_own_member(mention):
            return True
        if self.sources.binds("attribute", word):
            return True
        return self.sources.binds("value", word)

    def _is_attribute_of_local(self, mention: Mention) -> bool:
        """Tell whether ``app.name`` reads a local ``app``, although an entity is called so too."""
        head, dot, _ = mention.text.partition(".")
        if mention.is_called or not dot or not self.sources.binds("local", head):
            return False
        attribute = mention.text.rpartition(".")[2]
        return self.sources.binds("attribute", attribute)

    def _is_own_member(self, mention: Mention) -> bool:
        """Tell whether ``self.name`` can be a member of a class of the scope."""
        owners = set(self._scope.entity_ids)
        for identifier in self._scope.entity_ids:
            owners.add(_owner(identifier))
        return any(_owner(member) in owners for member in mention.entity_ids)

    def _is_foreign(self, mention: Mention) -> bool:
        """Tell whether the first name of a mention comes from outside the codebase."""
        head = mention.text.partition(".")[0]
        for origin in self.sources.origins(head):
            if not self._lookup.is_own_module(origin.partition(".")[0]):
                return True
        if mention.kind != "member" or head not in WORDS.standard_modules:
            return False
        return not self._lookup.is_own_module(head)


def _owner(identifier: str) -> str:
    """Take the last name off an id; at module level a piece of the path remains."""
    return identifier.rpartition(".")[0]


def _ancestors(identifier: str) -> Iterator[str]:
    """Yield the ids of the definitions around an entity, from the inside out."""
    path, name = split_entity_id(identifier)
    while "." in name:
        name = name.rpartition(".")[0]
        yield entity_id(path, name)
