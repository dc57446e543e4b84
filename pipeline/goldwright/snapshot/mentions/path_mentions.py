"""Telling which words of a text name a file or directory."""

import re
from dataclasses import dataclass
from typing import Final

from goldwright.snapshot.languages.language_catalog import SOURCE_SUFFIXES, WORDS
from goldwright.snapshot.mentions.code_words import CodeWord
from goldwright.snapshot.mentions.mention_types import Mention, mention_of
from goldwright.snapshot.mentions.path_lookup import PathLookup

# ``:12``, ``:12-40``, ``:12:5``, ``#L12`` or ``#L12-L40`` behind a path.
_LINES: Final = re.compile(r"(?::\d+(?:-\d+)?(?::\d+)?|#L?\d+(?:-L?\d+)?)$")
_SUFFIX: Final = re.compile(r"[\w\]]\.([A-Za-z]\w{0,5})$")
_RELATIVE: Final = re.compile(r"^(?:\.\.?/)+")
# Words that end like this name a file even where it does not exist.
_SOURCE_SUFFIXES: Final = frozenset(suffix.removeprefix(".") for suffix in SOURCE_SUFFIXES)
_FILE_SUFFIXES: Final = _SOURCE_SUFFIXES.union("pyx toml cfg ini yaml yml rst md ipynb".split())
# Words that end like this may be attributes (``response.json``): only a slash makes them files.
_ATTRIBUTE_LIKE_SUFFIXES: Final = frozenset(
    "json txt html htm css js ts jsx tsx xml sql sh csv lock jinja j2 c h cpp rs go".split()
)
_ALL_SUFFIXES: Final = _FILE_SUFFIXES | _ATTRIBUTE_LIKE_SUFFIXES


@dataclass(frozen=True, slots=True)
class PathMentionFinder:
    """Finds what words name among the paths of one codebase."""

    lookup: PathLookup

    def looks_like_path(self, text: str) -> bool:
        """Return whether a word is to be tried as a path."""
        if "/" in text or "\\" in text:
            return True
        suffix = file_suffix(text.partition(":")[0])
        if suffix is None:
            return False
        return suffix in _ALL_SUFFIXES or self.lookup.has_name(text)

    def find(self, text: str, word: CodeWord) -> Mention | None:
        """Find the file or directory that a word names.

        Returns:
            A mention, without paths where the file does not exist; None where the word is no path.
        """
        path = tidy_path(text)
        paths = self.lookup.paths(path)
        if not paths and "/" in path and file_suffix(path) is None:
            paths = self.lookup.guess_file(path)
        if paths and not _is_meant(path, paths, word):
            return None
        if not paths and not _is_lost(path, word):
            return None
        return mention_of(text, "path", word, paths=paths)


def without_lines(text: str) -> str:
    """Take off what tells lines behind a path."""
    return _LINES.sub("", text)


def file_suffix(text: str) -> str | None:
    """Give the suffix of a file name without its dot; None where there is none."""
    match = _SUFFIX.search(text)
    if match is None:
        return None
    return match[1]


def tidy_path(text: str) -> str:
    """Write a path with slashes, and without leading ``./`` and ``../``."""
    path = text.replace("\\", "/")
    return _RELATIVE.sub("", path)


def _is_meant(path: str, paths: frozenset[str], word: CodeWord) -> bool:
    """Rule out prose with a slash ("read/write") that happens to end the path of a directory."""
    if word.is_template:
        return False
    if word.is_in_code or path.endswith("/") or path in paths:
        return True
    return any(not match.endswith("/") for match in paths)


def _is_lost(path: str, word: CodeWord) -> bool:
    """Return whether a word is written like a file, although no such file exists."""
    suffix = file_suffix(path)
    if suffix is None or word.is_template or word.is_attribute or path.startswith(("/", "~")):
        return False
    if "/" in path:
        return suffix in _ALL_SUFFIXES
    if word.is_called or path.partition(".")[0] in WORDS.receivers:
        return False
    return suffix in _FILE_SUFFIXES
