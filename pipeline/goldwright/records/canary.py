"""How gate, Adversaries and judges did on canaries: falsified answers that nobody is told of."""

from typing import Literal

from goldwright.records.answer import AnswerDraft
from goldwright.records.base import QueryRecord, WorkStamp
from goldwright.records.verdicts import CheckFailure, NarrativeVerdictDraft, ReportDraft

CanaryKind = Literal[
    "renamed_symbol",
    "flipped_comparison",
    "swapped_caller_callee",
    "shifted_lines",
    "false_fact",
    "missed_question",  # all of it is true, and it answers another question about the same code
    "missing_member",  # one member of a set that was asked for stands nowhere in the answer
    "inverted_guard",  # one condition is turned around, in its fact and in the narrative alike
]


class CanaryOutcome(WorkStamp, QueryRecord):
    """One falsified answer, and who caught the falsehood.

    Attributes:
        parent: The query id of the record whose answer was falsified; ``query_id`` is the
            canary's own.
        kind: How the answer was falsified.
        claim_id: The claim that is false, or that answers something else.
        what: The falsification in words.
        answer: The falsified answer.
        gate_failures: What the gate has against the answer; with any, nobody else was asked.
        report: What the Adversary reported; None where the gate stopped the answer.
        narrative_verdict: The judge's verdict; None where the judge was not asked, as for kinds
            that leave the narrative as it was.
        caught: Whether the Adversary saw the falsehood.
        stopped: Whether the answer was kept out, by this claim or for another reason.
    """

    parent: str
    kind: CanaryKind
    claim_id: str
    what: str
    answer: AnswerDraft
    gate_failures: tuple[CheckFailure, ...] = ()
    report: ReportDraft | None = None
    narrative_verdict: NarrativeVerdictDraft | None = None
    caught: bool
    stopped: bool
