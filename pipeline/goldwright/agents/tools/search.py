"""Finding lines by pattern, in time linear in the text whatever the pattern is."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import Final

import re2

from goldwright.agents.tools.outputs import SearchMatch, ToolError
from goldwright.errors import InputError
from goldwright.snapshot import Snapshot
from goldwright.text import make_visible, shorten

LONGEST_PATTERN: Final = 500
LONGEST_LINE: Final = 400
MOST_MEMORY: Final = 8 * 1024 * 1024

Finder = Callable[[bytes], Iterator[int]]
_LINE_END: Final = re.compile(rb"\r\n|\r|\n")


def line_matcher(pattern: str, *, literal: bool, ignore_case: bool) -> Finder:
    """Make a function that yields the byte offsets at which a pattern matches, in order.

    Raises:
        ToolError: The pattern is empty, too long or none that RE2 knows.
    """
    if not pattern or len(pattern) > LONGEST_PATTERN:
        raise ToolError(f"the pattern has {len(pattern)} characters; wanted 1 to {LONGEST_PATTERN}")
    options = re2.Options()
    options.log_errors = False
    options.never_nl = True
    options.literal = literal
    options.case_sensitive = not ignore_case
    options.max_mem = MOST_MEMORY
    try:
        compiled = re2.compile((pattern if literal else f"(?m:{pattern})").encode("utf-8"), options)
    except (re2.error, UnicodeEncodeError) as error:
        shown = shorten(make_visible(pattern), 60)
        raise ToolError(
            f"the pattern {shown} is no RE2 expression; RE2 has no lookaround or backreference"
        ) from error

    def find(data: bytes) -> Iterator[int]:
        return (match.start() for match in compiled.finditer(data))

    return find


def matching_lines(snapshot: Snapshot, prefix: str, find: Finder) -> Iterator[SearchMatch]:
    """Yield every matching line below a path, once, Python files before others."""
    for path in _searched(snapshot, prefix):
        try:
            data = snapshot.data(path)
            lines = _matching_lines(data, find)
            texts = snapshot.source(path).lines if lines else ()
        except InputError:
            continue  # content shows only when it is read that a file is no text
        yield from (
            SearchMatch(path, line, shorten(texts[line - 1], LONGEST_LINE))
            for line in lines
            if line <= len(texts)
        )


def is_below(path: str, prefix: str) -> bool:
    """Tell whether a path is the prefix or lies in the folder it names; nothing is the whole tree."""
    folder = prefix.removeprefix("./").rstrip("/")
    return folder in {"", "."} or path == folder or path.startswith(f"{folder}/")


def _searched(snapshot: Snapshot, prefix: str) -> Iterator[str]:
    python = frozenset(snapshot.source_files)
    yield from (path for path in snapshot.source_files if is_below(path, prefix))
    yield from (
        path
        for path in sorted(snapshot.files)
        if path not in python and is_below(path, prefix) and snapshot.has_text(path)
    )


def _matching_lines(data: bytes, find: Finder) -> tuple[int, ...]:
    offsets = find(data)
    first = next(offsets, None)
    if first is None:
        return ()
    ends = [match.end() for match in _LINE_END.finditer(data)]
    found = {bisect_right(ends, first): None}
    found.update((bisect_right(ends, offset), None) for offset in offsets)
    return tuple(line + 1 for line in found)
