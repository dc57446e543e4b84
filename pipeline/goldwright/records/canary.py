"""How Adversaries did on canaries: falsified answers that they are given unmarked."""

from typing import Literal

from goldwright.records.answer import AnswerDraft
from goldwright.records.base import QueryRecord, WorkStamp
from goldwright.records.verdicts import ReportDraft

CanaryKind = Literal[
    "renamed_symbol", "flipped_comparison", "swapped_caller_callee", "shifted_lines", "false_fact"
]


class CanaryOutcome(WorkStamp, QueryRecord):
    """One falsified answer, the report of its Adversary, and whether the falsehood was caught.

    Attributes:
        parent: The query id of the record whose answer was falsified; ``query_id`` is the
            canary's own.
        kind: How the answer was falsified.
        claim_id: The claim that is false.
        what: The falsification in words.
        answer: The falsified answer.
        report: What the Adversary reported.
        caught: Whether the false claim was not found ``supported``.
        stopped: Whether the answer was kept out, by this claim or for another reason.
    """

    parent: str
    kind: CanaryKind
    claim_id: str
    what: str
    answer: AnswerDraft
    report: ReportDraft
    caught: bool
    stopped: bool
