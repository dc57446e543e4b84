"""What the gate asks of an answer from a dataset of others, which may lack parts of one."""

from typing import Any

import pytest

from goldwright.records import ADOPTED, OracleAnswer
from goldwright.stages.gate import run_gate
from goldwright.stages.gate.examples import (
    ANSWER,
    BASKET,
    FILLER,
    PRICES,
    SHOP,
    citation,
    evidence,
)

# What most datasets hold of an answer: where to look, and nothing else.
LOCATIONS: dict[str, Any] = {
    "expected_line_ranges": (),
    "must_mention_facts": (),
    "must_not_mention_facts": (),
    "fact_citations": (),
    "canonical_narrative": "",
    "source_evidence": (),
}


def failures(authored_by: str = f"{ADOPTED}csv", **changes: object) -> list[tuple[str, str]]:
    """Give check and claim of each failure of an answer with some fields changed."""
    answer = OracleAnswer(
        query_id="q_00001",
        task_type="locate",
        difficulty="easy",
        authored_by=authored_by,
        created_at="2026-01-01T00:00:00Z",
        **{**dict(ANSWER), **changes},
    )
    return [(failure.check, failure.claim) for failure in run_gate(answer, SHOP)]


def test_an_adopted_answer_may_say_where_and_nothing_else() -> None:
    assert failures(**LOCATIONS) == []


def test_of_our_own_agents_the_rest_is_wanted() -> None:
    missing = {check for check, _ in failures("offline-oracle", **LOCATIONS)}
    assert "answer_shape" in missing


@pytest.mark.parametrize(
    ("changes", "claim"),
    [
        ({"expected_entities": (), "expected_files": ()}, "expected_entities"),
        ({"expected_entities": ANSWER.expected_entities * 2}, "expected_entities"),
        ({"expected_files": (BASKET, BASKET)}, "expected_files"),
        ({"must_mention_facts": ("It stores.", "it  STORES.")}, "fact-2"),
        ({"fact_citations": citation(BASKET, 9, 9, claim_id="fact-1")}, "citation-1"),
    ],
)
def test_what_an_adopted_answer_does_say_is_checked(changes: dict[str, object], claim: str) -> None:
    assert ("answer_shape", claim) in failures(**{**LOCATIONS, **changes})


@pytest.mark.parametrize("part", ["expected_entities", "expected_files"])
def test_an_entity_or_a_file_is_enough_of_an_expectation(part: str) -> None:
    codes_and_claims = failures(**{**LOCATIONS, part: ()})
    assert ("answer_shape", "expected_entities") not in codes_and_claims


def test_an_adopted_answer_without_evidence_claims_no_reading_and_one_with_evidence_does() -> None:
    assert failures(source_evidence=()) == []
    read_elsewhere = failures(source_evidence=evidence(PRICES, 1, 9))
    assert ("evidence_read", "range-1") in read_elsewhere


def test_an_answer_of_our_own_agents_needs_evidence() -> None:
    assert ("evidence_read", "range-1") in failures("offline-oracle", source_evidence=())


def test_an_adopted_narrative_names_something_where_there_is_one() -> None:
    named_fact = ("`Basket.add` appends to `self.lines`.",)
    facts = {**LOCATIONS, "must_mention_facts": named_fact}
    check = "narrative_names_something"
    assert check not in {code for code, _ in failures(**facts)}
    assert check in {code for code, _ in failures(**{**facts, "canonical_narrative": FILLER})}
