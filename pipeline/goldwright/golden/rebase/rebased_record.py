"""What became of a record at a newer commit."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from goldwright.records import GoldenLabel

RebasedKind = Literal["unchanged", "moved", "edited", "gone"]


@dataclass(frozen=True, slots=True)
class RebasedRecord:
    """What became of one record at a newer commit.

    Attributes:
        query_id: The record.
        kind: ``unchanged`` is the same code at the same place, ``moved`` the same code elsewhere;
            ``edited`` and ``gone`` go back to people.
        reasons: Why the record was not carried over; empty for one that was.
        label: The record at the newer commit; None where it was not carried over.
        hints: Where to look: where code like the old one is now, or which words speak of callers
            whose number has changed.
    """

    query_id: str
    kind: RebasedKind
    reasons: tuple[str, ...]
    label: GoldenLabel | None
    hints: tuple[str, ...]


def return_record(
    label: GoldenLabel, kind: RebasedKind, reasons: Iterable[str], hints: Iterable[str] = ()
) -> RebasedRecord:
    """Give a record back to people, with every reason and hint once."""
    unique_reasons = tuple(dict.fromkeys(reasons))
    unique_hints = tuple(dict.fromkeys(hints))
    return RebasedRecord(label.query_id, kind, unique_reasons, None, unique_hints)
