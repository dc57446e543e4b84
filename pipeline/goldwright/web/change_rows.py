"""The changed claims of a rebased record: the code that people blessed beside what stands there."""

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from goldwright.records import ChangedClaim, FileRange
from goldwright.snapshot import Snapshot
from goldwright.text import make_visible
from goldwright.web.source_view import LONGEST_LINE, LONGEST_WINDOW

LineKind = Literal["same", "minus", "plus", "empty"]


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """One line of one side; the number is None where the other side alone has a line."""

    kind: LineKind
    number: int | None
    text: str


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """A line of the old code beside the one that stands in its place."""

    old: ChangeLine
    new: ChangeLine


@dataclass(frozen=True, slots=True)
class ChangeView:
    """One changed claim.

    Attributes:
        claim_id: The claim.
        reason: What is another thing now.
        before: Where its lines stood; None where the reason lies outside its lines.
        now: What stands in their place; None where nothing does.
        rows: Old and new lines side by side.
        is_seen: Whether this person has confirmed that they looked at it.
    """

    claim_id: str
    reason: str
    before: FileRange | None
    now: FileRange | None
    rows: tuple[ChangeRow, ...]
    is_seen: bool


def change_views(
    changes: Sequence[ChangedClaim], looked_at: frozenset[str] | set[str], snapshot: Snapshot
) -> tuple[ChangeView, ...]:
    """Put old and new lines of every changed claim beside one another."""
    views = []
    for change in changes:
        new_lines = _lines_now(change.now, snapshot)
        rows = tuple(_rows(change, new_lines))
        is_seen = change.claim_id in looked_at
        view = ChangeView(
            claim_id=change.claim_id,
            reason=change.reason,
            before=change.before,
            now=change.now,
            rows=rows,
            is_seen=is_seen,
        )
        views.append(view)
    return tuple(views)


def _lines_now(place: FileRange | None, snapshot: Snapshot) -> tuple[str, ...]:
    if place is None or not snapshot.has_text(place.file):
        return ()
    lines = snapshot.source(place.file).lines
    return tuple(lines[place.start - 1 : place.end])


def _rows(change: ChangedClaim, new_lines: tuple[str, ...]) -> Iterator[ChangeRow]:
    old_lines = change.old_lines[:LONGEST_WINDOW]
    new_lines = new_lines[:LONGEST_WINDOW]
    first_old = change.before.start if change.before else 1
    first_new = change.now.start if change.now else 1
    matcher = difflib.SequenceMatcher(a=old_lines, b=new_lines, autojunk=False)
    for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        height = max(old_end - old_start, new_end - new_start)
        is_same = tag == "equal"
        for step in range(height):
            old_kind: LineKind = "same" if is_same else "minus"
            new_kind: LineKind = "same" if is_same else "plus"
            old = _line(old_lines, old_start + step, old_end, first_old, old_kind)
            new = _line(new_lines, new_start + step, new_end, first_new, new_kind)
            yield ChangeRow(old=old, new=new)


def _line(
    lines: Sequence[str], index: int, end: int, first_number: int, kind: LineKind
) -> ChangeLine:
    if index >= end:
        return ChangeLine("empty", None, "")
    text = make_visible(lines[index][:LONGEST_LINE])
    return ChangeLine(kind, first_number + index, text)
