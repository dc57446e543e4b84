"""Which identifiers of its targets a query gives away."""

import re
from collections.abc import Iterable
from typing import Final

from goldwright.snapshot.entities import split_entity_id
from goldwright.snapshot.identifiers import code_spans, is_code_shaped

_QUERY_WORD: Final = re.compile(r"[A-Za-z]+|\d+")
_NAME_WORD: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
# Between a class and its member: Python's, that of documentation, and C++'s.
_JOINT: Final = r"(?:\.|#|::)"
# A name of one word is a word of English that a query may need.
_FEWEST_WORDS: Final = 2


def leaked_identifiers(query_text: str, target_ids: Iterable[str]) -> tuple[str, ...]:
    """List the identifiers of the targets that a query gives away.

    An identifier is any part of a target's qualified name. A code-shaped one leaks as a complete
    word in the same case; one that is also English leaks only between code marks, called, or beside
    a dot, ``#`` or ``::``.
    """
    code_text = " \n ".join(code_spans(query_text))
    names = _names_of(target_ids)
    return tuple(name for name in names if _is_leaked(name, query_text, code_text))


def split_identifiers(query_text: str, target_ids: Iterable[str]) -> tuple[str, ...]:
    """List the identifiers of the targets that a query gives away word by word.

    A name of two words or more is given away by all its words in their order, with one other word
    in between at most: "asynchronous adapt cursor" gives ``adapt_cursor`` away.
    """
    words = [word.lower() for word in _QUERY_WORD.findall(query_text)]
    names = _names_of(target_ids)
    return tuple(name for name in names if _is_split_in(_words_of(name), words))


def _names_of(target_ids: Iterable[str]) -> tuple[str, ...]:
    """List the parts of qualified names, each once, in the order of the targets."""
    names: dict[str, None] = {}
    for target_id in target_ids:
        _, qualified_name = split_entity_id(target_id)
        parts = filter(None, qualified_name.split("."))
        names.update(dict.fromkeys(parts))
    return tuple(names)


def _words_of(name: str) -> list[str]:
    return [word.lower() for word in _NAME_WORD.findall(name)]


def _is_split_in(name_words: list[str], words: list[str]) -> bool:
    if len(name_words) < _FEWEST_WORDS:
        return False
    starts = [place for place, word in enumerate(words) if word == name_words[0]]
    return any(_follow(name_words[1:], words[start + 1 :]) for start in starts)


def _follow(name_words: list[str], words: list[str]) -> bool:
    """Check whether words come in order, each at most one place behind where it could be."""
    place = 0
    for name_word in name_words:
        near = words[place : place + 2]
        if name_word not in near:
            return False
        place += near.index(name_word) + 1
    return True


def _is_leaked(name: str, query: str, code_text: str) -> bool:
    if name not in query:
        return False
    word = rf"(?<!\w){re.escape(name)}(?!\w)"
    if is_code_shaped(name):
        return re.search(word, query) is not None
    if re.search(word, code_text):
        return True
    called_or_joined = rf"{word}(?:\(|\.\w|(?:#|::)[^\W\d])"
    behind_joint = rf"(?:(?<=\w)|(?<=[)\]])|(?<!\S)){_JOINT}{word}"
    pattern = f"{called_or_joined}|{behind_joint}"
    return re.search(pattern, query) is not None
