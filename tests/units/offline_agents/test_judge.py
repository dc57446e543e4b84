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


def test_a_method_goes_by_its_own_name_although_a_variable_has_it_too() -> None:
    findings = f"{FINDINGS} `till_of` is called by `Shop.rent`, and by no other product code. "
    findings = f"{findings} I read `Shop.rent` on lines 11 to 19. `Shop.rent` sets `rent` to `1`."
    told = "`Shop.rent` has to give it. In product code only `rent` calls `till_of`."
    assert verdict(f"{RAISES} {told} {REST}", findings=findings) == "equivalent"


def test_an_attribute_that_is_called_like_a_variable_is_another_thing() -> None:
    findings = f"{FINDINGS} `Shop.pay` sets `self.till` to `till`."
    told = f"{RAISES} It sets `self.till` to `till`. {REST}"
    assert verdict(told, findings=findings) == "equivalent"


def test_a_call_whose_result_is_kept_is_a_call() -> None:
    """One function may call another twice, and keep what comes back once."""
    findings = f"{FINDINGS} `buy` sets `bill` to `pay(till)` if `till`. `buy` runs `pay(till)`."
    for conditions in ("", " when `till`"):
        told = f"{RAISES} `buy` calls `pay(till)`{conditions}. {REST}"
        assert verdict(told, findings=findings) == "equivalent"
    told = f"{RAISES} `buy` calls `pay(till)` unless `till`. {REST}"
    assert verdict(told, findings=findings) == "significant_divergence"


def test_what_another_function_does_contradicts_nothing() -> None:
    elsewhere = FINDINGS.replace("`Shop.pay` raises `KeyError` unless `till`.", "")
    for other in ("`Shop.open` raises `KeyError` if `till`.", "`Shop.open` returns `till` if `b`."):
        told = f"{RAISES} `buy` calls `till` if `a`. {REST}"
        assert verdict(told, findings=f"{elsewhere} {other}") == "equivalent"


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


LOGGED = (
    "I read `Shop.pay` on lines 3 to 9. `Shop.pay` logs “the drawer is stuck” as `error` if `till`."
)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("`Shop.pay` logs “the drawer …” as `error` when `till`.", "equivalent"),
        ("`Shop.pay` logs “the drawer is stuck” as `error` unless `till`.", "significant"),
        # Another level or message is another statement, of which the findings say nothing.
        ("`Shop.pay` logs “the drawer is stuck” as `info` unless `till`.", "equivalent"),
        ("`Shop.pay` logs “the drawer is open” as `error` unless `till`.", "equivalent"),
        # And so is what another function does.
        ("`Shop.pay` is fine, but `rent` logs “the drawer is stuck” as `error`.", "equivalent"),
    ],
)
def test_only_the_same_thing_under_other_conditions_is_a_contradiction(
    sentence: str, expected: str
) -> None:
    said = verdict(f"{sentence} {REST}", findings=LOGGED)
    assert said.startswith(expected)


TWO = (
    "I read `Shop.pay` on lines 3 to 9. `Shop.pay` raises `KeyError` if `till`. "
    "`Shop.pay` raises `KeyError` if `coin`, unless `till`."
)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("if `till`", "equivalent"),
        ("if `coin`, unless `till`", "equivalent"),
        ("unless `till`", "significant_divergence"),
        ("if `coin` and `till`", "significant_divergence"),
        # Of several findings none need be this one.
        ("if `card`", "equivalent"),
    ],
)
def test_of_several_findings_only_an_inversion_is_certain(condition: str, expected: str) -> None:
    assert verdict(f"`Shop.pay` raises `KeyError` {condition}. {REST}", findings=TWO) == expected


def test_one_finding_leaves_no_room_for_other_conditions() -> None:
    findings = "I read `Shop.pay` on lines 3 to 9. `Shop.pay` returns `till` if `coin`."
    narrative = f"`Shop.pay` returns `till` if `card`. {REST}"
    assert verdict(narrative, findings=findings) == "significant_divergence"
    unclear = (
        f"{findings} `Shop.pay` raises `KeyError` under conditions that I cannot put into words."
    )
    assert verdict(narrative, findings=unclear) == "equivalent"


@pytest.mark.parametrize(
    ("query", "narrative", "expected"),
    [
        ('What means "the till is shut today"?', f"{RAISES} {REST}", "equivalent"),
        ('What means "no such till"?', f"{RAISES} {REST}", "equivalent"),
        ("Why?", "`Shop.pay` raises `KeyError` unless `till`. It says so.", "minor_divergence"),
        ("Why?", f"`pay` fails where there is no such till. {REST}", "equivalent"),
        ("Why?", f"`repay` fails where there is no such till. {REST}", "minor_divergence"),
        ("Why?", f"`Shop.pay` fails, as everybody knows. {REST}", "minor_divergence"),
    ],
)
def test_a_narrative_speaks_of_what_the_question_is_about(
    query: str, narrative: str, expected: str
) -> None:
    assert verdict(narrative, query=query) == expected


@pytest.mark.parametrize(
    ("code", "narrative", "expected"),
    [
        ("limit = max(limit, 12)", "It takes the max of `limit` and 12 in `Shop.pay`.", True),
        ("limit = max(limit, 12)", "It takes the limit in `Shop.pay`.", False),
        ("if not limit", "It looks at limit in `Shop.pay`.", True),
        ("if not limit", "It looks at what there is in `Shop.pay`.", False),
        ("raise Error('too large a coin')", "The coin is too large for `Shop.pay`.", True),
        ("raise Error('too_large')", "The coin is too large for `Shop.pay`.", False),
    ],
)
def test_code_that_a_question_turns_on_is_spoken_of_by_its_names(
    code: str, narrative: str, *, expected: bool
) -> None:
    findings = f"The question turns on `{code}` in `Shop.pay`. I read `Shop.pay` on lines 3 to 9."
    said = verdict(f"{narrative} {REST}", findings=findings)
    assert said == ("equivalent" if expected else "minor_divergence")


def test_texts_without_code_must_share_words() -> None:
    findings = "The drawer holds coins, cards and letters of whoever comes by in the morning."
    narrative = "Coins and cards and letters lie in the drawer, and nobody has touched them since"
    assert verdict(f"{narrative} the last of the guests left.", findings=findings) == "equivalent"
    other = "Nothing is known of it, for the house was shut when we came and nobody opened it up"
    assert verdict(f"{other} to us at all.", findings=findings) == "minor_divergence"


def test_the_set_of_another_thing_contradicts_nothing() -> None:
    other = "`Shop.rent` is called by `lend`, and by no other product code."
    assert verdict(f"{RAISES} {other} {REST}") == "equivalent"


def test_the_reason_of_a_verdict_names_what_it_is_about() -> None:
    work = JudgeWork("q1", "Why?", f"{RAISES} {CALLED} {REST}", FINDINGS)
    reason = asyncio.run(OfflineJudge().play(work)).reason
    assert reason == "Both speak of Shop.pay, KeyError, till, and neither rules out the other."
    turned = JudgeWork("q1", "Why?", f"{RAISES.replace('unless', 'when')} {REST}", FINDINGS)
    assert "other conditions" in asyncio.run(OfflineJudge().play(turned)).reason
    fewer = JudgeWork("q1", "Why?", f"{CALLED.replace(' and `rent`', '')} {REST}", FINDINGS)
    assert "know others" in asyncio.run(OfflineJudge().play(fewer)).reason
