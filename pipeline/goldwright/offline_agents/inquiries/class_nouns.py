"""What people call the objects of a class, and the part of a codebase that it stands in."""

import re
from pathlib import PurePosixPath
from typing import Final

from goldwright.offline_agents.code_context import name_of, path_of

# A noun of more words is a name spelled out.
MOST_WORDS: Final = 2

_WORD: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_NO_NOUNS: Final = frozenset(
    """
    base abstract mixin impl abc class interface protocol type object meta generic default simple
    common core main python py
    """.split()
)


def noun_of_class(class_id: str) -> str:
    """Give the last telling words of a class name: a ``BaseFileStore`` is a "file store".

    Returns:
        Two words at most, and one of a name that would be told by two; empty where none is telling.
    """
    words = [word.lower() for word in _WORD.findall(name_of(class_id).rpartition(".")[2])]
    telling = [word for word in words if word not in _NO_NOUNS and word.isalpha()]
    # All words of a name in their order would give it away.
    most = MOST_WORDS if len(telling) < len(words) or len(telling) > MOST_WORDS else 1
    noun = telling[-most:]
    return " ".join(noun) if noun and len(noun[-1]) > 2 else ""


def area_of(entity_id: str) -> str:
    """Give the part of the codebase in a word: the file, or the folder of a file named alike."""
    path = PurePosixPath(path_of(entity_id))
    parts = [part.strip("_") for part in (*path.parts[:-1], path.stem)]
    words = [part for part in parts if part not in {"base", "init", "src", ""}]
    plain = [word.replace("_", " ") for word in words if word.replace("_", "").isalpha()]
    return plain[-1] if plain else ""


def is_said_twice(noun: str, area: str) -> bool:
    """Tell whether the area repeats the noun, as in "the scheduler of the scheduler"."""
    squashed = area.replace(" ", "").lower()
    return any(word in squashed or squashed in word for word in noun.split())
