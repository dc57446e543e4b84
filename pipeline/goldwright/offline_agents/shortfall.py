"""Why a cell got fewer questions than it asked for: what was looked at, and what became of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

Loss = Literal["no question", "wrong size", "no answer", "overlap", "no wording"]

_REASONS: Final[Mapping[Loss, str]] = {
    "no question": "led to no question for this cell",
    "wrong size": "have too few or too many targets",
    "no answer": "have no complete answer in the code",
    "overlap": "share their targets with other queries",
    "no wording": "cannot be worded without giving the answer away",
}


@dataclass(frozen=True, slots=True)
class Shortfall:
    """What an Author looked at for a cell.

    Attributes:
        files: How many files were surveyed.
        leads: How many leads were followed, by the kind of inquiry; kinds without leads included.
        losses: How many leads and questions came to nothing, by reason.
    """

    files: int
    leads: Mapping[str, int]
    losses: Mapping[Loss, int]

    def lines(self) -> tuple[str, str]:
        """Put it into two lines: what became of the leads, and how many there were of each kind."""
        total = sum(self.leads.values())
        reasons = [
            f"{self.losses[loss]:,} {reason}"
            for loss, reason in _REASONS.items()
            if self.losses.get(loss)
        ]
        fates = "; ".join(reasons) or "none came to nothing"
        kinds = ", ".join(f"{kind} {count:,}" for kind, count in self.leads.items()) or "none"
        return f"{total:,} leads in {self.files:,} files; {fates}", f"leads: {kinds}"
