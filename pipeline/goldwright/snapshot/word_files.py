"""Which files hold a word: one pass over a codebase answers for all words.

What is kept of a codebase is small: a mark of 32 bits for each word of each file, and nothing of
words that stand in very many files.
"""

import re
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Final, Protocol
from zlib import crc32

from goldwright.snapshot.entities import FileEntry

# A search of the toolset shows 200 lines: about a word in more files nobody can know every use.
MOST_FILES: Final = 200

# Runs of the letters that ``\b`` separates in a pattern for bytes.
_WORD: Final = re.compile(rb"[A-Za-z_]\w*")
_LETTER: Final = re.compile(rb"\w")
_MARK_BITS: Final = 32
# A codebase has some hundred thousand words, so that few of them share a shelf.
_SHELVES: Final = 1 << 14

# Neighbouring questions ask for the same names.
_TEXTS_IN_MEMORY: Final = 4096

# Above the mark of a word, below the number of a file.
_Posting = int


class TextFiles(Protocol):
    """A codebase whose files can be read as bytes."""

    def __hash__(self) -> int: ...

    @property
    def files(self) -> Mapping[str, FileEntry]:
        """All files by path."""

    @property
    def source_files(self) -> tuple[str, ...]:
        """The paths of the files that are indexed."""

    def has_text(self, path: str) -> bool:
        """Check whether a path is a text file."""

    def data(self, path: str) -> bytes:
        """Give the bytes of a text file."""


@lru_cache(maxsize=_TEXTS_IN_MEMORY)
def files_with(codebase: TextFiles, text: str) -> tuple[str, ...] | None:
    """Give the source files that hold a text, with no letter in front of it or behind it.

    Returns:
        The paths, in the order of the source files; None where there are more than
        ``MOST_FILES``, or all words of the text stand in so many files.
    """
    return _source_words(codebase).holding(text)


def other_files_with(codebase: TextFiles, text: str) -> tuple[str, ...] | None:
    """Give the files of text that are no source files and hold a text; as ``files_with``."""
    return _other_words(codebase).holding(text)


class WordFiles:
    """The files of each word, by the marks of words."""

    def __init__(self, codebase: TextFiles, paths: Iterable[str]) -> None:
        self._codebase = codebase
        self._paths = tuple(paths)
        shelves: defaultdict[int, array[int]] = defaultdict(_empty_shelf)
        for number, path in enumerate(self._paths):
            for word in set(_WORD.findall(codebase.data(path))):
                mark = crc32(word)
                posting = mark << _MARK_BITS | number
                shelves[mark % _SHELVES].append(posting)
        self._frequent: set[int] = set()
        self._shelves: dict[int, Sequence[_Posting]] = {}
        for place, shelf in shelves.items():
            self._shelves[place] = self._without_frequent(shelf)

    def holding(self, text: str) -> tuple[str, ...] | None:
        """Give the files that hold a text between other letters; None for too many."""
        candidates = self._candidates(text)
        if candidates is None:
            return None
        paths = [self._paths[number] for number in candidates]
        encoded_word = text.encode()
        return tuple(path for path in paths if _holds(self._codebase.data(path), encoded_word))

    def _candidates(self, text: str) -> Sequence[int] | None:
        """Give the numbers of the files that hold every word of a text, as far as known."""
        rarest: Sequence[int] | None = None
        for word in _WORD.findall(text.encode()):
            numbers = self._numbers(crc32(word))
            if numbers is not None and (rarest is None or len(numbers) < len(rarest)):
                rarest = numbers
        return rarest

    def _numbers(self, mark: int) -> Sequence[int] | None:
        if mark in self._frequent:
            return None
        shelf = self._shelves.get(mark % _SHELVES, ())
        first = bisect_left(shelf, mark << _MARK_BITS)
        behind = bisect_left(shelf, (mark + 1) << _MARK_BITS)
        return [posting & 0xFFFF_FFFF for posting in shelf[first:behind]]

    def _without_frequent(self, shelf: Iterable[_Posting]) -> "array[int]":
        """Sort the postings of a shelf, and keep of a frequent word only that it is one."""
        kept_numbers = array("Q")
        for mark, group in groupby(sorted(shelf), key=_mark_of):
            postings = array("Q", group)
            if len(postings) > MOST_FILES:
                self._frequent.add(mark)
            else:
                kept_numbers.extend(postings)
        return kept_numbers


def _holds(data: bytes, text: bytes) -> bool:
    """Check whether a text stands between other letters; many times faster than a pattern."""
    start = data.find(text)
    while start >= 0:
        end = start + len(text)
        before = data[max(start - 1, 0) : start]
        after = data[end : end + 1]
        if _LETTER.search(before + after) is None:
            return True
        start = data.find(text, start + 1)
    return False


def _empty_shelf() -> "array[int]":
    return array("Q")


def _mark_of(posting: _Posting) -> int:
    return posting >> _MARK_BITS


@lru_cache(maxsize=2)
def _source_words(codebase: TextFiles) -> WordFiles:
    # By its name it may be text, and by its content not.
    return WordFiles(codebase, filter(codebase.has_text, codebase.source_files))


@lru_cache(maxsize=2)
def _other_words(codebase: TextFiles) -> WordFiles:
    source_files = frozenset(codebase.source_files)
    paths = [path for path in sorted(codebase.files) if path not in source_files]
    return WordFiles(codebase, filter(codebase.has_text, paths))
