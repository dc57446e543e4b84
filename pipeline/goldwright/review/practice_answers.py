"""What is right on a practice record, and what a person is told after their word."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from goldwright.canaries.kinds import MEANING_KINDS
from goldwright.records import CanaryKind, FileRange, HumanVerdict, PracticeEvent, PracticeRecord
from goldwright.review.review_state import REJECTING_VERDICTS

WHAT_IS_WRONG: Final[Mapping[CanaryKind, str]] = {
    "renamed_symbol": "The claim names another definition than the one that does it.",
    "flipped_comparison": "The claim turns a comparison round: the code compares the other way.",
    "swapped_caller_callee": "The claim has caller and callee the wrong way round.",
    "shifted_lines": "The lines are others than those that show it.",
    "false_fact": "What must not be said of this code, because it is false, is now asked for.",
    "missed_question": "Each claim may be true, and together they answer another question.",
    "missing_member": "One member of what was asked for stands nowhere in the answer.",
    "inverted_guard": "A condition is told the wrong way round, in the claim and the narrative.",
}
"""What is wrong with a record of each kind, a sentence each."""


@dataclass(frozen=True, slots=True)
class PracticeFeedback:
    """What a person is told after their word on a practice record.

    Attributes:
        right: Whether the word was right.
        verdict: Their word and what it would have meant, a sentence or two.
        why: What is wrong with the record; empty for a sound one.
        claim_id: The claim that was changed; empty for a sound record.
        before: What it said.
        after: What it says now.
        seen_at: Where the source shows it.
        remark: That they marked another claim than the changed one; else empty.
    """

    right: bool
    verdict: str
    why: str
    claim_id: str
    before: str
    after: str
    seen_at: tuple[FileRange, ...]
    remark: str = ""

    @property
    def heading(self) -> str:
        """Right or not, in a word or two."""
        return "Right" if self.right else "Not right"


def is_right(record: PracticeRecord, verdict: HumanVerdict) -> bool:
    """Whether a verdict keeps a falsified record out, or leaves a sound one in.

    This is how canaries are counted too, so that practice says what counts later.
    """
    is_falsified = record.kind is not None
    return is_falsified == (verdict in REJECTING_VERDICTS)


def feedback_on(record: PracticeRecord, word: PracticeEvent) -> PracticeFeedback:
    """Say whether a word was right, and why."""
    why = ""
    if record.kind is not None:
        why = WHAT_IS_WRONG[record.kind]
    meaning = _meaning(record, word.verdict)
    return PracticeFeedback(
        right=word.right,
        verdict=meaning,
        why=why,
        claim_id=record.claim_id,
        before=record.before,
        after=record.after,
        seen_at=record.seen_at,
        remark=_remark(record, word),
    )


def _meaning(record: PracticeRecord, verdict: HumanVerdict) -> str:
    verdict_words = verdict.replace("_", " ")
    if record.kind is not None:
        if verdict in REJECTING_VERDICTS:
            return f"You said {verdict_words}: it was falsified, and your word keeps it out."
        if verdict == "minor_issue":
            return "You said minor issue: it was falsified, and a minor issue leaves it in."
        return "You said correct: it was falsified, and your word lets it through."
    if verdict in REJECTING_VERDICTS:
        return (
            f"You said {verdict_words}: nothing was changed in it, and agents that worked apart "
            "agreed on it. If its lines show you a fault all the same, you may well have found one."
        )
    if verdict == "minor_issue":
        return "You said minor issue: nothing was changed in it, and a minor issue leaves it in."
    return "You said correct: nothing was changed in it."


def _remark(record: PracticeRecord, word: PracticeEvent) -> str:
    """Say so where another claim was marked; where the whole answer is at fault, any will do."""
    if record.kind is None or record.kind in MEANING_KINDS or not word.disputed:
        return ""
    if record.claim_id in word.disputed:
        return ""
    claim_ids = ", ".join(word.disputed)
    return f"You marked {claim_ids}; what was changed is {record.claim_id}."
