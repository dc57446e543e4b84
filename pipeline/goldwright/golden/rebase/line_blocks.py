"""Finding consecutive lines of one file in another version of it, by their text."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.snapshot import Span

MOST_CONTEXT_LINES: Final = 20
# Lines that occur several times are told apart by what is around them; fewer equal lines than this
# may be blank lines and brackets.
FEWEST_CONTEXT_LINES: Final = 4


@dataclass(frozen=True, slots=True)
class LineBlock:
    """Consecutive lines of a file.

    Attributes:
        lines: All lines of the file.
        first: The index of the first line of the block, from 0.
        end: The index after its last line.
    """

    lines: Sequence[str]
    first: int
    end: int

    @property
    def text(self) -> Sequence[str]:
        """The lines of the block; at least one."""
        return self.lines[self.first : self.end]


@dataclass(frozen=True, slots=True)
class BlockMatch:
    """Where a block is found.

    Attributes:
        start: The index of its first line, from 0; None where no single place can be told.
        count: How many places hold its text.
    """

    start: int | None
    count: int


def find_block(
    block: LineBlock,
    new_lines: Sequence[str],
    *,
    old_spans: Sequence[Span],
    new_spans: Sequence[Span],
    is_same_file: bool,
) -> BlockMatch:
    """Find a block among the lines of a newer version of its file.

    Where its text is unique in both versions, that is its place. Otherwise it is the place around
    which most lines are the same; of several such, the one where it was.

    Args:
        block: The lines to find.
        new_lines: All lines of the newer version.
        old_spans: The part of the old version in which the text has to be unique.
        new_spans: The part of the newer version to look in.
        is_same_file: Whether the file has the path that it had.
    """
    old_starts = _find_text(block.text, block.lines, old_spans)
    new_starts = _find_text(block.text, new_lines, new_spans)
    best = new_starts
    is_unique = len(old_starts) == len(new_starts) == 1
    if not is_unique:
        best = _best_surrounded(block, new_lines, new_starts)
    if len(best) > 1 and is_same_file and block.first in best:
        best = [block.first]
    if len(best) != 1:
        return BlockMatch(None, len(new_starts))
    return BlockMatch(best[0], len(new_starts))


def _find_text(text: Sequence[str], lines: Sequence[str], spans: Sequence[Span]) -> list[int]:
    """Give the indices at which a text begins, where a span holds all of it."""
    length = len(text)
    starts: list[int] = []
    for start in range(len(lines) - length + 1):
        # Nearly everywhere the first line differs already, and no slice is made.
        if lines[start] != text[0] or lines[start : start + length] != text:
            continue
        if _is_within(start, length, spans):
            starts.append(start)
    return starts


def _is_within(start: int, length: int, spans: Sequence[Span]) -> bool:
    # Spans count lines from 1 and include their last line.
    first_line = start + 1
    last_line = start + length
    return any(span.first <= first_line and last_line <= span.last for span in spans)


def _best_surrounded(
    block: LineBlock, new_lines: Sequence[str], starts: Sequence[int]
) -> list[int]:
    """Give the places around which most lines are the same, up to twenty each way."""
    length = len(block.text)
    first_above = max(0, block.first - MOST_CONTEXT_LINES)
    last_below = block.end + MOST_CONTEXT_LINES
    # Lines above are compared from the block upwards.
    old_above = block.lines[first_above : block.first][::-1]
    old_below = block.lines[block.end : last_below]
    most = FEWEST_CONTEXT_LINES
    best: list[int] = []
    for start in starts:
        new_above = new_lines[:start][::-1]
        new_below = new_lines[start + length :]
        count = _count_equal(old_above, new_above)
        count += _count_equal(old_below, new_below)
        if count > most:
            most = count
            best = [start]
        elif count == most:
            best.append(start)
    return best


def _count_equal(old_lines: Sequence[str], new_lines: Sequence[str]) -> int:
    """Count the lines that two texts have in common from their start."""
    count = 0
    for old_line, new_line in zip(old_lines, new_lines, strict=False):
        if old_line != new_line:
            break
        count += 1
    return count
