"""The languages that a snapshot reads."""

from collections.abc import Iterable
from functools import reduce
from itertools import chain
from typing import Final

from goldwright.snapshot.languages.language_port import Language, LanguageWords
from goldwright.snapshot.languages.python.language import PYTHON
from goldwright.snapshot.languages.typescript.language import TYPESCRIPT
from goldwright.text import name_all

ALL_LANGUAGES: Final[tuple[Language, ...]] = (PYTHON, TYPESCRIPT)
"""The languages that can be indexed, whatever is installed."""

LANGUAGES: Final = tuple(language for language in ALL_LANGUAGES if language.is_installed)
"""The languages that are indexed; without its extra, a language is plain text."""

LANGUAGE_TITLES: Final = name_all([language.title for language in LANGUAGES])
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
    missing_languages = [language for language in ALL_LANGUAGES if language not in LANGUAGES]
    all_paths = tuple(paths) if missing_languages else ()
    notes: list[str] = []
    for language in missing_languages:
        count = sum(1 for path in all_paths if path.endswith(language.suffixes))
        if count:
            notes.append(
                f"{count:,} {language.title} file(s) are read as plain text only; "
                f"pip install '{language.extra}' to index them"
            )
    return "; ".join(notes) or None


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
