"""Who caught a canary, and how that is counted."""

import pytest

from goldwright.canaries.catch_counts import CatchCounts, count_catches
from goldwright.canaries.caught_by_adversary import is_caught
from goldwright.canaries.mutations import FalsifiedAnswer
from goldwright.records import (
    CanaryKind,
    CanaryOutcome,
    CheckFailure,
    ClaimVerdict,
    Evidence,
    ExpectedEntity,
    FactCitation,
    FileRange,
    NarrativeVerdictDraft,
    OracleAnswer,
    ReportDraft,
    SupportVerdict,
)

STAMP = {"authored_by": "agent:oracle:offline-2", "created_at": "2026-01-01T00:00:00Z"}
PLACE = FileRange(file="a.py", start=1, end=2)
ANSWER = OracleAnswer.model_validate(
    {
        "query_id": "q1",
        "task_type": "debug",
        "difficulty": "easy",
        "expected_entities": (
            ExpectedEntity(entity_id="a.py::f", role="primary", rationale="It does it."),
        ),
        "expected_files": ("a.py",),
        "expected_line_ranges": (PLACE,),
        "must_mention_facts": ("It works.",),
        "must_not_mention_facts": ("It fails.",),
        "fact_citations": (FactCitation(claim_id="fact-1", file="a.py", start=1, end=2),),
        "canonical_narrative": "It works.",
        "source_evidence": (Evidence(file="a.py", start=1, end=2, read_at_step=1),),
        "confidence": "high",
        **STAMP,
    }
)


def falsified(
    kind: CanaryKind, claim_id: str, *, other_claims: tuple[str, ...] = (), left_out: str = ""
) -> FalsifiedAnswer:
    """An answer that is wrong in one claim, or in more."""
    what = "so -> not so"
    return FalsifiedAnswer(kind, claim_id, what, ANSWER, other_claims, left_out)


def report(
    verdicts: dict[str, SupportVerdict], *, missed: tuple[str, ...] = (), issue: str = ""
) -> ReportDraft:
    """What an Adversary says of some claims."""
    return ReportDraft(
        claim_verdicts=tuple(
            ClaimVerdict(
                claim_id=claim_id,
                claim_type="must_mention_fact",
                claim="It works.",
                verdict=verdict,
                citation=PLACE,
            )
            for claim_id, verdict in verdicts.items()
        ),
        overall_verdict="partial",
        blocking_issues=(issue,) if issue else (),
        missed_entities=missed,
        findings="I read it.",
    )


@pytest.mark.parametrize(
    ("canary", "said", "expected"),
    [
        (falsified("false_fact", "fact-1"), report({"fact-1": "unsupported"}), True),
        (falsified("false_fact", "fact-1"), report({"fact-1": "partial"}), True),
        (falsified("false_fact", "fact-1"), report({"fact-1": "supported"}), False),
        # Something else that is refused is no catch, and neither is silence.
        (falsified("false_fact", "fact-1"), report({"narrative": "unsupported"}), False),
        (falsified("false_fact", "fact-1"), report({}, issue="It is wrong."), False),
        (
            falsified("inverted_guard", "fact-1", other_claims=("narrative",)),
            report({"fact-1": "supported", "narrative": "unsupported"}),
            True,
        ),
        (
            falsified("missing_member", "fact-1", left_out="a.py::g"),
            report({"fact-1": "supported"}, missed=("a.py::g",)),
            True,
        ),
        (
            falsified("missing_member", "fact-1", left_out="a.py::g"),
            report({"fact-1": "supported"}, missed=("a.py::h",)),
            False,
        ),
        (
            falsified("missed_question", "narrative"),
            report({"narrative": "supported"}, issue="It answers something else."),
            True,
        ),
        (falsified("missed_question", "narrative"), report({"narrative": "supported"}), False),
    ],
)
def test_a_canary_is_caught_by_what_is_wrong_with_it(
    canary: FalsifiedAnswer, said: ReportDraft, *, expected: bool
) -> None:
    assert is_caught(canary, said) is expected


def outcome(kind: CanaryKind, **fields: object) -> CanaryOutcome:
    """What was made of one canary."""
    common = {
        "query_id": "q1-canary1",
        "parent": "q1",
        "kind": kind,
        "claim_id": "fact-1",
        "what": "so -> not so",
        "answer": ANSWER,
        "caught": False,
        "stopped": True,
        **STAMP,
    }
    return CanaryOutcome.model_validate({**common, **fields})


def test_everybody_is_counted_by_what_came_to_them() -> None:
    refused = NarrativeVerdictDraft(verdict="minor_divergence", reason="It speaks of another.")
    accepted = NarrativeVerdictDraft(verdict="equivalent", reason="It says the same.")
    failure = CheckFailure(check="answers_question", claim="facts", message="nothing settles it")
    read = report({"fact-1": "supported"})
    catches = count_catches(
        [
            outcome("missed_question", gate_failures=(failure,)),
            outcome("missed_question", report=read, narrative_verdict=refused),
            outcome("missed_question", report=read, narrative_verdict=accepted, stopped=False),
            outcome("inverted_guard", report=read, narrative_verdict=accepted, caught=True),
            outcome("false_fact", report=read, caught=True),
        ]
    )
    assert catches.gate == CatchCounts(caught=1, total=4)
    assert catches.adversary == CatchCounts(caught=2, total=4)
    assert catches.judge == CatchCounts(caught=1, total=3)
    assert catches.stopped == CatchCounts(caught=4, total=5)
