"""The languages that a snapshot reads."""

from collections.abc import Iterable
from functools import reduce
from itertools import chain
from typing import Final

from goldwright.snapshot.language_port import Language, LanguageWords
from goldwright.snapshot.python.language import PYTHON
from goldwright.snapshot.typescript.language import TYPESCRIPT
from goldwright.snapshot.typescript.parsing import EXTRA, is_installed

ALL_LANGUAGES: Final[tuple[Language, ...]] = (PYTHON, TYPESCRIPT)
"""The languages that can be indexed, whatever is installed."""

LANGUAGES: Final[tuple[Language, ...]] = ALL_LANGUAGES if is_installed() else (PYTHON,)
"""The languages that are indexed; without its extra, TypeScript is plain text."""

LANGUAGE_TITLES: Final = " and ".join(language.title for language in LANGUAGES)
"""The names of all languages that are indexed, for messages."""

SOURCE_SUFFIXES: Final = tuple(chain.from_iterable(language.suffixes for language in LANGUAGES))
"""The endings of all files that are indexed."""

WORDS: Final = reduce(LanguageWords.union, (language.words for language in ALL_LANGUAGES))
"""The words of all languages together, whatever is installed."""


def language_of(path: str) -> Language | None:
    """Give the language of a file by the ending of its name; None for a file of no language."""
    for language in LANGUAGES:
        if path.endswith(language.suffixes):
            return language
    return None


def missing_extra_note(paths: Iterable[str]) -> str | None:
    """Say what to install where files are in a language that is known but not installed."""
    if TYPESCRIPT in LANGUAGES:
        return None
    count = sum(1 for path in paths if path.endswith(TYPESCRIPT.suffixes))
    if not count:
        return None
    return (
        f"{count:,} {TYPESCRIPT.title} file(s) are read as plain text only; "
        f"pip install '{EXTRA}' to index them"
    )


def language_named(name: str) -> Language:
    """Give a language by its name.

    Raises:
        KeyError: There is no language of this name.
    """
    for language in LANGUAGES:
        if language.name == name:
            return language
    raise KeyError(name)


def paths_in(language: Language, paths: Iterable[str]) -> tuple[str, ...]:
    """Select the files of one language, in their order."""
    return tuple(path for path in paths if language_of(path) is language)


def is_special_name(word: str) -> bool:
    """Return whether a language gives names of this form a meaning of its own, as ``__init__``."""
    return any(language.is_special_name(word) for language in LANGUAGES)


def blank_strings(snippet: str) -> str | None:
    """Blank out the strings and comments of a piece of code, offsets stay.

    None where it reads as code in no language.
    """
    for language in LANGUAGES:
        blanked = language.blank_strings(snippet)
        if blanked is not None:
            return blanked
    return None
