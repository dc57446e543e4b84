"""What changed in the code that a record cites, as a diff for people who decide on the record."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from goldwright.golden.labels import cited_files, cited_ranges
from goldwright.golden.rebase.renamed_files import RenamedFiles
from goldwright.records import FileRange, GoldenLabel
from goldwright.snapshot import Snapshot

# As many as ``diff -u`` shows around a change.
_LINES_AROUND: Final = 3

# A step of an alignment: what is done, and the lines of either version by their indices.
_Step = tuple[str, int, int, int, int]


@dataclass(frozen=True, slots=True)
class CodeChange:
    """A changed passage of a file that a record cites.

    Attributes:
        path: The file at the older commit.
        new_path: The file at the newer one; None where it is gone.
        new_lines: The first and the last line of the passage there, from 1; None where it is gone.
        diff: The lines of both commits behind ``-``, ``+`` or a space; empty for a file that is
            gone.
    """

    path: str
    new_path: str | None
    new_lines: tuple[int, int] | None
    diff: tuple[str, ...]


def code_changes(
    label: GoldenLabel, old: Snapshot, new: Snapshot, renamed_files: RenamedFiles
) -> Iterator[CodeChange]:
    """Yield the changes of what a record cites, file by file and from top to bottom."""
    ranges = cited_ranges(label)
    for path in cited_files([label]):
        if not old.has_text(path):
            continue
        new_path = renamed_files.new_path(path)
        if new_path is None:
            yield CodeChange(path, None, None, ())
            continue
        of_file = [cited for cited in ranges if cited.file == path]
        old_lines = old.source(path).lines
        new_lines = new.source(new_path).lines
        for steps in _changed_passages(old_lines, new_lines, of_file):
            diff = tuple(_diff_lines(steps, old_lines, new_lines))
            # Where everything was removed, the line before it is the place.
            last = max(steps[-1][4], 1)
            first = min(steps[0][3] + 1, last)
            yield CodeChange(path, new_path, (first, last), diff)


def _changed_passages(
    old_lines: Sequence[str], new_lines: Sequence[str], cited: Sequence[FileRange]
) -> Iterator[list[_Step]]:
    matcher = SequenceMatcher(None, old_lines, new_lines, autojunk=False)
    for steps in matcher.get_grouped_opcodes(_LINES_AROUND):
        if any(_touches(step, cited) for step in steps):
            yield list(steps)


def _touches(step: _Step, cited: Sequence[FileRange]) -> bool:
    """Return whether a step changes a cited line, or puts lines between two of them."""
    kind, first, end, _, _ = step
    if kind == "equal":
        return False
    # A range has lines from 1 and holds its last one, a step has indices from 0 and does not.
    return any(first < lines.end and end >= lines.start for lines in cited)


def _diff_lines(
    steps: Sequence[_Step], old_lines: Sequence[str], new_lines: Sequence[str]
) -> Iterator[str]:
    for kind, first, end, new_first, new_end in steps:
        if kind == "equal":
            yield from _signed(" ", old_lines[first:end])
            continue
        yield from _signed("-", old_lines[first:end])
        yield from _signed("+", new_lines[new_first:new_end])


def _signed(sign: str, lines: Sequence[str]) -> Iterator[str]:
    """Yield lines as those of a diff, with a sign before each."""
    for line in lines:
        yield f"{sign}{line}"
