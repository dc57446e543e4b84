"""What identifiers say in English: the action behind a function's name, the topic behind a class's."""

import re
from collections.abc import Collection
from typing import Final

from goldwright.offline_agents.author.actions import Action, action
from goldwright.offline_agents.author.docstring_prose import humanised
from goldwright.offline_agents.author.inflection import (
    has_article,
    indefinite,
    is_plural,
    plural,
    singular,
    spell,
)
from goldwright.offline_agents.author.lexicon import (
    ABBREVIATIONS,
    ACRONYMS,
    CONJUNCTIONS,
    NOUN_VERBS,
    PREPOSITIONS,
    SPELLED,
    UNCOUNTABLE,
    VERBS,
)

NOISE_BEFORE: Final = frozenset({"base", "abstract", "default", "simple", "generic", "my", "real"})
NOISE_AFTER: Final = frozenset(
    {"base", "abstract", "mixin", "impl", "abc", "class", "interface", "protocol", "type", "object"}
)
TRANSITIVE: Final = VERBS - frozenset(
    "add allow let make put give get do ensure begin end support try test set wait go log hook "
    "return yield list use enter exit".split()
)
SURE_VERBS: Final = (TRANSITIVE - NOUN_VERBS) | frozenset(
    "check copy dump filter format handle load match print process read record redirect register "
    "send set sort split update write".split()
)
FLAVOURS: Final = frozenset(
    "async asyncio sync deferred compat legacy impl inner internal wrapper helper func callback maybe".split()
)
_SPLIT: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")


def words_of(identifier: str) -> list[str]:
    """Split an identifier into lower-case words: ``_parseURLArgs`` gives ``parse url args``."""
    return [word.lower() for word in _SPLIT.findall(identifier)]


class IdentifierSpeller:
    """Turns words of identifiers into English as far as the code base's own prose vouches for them."""

    def __init__(self, vocabulary: Collection[str]) -> None:
        self._vocabulary = vocabulary

    def knows(self, word: str) -> bool:
        """Tell whether a word is used in prose, or is a verb, a short form or an acronym."""
        lower = word.lower()
        return lower in self._vocabulary or lower in VERBS or lower in ACRONYMS or lower in SPELLED

    def expanded(self, word: str) -> str | None:
        """Write one word out; ``None`` when nobody would know it."""
        if word in ABBREVIATIONS:
            return ABBREVIATIONS[word]
        return spell(word) if self.knows(word) and len(word) > 1 else None

    def is_noun(self, word: str) -> bool:
        """Tell whether the code base's prose uses a word as a noun: its plural is there, or its
        ending says so.
        """
        if word in {
            "inner",
            "outer",
            "lower",
            "upper",
            "other",
            "greater",
            "newer",
            "older",
            "like",
            "only",
        }:
            return False
        return (
            plural(word) in self._vocabulary
            or word in UNCOUNTABLE
            or (
                word in self._vocabulary
                and word.endswith(("er", "or", "tion", "ment", "ure", "ry"))
            )
        )

    def action(self, name: str) -> Action | None:
        """Read ``load_config_from_file`` as *load the configuration from a file*."""
        words = words_of(name)
        if (
            len(words) < 2
            or words[0] not in SURE_VERBS
            or len(words) > 6
            or FLAVOURS.intersection(words)
            or CONJUNCTIONS.intersection(words) - {"and", "or"}
        ):
            return None
        parts = [self.expanded(word) for word in words[1:]]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts) or known[-1] in PREPOSITIONS or known[0] in PREPOSITIONS:
            return None
        last = known[-1].rpartition(" ")[2]
        if last.endswith(("ed", "ly", "able")) or not (
            is_plural(last) or last.lower() in UNCOUNTABLE or self.is_noun(last) or last.isupper()
        ):
            return None
        return action(words[0], _articled(known))

    def topic(self, class_name: str) -> str | None:
        """Read ``FileSystemLoader`` as *file system loader*, without article; ``None`` where a word
        is unknown.
        """
        words = [word.lower() for word in humanised(class_name).split()]
        while words and words[0] in NOISE_BEFORE:
            words = words[1:]
        while words and words[-1] in NOISE_AFTER:
            words = words[:-1]
        spelled = [self.expanded(word) for word in words]
        known = [word for word in spelled if word is not None]
        if (
            not known
            or len(known) < len(words)
            or PREPOSITIONS.union({"and", "or"}).intersection(known)
            or any(character.isdigit() for character in class_name)
        ):
            return None
        if singular(known[-1]) in VERBS and known[-1] not in self._vocabulary:
            return None
        return " ".join(known)


def with_article(topic: str) -> str:
    """Name one definite thing: ``the file system loader``; plurals and names of stuff as well."""
    return f"the {topic}"


def one_of(topic: str) -> str:
    """Name any of its kind: ``a file system loader``."""
    return indefinite(topic)


def _articled(words: list[str]) -> str:
    out: list[str] = []
    phrase: list[str] = []
    for word in [*words, ""]:
        if word and word not in PREPOSITIONS and word not in {"and", "or"}:
            phrase.append(word)
            continue
        out.extend(_noun(phrase, is_first=not out))
        phrase = []
        if word:
            out.append(word)
    return " ".join(out)


def _noun(phrase: list[str], *, is_first: bool) -> list[str]:
    if not phrase:
        return []
    last = phrase[-1].rpartition(" ")[2]
    if is_plural(last) or phrase[0] in {"all", "any", "each"}:
        return phrase
    if is_first or last.lower() in UNCOUNTABLE:
        return ["the", *phrase]
    return [has_article(phrase[0]), *phrase]
