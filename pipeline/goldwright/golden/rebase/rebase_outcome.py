"""What became of a record at a newer commit."""

from dataclasses import dataclass
from typing import Literal

from goldwright.records import ChangedClaim, GoldenLabel

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
        hints: Where to look: where code like the old one is now.
        draft: For a record that was not carried over, what people are shown: what did not change
            stands where it is now, and what changed at the lines that took its place.
        changed_claims: The claims of the draft that somebody has to look at.
    """

    query_id: str
    kind: RebasedKind
    reasons: tuple[str, ...]
    label: GoldenLabel | None
    hints: tuple[str, ...] = ()
    draft: GoldenLabel | None = None
    changed_claims: tuple[ChangedClaim, ...] = ()
