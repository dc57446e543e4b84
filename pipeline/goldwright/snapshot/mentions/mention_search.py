"""Finding the files and entities of a codebase that a text names.

Words are resolved against the index: entity ids, paths, dotted names, code-marked words and words
shaped like code. A language's own names and plain English are no mentions. A name that stands as
code and resolves nowhere is kept as a mention of nothing: a path that is not there, or an invented
identifier.
"""

import re
from collections.abc import Iterator
from typing import Final

from goldwright.snapshot.codebase import Codebase
from goldwright.snapshot.entities import Entity, entity_id
from goldwright.snapshot.mentions.code_words import CodeWord, code_words
from goldwright.snapshot.mentions.mention_types import Mention, mention_of
from goldwright.snapshot.mentions.name_mentions import NameMentionFinder
from goldwright.snapshot.mentions.path_lookup import path_lookup_of
from goldwright.snapshot.mentions.path_mentions import (
    PathMentionFinder,
    file_suffix,
    tidy_path,
    without_lines,
)

__all__ = ["Mention", "mentions"]

# ``-like`` and the like behind a path or an id.
_COMPOUND: Final = re.compile(
    r"(?<=/)-[a-z-]+$|(\.[A-Za-z]\w{0,5}(?:[:#][L\d-]*\d)?|::[\w.]+)-[a-z-]+$"
)


def mentions(text: str, snapshot: Codebase) -> tuple[Mention, ...]:
    """Find every mention in a text, in its order."""
    finder = _MentionFinder(snapshot)
    all_mentions: list[Mention] = []
    for word in code_words(text):
        all_mentions.extend(finder.find(word))
    return tuple(all_mentions)


class _MentionFinder:
    """Decides whether a word is an id, a path or a name, and has it resolved."""

    def __init__(self, codebase: Codebase) -> None:
        self._codebase = codebase
        self._lookup = path_lookup_of(codebase)
        self._paths = PathMentionFinder(self._lookup)
        self._names = NameMentionFinder(codebase, self._lookup)

    def find(self, word: CodeWord) -> Iterator[Mention]:
        """Yield what a word names: nothing, one thing, or several where it joins several names."""
        text = word.text
        # Only a hyphen can join a path and another word.
        if "-" in text:
            text = _COMPOUND.sub(r"\1", text)
        text = without_lines(text)
        if "::" in text:
            yield from self._find_identifier(text, word)
        elif self._paths.looks_like_path(text):
            yield from self._find_path(text, word)
        else:
            yield from self._names.find(text, word)

    def _find_identifier(self, text: str, word: CodeWord) -> Iterator[Mention]:
        path, _, name = text.partition("::")
        if file_suffix(path) is None:
            # ``Session::send``, as other languages join names.
            dotted = text.replace("::", ".")
            yield from self._names.find(dotted, word)
            return
        name = name.replace("::", ".").strip(".:")
        entities: list[Entity] = []
        for candidate in self._lookup.paths(tidy_path(path)):
            entity = self._codebase.entity(entity_id(candidate, name))
            if entity is not None:
                entities.append(entity)
        yield mention_of(text, "entity_id", word, entities)

    def _find_path(self, text: str, word: CodeWord) -> Iterator[Mention]:
        path, colon, following = text.partition(":")
        mention = self._paths.find(path, word)
        if mention is None:
            yield from self._names.find(text, word)
            return
        yield mention
        if colon:
            yield from self._names.find(following, word)
