"""The languages that a snapshot reads."""

from typing import Final

from goldwright.snapshot.language import Language, LanguageWords
from goldwright.snapshot.python.language import PYTHON

LANGUAGES: Final[tuple[Language, ...]] = (PYTHON,)


def language_of(path: str) -> Language | None:
    """Give the language of a file by the ending of its name; None for a file of no language."""
    return next((language for language in LANGUAGES if path.endswith(language.suffixes)), None)


def language_named(name: str) -> Language:
    """Give a language by its name.

    Raises:
        KeyError: There is none.
    """
    return {language.name: language for language in LANGUAGES}[name]


SOURCE_SUFFIXES: Final = tuple(suffix for language in LANGUAGES for suffix in language.suffixes)
"""The endings of all files that are indexed."""

WORDS: Final = LanguageWords(
    names=frozenset().union(*(language.words.names for language in LANGUAGES)),
    standard_modules=frozenset().union(*(one.words.standard_modules for one in LANGUAGES)),
    type_names=frozenset().union(*(language.words.type_names for language in LANGUAGES)),
    object_methods=frozenset().union(*(one.words.object_methods for one in LANGUAGES)),
)
"""The words of all languages together."""
