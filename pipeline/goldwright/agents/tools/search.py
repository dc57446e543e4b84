"""Finding lines by pattern, in time linear in the text whatever the pattern is."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, Final

import re2

from goldwright.agents.tools.outputs import SearchMatch, ToolError
from goldwright.errors import InputError
from goldwright.snapshot import Snapshot
from goldwright.snapshot.word_files import files_with, other_files_with
from goldwright.text import make_visible, shorten

LONGEST_PATTERN: Final = 500
LONGEST_LINE: Final = 400
MOST_MEMORY: Final = 8 * 1024 * 1024
"""Bytes of a compiled pattern; RE2 refuses one that would take more."""

Matcher = Callable[[bytes], Iterator[int]]
"""Yields the byte offsets at which a pattern matches, in order."""

# A group that captures nothing, with neither brackets nor groups inside; it may match nothing.
_PLAIN_GROUP: Final = re.compile(r"\(\?s?:[^()\[\]]*\)[?*+]?")
# What is left of a pattern with these may match without some of its words.
_BRANCHING: Final = re.compile(r"[()\[\]|{]")
_WHOLE_WORD: Final = re.compile(r"(?<!\\)(?:\\b|\\s\+)(\w+)\\b(?![?*+])", re.ASCII)
_LINE_END: Final = re.compile(rb"\r\n|\r|\n")


def compile_matcher(pattern: str, *, literal: bool, ignore_case: bool) -> Matcher:
    """Make a function that finds the matches of a pattern.

    Raises:
        ToolError: The pattern is empty, too long, or no pattern of RE2.
    """
    if not pattern or len(pattern) > LONGEST_PATTERN:
        raise ToolError(f"the pattern has {len(pattern)} characters; wanted 1 to {LONGEST_PATTERN}")
    options = _matcher_options(literal=literal, ignore_case=ignore_case)
    expression = pattern
    if not literal:
        # In RE2, ^ and $ match at line ends only with the flag m.
        expression = f"(?m:{pattern})"
    try:
        compiled = re2.compile(expression.encode("utf-8"), options)
    except (re2.error, UnicodeEncodeError) as error:
        excerpt = shorten(make_visible(pattern), 60)
        raise ToolError(
            f"the pattern {excerpt} is no RE2 expression; RE2 has no lookaround or backreference"
        ) from error

    def find_offsets(data: bytes) -> Iterator[int]:
        return (match.start() for match in compiled.finditer(data))

    return find_offsets


def required_words(pattern: str) -> tuple[str, ...]:
    r"""Find the words that stand by themselves on every line that a pattern matches.

    Returns:
        What stands between ``\b``, or between ``\s+`` and ``\b``, outside of groups, in its order;
        empty where there is nothing of the kind, or where the pattern is not that simple.
    """
    plain = _PLAIN_GROUP.sub(" ", pattern)
    if _BRANCHING.search(plain):
        return ()
    return tuple(dict.fromkeys(_WHOLE_WORD.findall(plain)))


def matching_lines(
    snapshot: Snapshot, prefix: str, matcher: Matcher, *, words: Sequence[str] = ()
) -> Iterator[SearchMatch]:
    """Yield every matching line below a path, once, Python files before others.

    Args:
        snapshot: The codebase.
        prefix: The path.
        matcher: Finds the matches.
        words: Words of which every match stands beside each: other files are not read.
    """
    for path in _searched_paths(snapshot, prefix, words):
        try:
            numbers = _matching_line_numbers(snapshot.data(path), matcher)
            if not numbers:
                continue
            lines = snapshot.source(path).lines
        except InputError:
            # That a file is no text may show only when its content is read.
            continue
        for number in numbers:
            # A match at the very end of the bytes stands after the last line of the text.
            if number <= len(lines):
                line = shorten(lines[number - 1], LONGEST_LINE)
                yield SearchMatch(path, number, line)


def is_below(path: str, prefix: str) -> bool:
    """Return whether a path is the prefix or lies in the folder it names.

    Every path lies below an empty prefix and below ``.``.
    """
    folder = prefix.removeprefix("./").rstrip("/")
    if folder in {"", "."}:
        return True
    return path == folder or path.startswith(folder + "/")


def _matcher_options(*, literal: bool, ignore_case: bool) -> Any:
    options = re2.Options()
    options.log_errors = False
    # No match goes over a line end.
    options.never_nl = True
    options.literal = literal
    options.case_sensitive = not ignore_case
    options.max_mem = MOST_MEMORY
    return options


def _searched_paths(snapshot: Snapshot, prefix: str, words: Sequence[str]) -> Iterator[str]:
    sources = _fewest_files(files_with(snapshot, word) for word in words)
    for path in snapshot.source_files if sources is None else sources:
        # By its name a file may be source, and by its content no text.
        if is_below(path, prefix) and snapshot.has_text(path):
            yield path
    other_files = _fewest_files(other_files_with(snapshot, word) for word in words)
    if other_files is not None:
        yield from (path for path in other_files if is_below(path, prefix))
        return
    source_files = frozenset(snapshot.source_files)
    for path in sorted(snapshot.files):
        if path not in source_files and is_below(path, prefix) and snapshot.has_text(path):
            yield path


def _fewest_files(files_by_word: Iterable[Sequence[str] | None]) -> Sequence[str] | None:
    """Give the files of the rarest word; None where each stands in too many."""
    known_files = [files for files in files_by_word if files is not None]
    return min(known_files, key=len, default=None)


def _matching_line_numbers(data: bytes, matcher: Matcher) -> tuple[int, ...]:
    offsets = matcher(data)
    first_offset = next(offsets, None)
    if first_offset is None:
        # Most files hold no match, and their line ends need not be found.
        return ()
    if b"\r" not in data:
        return _numbers_by_counting(data, chain([first_offset], offsets))
    # As many line ends as lie before an offset, so many lines stand above it.
    line_ends = [match.end() for match in _LINE_END.finditer(data)]
    # A dictionary keeps each line once, in the order of the matches.
    numbers = {bisect_right(line_ends, first_offset) + 1: None}
    for offset in offsets:
        numbers[bisect_right(line_ends, offset) + 1] = None
    return tuple(numbers)


def _numbers_by_counting(data: bytes, offsets: Iterable[int]) -> tuple[int, ...]:
    """Count the line feeds between rising offsets: most files have no other line ends."""
    numbers: dict[int, None] = {}
    number = 1
    counted_to = 0
    for offset in offsets:
        number += data.count(b"\n", counted_to, offset)
        counted_to = offset
        numbers[number] = None
    return tuple(numbers)
