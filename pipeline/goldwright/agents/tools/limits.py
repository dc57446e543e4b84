"""How much a tool shows: numbers of items, and bytes of the text that a reader is shown."""

from collections.abc import Iterable, Iterator
from typing import Final

from goldwright.agents.tools.outputs import SearchMatch
from goldwright.text import make_visible, shorten

# An output beyond these is cut and says so.
MOST_PATHS: Final = 500
MOST_HITS: Final = 200
MOST_LINES: Final = 400
MOST_ITEMS: Final = 1000
MOST_COMMITS: Final = 200
LONGEST_SHOWN_PATH: Final = 120

MOST_HIT_BYTES: Final = 64 * 1024
MOST_LINE_BYTES: Final = 32 * 1024

# The number of a line and the punctuation around it, about.
_HIT_OVERHEAD: Final = 12
_LINE_OVERHEAD: Final = 8


def take_hits_within_limit(hits: Iterable[SearchMatch]) -> Iterator[SearchMatch]:
    """Yield hits while they fit into the output."""
    room = MOST_HIT_BYTES
    for hit in hits:
        room -= _visible_bytes(hit.path) + _HIT_OVERHEAD
        room -= _visible_bytes(hit.text)
        if room < 0:
            return
        yield hit


def take_lines_within_limit(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines while they fit into the output; a first line that is too long alone is cut."""
    room = MOST_LINE_BYTES
    for index, line in enumerate(lines):
        room -= _visible_bytes(line) + _LINE_OVERHEAD
        if room >= 0:
            yield line
            continue
        if index == 0:
            # A character takes up to ten bytes when it is hidden and written as its code.
            yield shorten(line, MOST_LINE_BYTES // 10)
        return


def _visible_bytes(text: str) -> int:
    return len(make_visible(text).encode("utf-8"))
