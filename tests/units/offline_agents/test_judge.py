"""The Judge: two texts that say the same, say the opposite, or speak of different things."""

import asyncio

import pytest

from goldwright.agents.roles import JudgeWork
from goldwright.offline_agents.judge import OfflineJudge

FINDINGS = (
    "The question turns on “no such till” in `raise KeyError('no such till')` in `Shop.pay`. "
    "I read `Shop.pay` on lines 3 to 9. `Shop.pay` raises `KeyError` unless `till`. "
    "`Shop.pay` is called by `buy` and `rent`, and by no other product code."
)
RAISES = "`Shop.pay` in `shop.py` raises `KeyError` (“no such till”) unless `till`."
CALLED = "`Shop.pay` is called by `buy` and `rent`, and by no other product code."
REST = "Nothing else of the shop has a part in it, whatever the till of the day may hold."


def verdict(narrative: str, *, query: str = "Why that error?", findings: str = FINDINGS) -> str:
    work = JudgeWork("q_00001", query, narrative, findings)
    return asyncio.run(OfflineJudge().play(work)).verdict


def test_the_same_in_other_words_is_equivalent() -> None:
    assert verdict(f"{RAISES} {CALLED} {REST}") == "equivalent"
    assert verdict(f"{RAISES} Outside, all is well. {REST}") == "equivalent"


@pytest.mark.parametrize(
    "sentence",
    [
        "`Shop.pay` raises `KeyError` (“no such till”) when `till`.",
        "`Shop.pay` is called by `buy`, and by no other product code.",
        "`Shop.pay` is called by `buy`, `rent` and `lend`, and by no other product code.",
    ],
)
def test_the_opposite_diverges_significantly(sentence: str) -> None:
    """A guard turned around; a set with a member less, or more."""
    assert verdict(f"{sentence} It says “no such till” then. {REST}") == "significant_divergence"


def test_a_narrative_of_something_else_diverges() -> None:
    other = "`Shop.open` raises `OSError` unless `key`. The key hangs behind the door, on a nail."
    assert verdict(f"{other} {REST}") == "minor_divergence"
    assert verdict(f"{RAISES} {REST}", query='What does "closed for today" mean?') == (
        "equivalent"
    ), "what stands on other lines only leads to the reason"


@pytest.mark.parametrize(
    ("narrative", "expected"),
    [
        ("`Shop.pay` logs “the drawer is stuck again” as `error` when `till`.", "equivalent"),
        ("`Shop.pay` has a logger, and it is used for errors, of which there are many kinds.", ""),
    ],
)
def test_a_message_in_the_code_of_the_reason_is_enough(narrative: str, expected: str) -> None:
    findings = (
        "The question turns on `logger.error('the drawer is stuck again: %s', str(broken))`. "
        "I read `Shop.pay` on lines 3 to 9."
    )
    said = verdict(f"{narrative} {REST}", findings=findings)
    assert said == (expected or "minor_divergence")
