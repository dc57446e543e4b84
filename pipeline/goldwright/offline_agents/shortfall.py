"""Why a cell got fewer questions than it asked for: what was looked at, and what became of it."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from goldwright.text import counted

Loss = Literal["no question", "wrong size", "no answer", "overlap", "no wording"]

_OF_LEADS: Final[Mapping[Loss, str]] = {
    "no question": "led to no question for this cell",
    "wrong size": "have too few or too many targets",
}
# A lead may give several questions, so these do not add up with the leads.
_OF_QUESTIONS: Final[Mapping[Loss, str]] = {
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
        losses: How many leads, and how many questions that came of the others, came to nothing, by
            kind and reason; kinds that lost nothing may be left out.
    """

    files: int
    leads: Mapping[str, int]
    losses: Mapping[str, Mapping[Loss, int]]

    def lines(self) -> Iterator[str]:
        """Say in a line what became of all leads, and in one for each kind what became of its."""
        total = sum(self.leads.values())
        # Nothing to ask about is another matter than leads of which none was lost.
        fates = _fates(self.total_losses()) or ("none came to nothing" if total else "")
        # Tests, documents and copies of others are not asked about, so these are not all files.
        files = f"{counted(self.files, 'file')} of product code"
        leads = counted(total, "lead")
        yield f"{leads} in {files}; {fates}" if fates else f"no leads in {files}"
        for kind, count in self.leads.items():
            if not count:
                yield f"{kind}: no lead"
                continue
            fates_of_kind = _fates(self.losses.get(kind, {})) or "none came to nothing"
            yield f"{kind}: {counted(count, 'lead')}; {fates_of_kind}"

    def total_losses(self) -> Mapping[Loss, int]:
        """Add the losses of all kinds up."""
        totals: Counter[Loss] = Counter()
        for losses in self.losses.values():
            totals.update(losses)
        return totals


def _fates(losses: Mapping[Loss, int]) -> str:
    of_leads = _counts(losses, _OF_LEADS)
    of_questions = _counts(losses, _OF_QUESTIONS)
    if of_questions:
        of_questions[0] = f"of the questions, {of_questions[0]}"
    return "; ".join((*of_leads, *of_questions))


def _counts(losses: Mapping[Loss, int], reasons: Mapping[Loss, str]) -> list[str]:
    return [f"{losses[loss]:,} {reason}" for loss, reason in reasons.items() if losses.get(loss)]
