"""What is known of an Adversary by the falsified answers it was given unmarked."""

from typing import Literal

from goldwright.records.answer import AnswerDraft
from goldwright.records.base import QueryRecord, WorkStamp
from goldwright.records.verdicts import ReportDraft

CanaryKind = Literal[
    "renamed_symbol", "flipped_comparison", "swapped_caller_callee", "shifted_lines", "false_fact"
]


class CanaryOutcome(WorkStamp, QueryRecord):
    """One falsified answer, what its Adversary said, and whether the falsehood was caught.

    ``query_id`` is the canary's own; ``parent`` is the record whose answer was falsified.
    ``caught`` means that the falsified claim was not found ``supported``; ``stopped``, that
    something kept the answer out.
    """

    parent: str
    kind: CanaryKind
    claim_id: str
    what: str
    answer: AnswerDraft
    report: ReportDraft
    caught: bool
    stopped: bool
