"""Why a cell got fewer questions than it asked for: what was looked at, and what became of it."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from goldwright.text import counted

# What becomes of a lead, or of a question that came of one.
Outcome = Literal[
    "no question",
    "wrong size",
    "told by file",
    "asked",
    "no answer",
    "overlap",
    "no wording",
    "found late",
]

_OF_LEADS: Final[Mapping[Outcome, str]] = {
    "no question": "led to no question for this cell",
    "wrong size": "have too few or too many targets",
    "told by file": "are about what stands alone in a file of its name",
}
# A lead may give several questions, so these add up to the questions, and not to the leads.
_OF_QUESTIONS: Final[Mapping[Outcome, str]] = {
    "asked": "asked",
    "no answer": "without a complete answer in the code",
    "overlap": "with the targets of other queries",
    "no wording": "that cannot be worded without giving the answer away",
    "found late": "that a search finds too late to be easy",
}


@dataclass(frozen=True, slots=True)
class Shortfall:
    """What an Author looked at for a cell.

    Attributes:
        files: How many files were surveyed.
        leads: How many leads were followed, by the kind of inquiry; kinds without leads included.
        outcomes: What became of how many leads, and of how many questions that came of the others,
            by kind; kinds of which everything is still open may be left out.
    """

    files: int
    leads: Mapping[str, int]
    outcomes: Mapping[str, Mapping[Outcome, int]]

    def lines(self) -> Iterator[str]:
        """Say in a line what became of all leads, and in one for each kind what became of its."""
        total = sum(self.leads.values())
        # Nothing to ask about is another matter than leads of which none was lost.
        fates = _fates(self.total_outcomes()) or ("none came to nothing" if total else "")
        # Tests, documents and copies of others are not asked about, so these are not all files.
        files = f"{counted(self.files, 'file')} of product code"
        leads = counted(total, "lead")
        if fates:
            yield f"{leads} in {files}; {fates}"
        else:
            yield f"no leads in {files}"
        for kind, count in self.leads.items():
            if not count:
                yield f"{kind}: no lead"
                continue
            fates_of_kind = _fates(self.outcomes.get(kind, {})) or "none came to nothing"
            leads_of_kind = counted(count, "lead")
            yield f"{kind}: {leads_of_kind}; {fates_of_kind}"

    def total_outcomes(self) -> Mapping[Outcome, int]:
        """Add the outcomes of all kinds up."""
        totals: Counter[Outcome] = Counter()
        for outcomes in self.outcomes.values():
            totals.update(outcomes)
        return totals


_SINGULAR: Final = {"are": "is", "have": "has"}


def _fates(outcomes: Mapping[Outcome, int]) -> str:
    of_leads = _counts(outcomes, _OF_LEADS)
    of_questions = _counts(outcomes, _OF_QUESTIONS)
    if not of_questions:
        return "; ".join(of_leads)
    questions = sum(outcomes.get(outcome, 0) for outcome in _OF_QUESTIONS)
    givers = "the others" if of_leads else "they"
    question_count = counted(questions, "question")
    listed_fates = ", ".join(of_questions)
    fates_of_questions = f"{givers} gave {question_count}: {listed_fates}"
    return "; ".join((*of_leads, fates_of_questions))


def _counts(outcomes: Mapping[Outcome, int], wordings: Mapping[Outcome, str]) -> list[str]:
    fates: list[str] = []
    for outcome, wording in wordings.items():
        count = outcomes.get(outcome, 0)
        if count:
            words = _of_one(wording) if count == 1 else wording
            fates.append(f"{count:,} {words}")
    return fates


def _of_one(wording: str) -> str:
    """Say of a single one what is said of several."""
    verb, blank, rest = wording.partition(" ")
    return f"{_SINGULAR.get(verb, verb)}{blank}{rest}"
