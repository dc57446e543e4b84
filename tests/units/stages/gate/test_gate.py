"""What the gate reports, and in which order."""

from goldwright.records import CheckFailure
from goldwright.stages.gate import run_gate
from goldwright.stages.gate.examples import (
    ANSWER,
    BASKET,
    SHOP,
    entities,
    evidence,
    lines,
    narrative,
)


def test_all_failures_are_reported_in_the_order_of_the_checks() -> None:
    """A person who fixes an answer sees everything at once."""
    broken = ANSWER.model_copy(
        update={
            "expected_entities": entities(f"{BASKET}::Basket.add", f"{BASKET}::Basket.ad"),
            "expected_line_ranges": lines(BASKET, 12, 9),
            "canonical_narrative": narrative("Then price_of is asked, as README.md says."),
            "confidence": "low",
        }
    )
    assert run_gate(broken, SHOP) == (
        CheckFailure(
            check="entity_resolves",
            claim="entity-2",
            message="no entity 'shop/basket.py::Basket.ad' in the snapshot; "
            "the nearest is shop/basket.py::Basket.add",
        ),
        CheckFailure(
            check="line_range_valid",
            claim="range-1",
            message="shop/basket.py:12-9: the range ends before it starts",
        ),
        CheckFailure(
            check="narrative_covered",
            claim="narrative",
            message=(
                "names 'price_of' (shop/prices.py::price_of), which no cited line uses and "
                "expected_entities lacks"
            ),
        ),
        CheckFailure(
            check="narrative_covered",
            claim="narrative",
            message=(
                "names 'README.md' (README.md), which no cited line uses and expected_files lacks"
            ),
        ),
        CheckFailure(
            check="answer_shape",
            claim="confidence",
            message="low confidence needs uncertainty_notes",
        ),
    )


def test_the_same_answer_fails_the_same_way_every_time() -> None:
    """Failures are a function of the answer and the snapshot."""
    broken = ANSWER.model_copy(
        update={"canonical_narrative": narrative("See build() and `total`.")}
    )
    assert run_gate(broken, SHOP) == run_gate(broken, SHOP)


def test_a_range_past_the_end_names_the_length_of_the_file() -> None:
    """The message says what was wanted."""
    broken = ANSWER.model_copy(update={"expected_line_ranges": lines(BASKET, 9, 40)})
    messages = [
        failure.message for failure in run_gate(broken, SHOP) if failure.check == "line_range_valid"
    ]
    assert messages == ["shop/basket.py:9-40: the file has 15 lines"]


def test_evidence_beyond_what_was_shown_is_no_proof_of_reading() -> None:
    """The log of the tools decides, not the agent's word."""
    shown = evidence(BASKET, 1, 9)
    assert [(failure.check, failure.claim) for failure in run_gate(ANSWER, SHOP, shown)] == [
        ("evidence_read", "evidence-1")
    ]
