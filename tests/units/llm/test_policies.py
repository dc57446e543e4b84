"""What is done about each kind of fault, row by row, and how long is waited for another attempt."""

import asyncio
from dataclasses import astuple
from random import Random
from typing import Final

import pytest

from goldwright.errors import ProviderError, UnansweredError, UnreachableError
from goldwright.llm.budget import Budget, dollars
from goldwright.llm.model_families import OWN_FAMILY, family_of
from goldwright.llm.model_identity import SameModelProvider, is_same_model
from goldwright.llm.port import FaultKind, ProviderFault, Reply, Request, Usage, UserMessage
from goldwright.llm.providers.fault_kinds import kind_of_status
from goldwright.llm.providers.scripted import ScriptedProvider
from goldwright.llm.retry import RetryingProvider
from goldwright.llm.retry_policies import (
    CALL_DEADLINE_SECONDS,
    LONGEST_RETRY_AFTER,
    MOST_FAILED_ITEMS_IN_A_ROW,
    RETRY_POLICIES,
)
from goldwright.llm.token_habits import LearnedHabits

ASKED: Final = Request("oracle:a", "m", "", (UserMessage("?"),))
REPLY: Final = Reply("{}", (), "done", "end", Usage(fresh=1), "m")


class Chance(Random):
    """Draws the same share of every range."""

    def __init__(self, share: float) -> None:
        super().__init__(0)
        self._share = share

    def random(self) -> float:
        return self._share


# Attempts, what ends, the first and the longest wait, the share that is certain, and whether fewer
# calls are made at a time.
POLICIES: Final[dict[FaultKind, tuple[object, ...]]] = {
    "unreachable": (6, "item", 0.5, 30.0, 0.0, False),
    "timeout": (3, "item", 0.5, 30.0, 0.0, False),
    "cut": (4, "item", 0.5, 30.0, 0.0, False),
    "malformed": (3, "item", 0.5, 30.0, 0.0, False),
    "rate_limited": (0, "item", 1.0, 60.0, 0.5, True),
    "overloaded": (6, "item", 2.0, 60.0, 0.5, True),
    "server_error": (4, "item", 0.5, 30.0, 0.0, False),
    "gateway_timeout": (4, "item", 0.5, 30.0, 0.0, False),
    "conflict": (3, "item", 0.5, 30.0, 0.0, False),
    "access": (1, "run", 0.5, 30.0, 0.0, False),
    "spend_limit": (1, "run", 0.5, 30.0, 0.0, False),
    "no_such_model": (1, "run", 0.5, 30.0, 0.0, False),
    "other_model": (1, "run", 0.5, 30.0, 0.0, False),
    "too_long": (1, "item", 0.5, 30.0, 0.0, False),
    "bad_request": (1, "item", 0.5, 30.0, 0.0, False),
}


def test_the_table_of_policies_is_this_one() -> None:
    assert {kind: astuple(policy) for kind, policy in RETRY_POLICIES.items()} == POLICIES
    assert (CALL_DEADLINE_SECONDS, LONGEST_RETRY_AFTER) == (900.0, 3600.0)
    assert MOST_FAILED_ITEMS_IN_A_ROW == 3


def waits_of(*faults: ProviderFault, chance: Random) -> list[float]:
    """Give the waits between attempts that fail so."""
    left = list(faults)
    slept: list[float] = []

    def answer(_: Request) -> Reply:
        if left:
            raise left.pop(0)
        return REPLY

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    provider = RetryingProvider(ScriptedProvider(answer), name="m", sleep=sleep, chance=chance)
    assert asyncio.run(provider.ask(ASKED)) == REPLY
    return slept


@pytest.mark.parametrize(
    ("kind", "share", "expected"),
    [
        ("overloaded", 1.0, [2.0, 4.0, 8.0, 16.0, 32.0]),
        ("overloaded", 0.0, [1.0, 2.0, 4.0, 8.0, 16.0]),
        ("overloaded", 0.5, [1.5, 3.0, 6.0, 12.0, 24.0]),
        ("rate_limited", 1.0, [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0]),
        ("unreachable", 1.0, [0.5, 1.0, 2.0, 4.0, 8.0]),
        ("unreachable", 0.0, [0.0] * 5),
    ],
)
def test_waits_double_from_the_base_to_the_cap_and_chance_takes_its_share(
    kind: FaultKind, share: float, expected: list[float]
) -> None:
    faults = [ProviderFault(kind, "no") for _ in expected]
    assert waits_of(*faults, chance=Chance(share)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("told", "share", "expected"),
    [(100.0, 0.0, 101.0), (100.0, 1.0, 120.0), (0.5, 1.0, 1.0), (-5.0, 1.0, 1.0)],
)
def test_a_wait_is_by_a_hundredth_to_a_fifth_longer_than_told(
    told: float, share: float, expected: float
) -> None:
    fault = ProviderFault("rate_limited", "no", retry_after=told)
    assert waits_of(fault, chance=Chance(share)) == pytest.approx([expected])


@pytest.mark.parametrize(("told", "is_waited"), [(890.0, True), (892.0, False)])
def test_the_waits_of_a_call_last_for_fifteen_minutes_together(
    told: float, *, is_waited: bool
) -> None:
    # A hundredth longer than told, of which the deadline lets 900 seconds pass.
    fault = ProviderFault("rate_limited", "no", retry_after=told)
    if is_waited:
        assert waits_of(fault, chance=Chance(0.0)) == pytest.approx([1.01 * told])
        return
    with pytest.raises(UnansweredError):
        waits_of(fault, chance=Chance(0.0))


def failing(kinds: list[FaultKind | None]) -> list[str]:
    """Ask for an item each, and give how each ended; None stands for a reply."""
    left = list(kinds)

    def answer(_: Request) -> Reply:
        kind = left[0]
        if kind is None:
            return REPLY
        raise ProviderFault(kind, "no")

    async def sleep(_: float) -> None:
        """Pass the time."""

    provider = RetryingProvider(
        ScriptedProvider(answer), name="acme:m", sleep=sleep, chance=Random(1)
    )
    ends: list[str] = []
    while left:
        try:
            asyncio.run(provider.ask(ASKED))
            ends.append("reply")
        except ProviderFault as fault:
            ends.append(f"fault {fault.kind}")
        except Exception as error:  # noqa: BLE001  # its name is what is compared
            ends.append(type(error).__name__)
        left.pop(0)
    return ends


def test_three_items_in_a_row_end_the_run_and_a_reply_begins_the_row_anew() -> None:
    refused, later = "QuarantineError", "UnansweredError"
    assert failing(["bad_request"] * 4) == [refused, refused, "ProviderError", "ProviderError"]
    assert failing(["cut", "timeout", None, "cut", "conflict", "malformed"]) == [
        later,
        later,
        "reply",
        later,
        later,
        "ProviderError",
    ]
    # What is too long is handed back, and is no failure of the provider.
    assert failing(["bad_request", "too_long", "too_long", "cut"]) == [
        refused,
        "fault too_long",
        "fault too_long",
        later,
    ]
    assert failing(["access", "access"]) == ["ProviderError", "ProviderError"]


@pytest.mark.parametrize(
    ("kind", "error", "text"),
    [
        ("unreachable", UnreachableError, r"^oracle:a: m: unreachable: no \(after 6 attempts\)$"),
        ("conflict", UnansweredError, r"^oracle:a: m: conflict: no \(after 3 attempts\)$"),
        ("spend_limit", ProviderError, r"^m: spend_limit: no$"),
    ],
)
def test_the_error_of_a_call_tells_the_item_the_kind_and_the_attempts(
    kind: FaultKind, error: type[Exception], text: str
) -> None:
    with pytest.raises(error, match=text) as caught:
        waits_of(*[ProviderFault(kind, "no")] * 9, chance=Random(1))
    assert type(caught.value) is error


MONEY: Final = (
    (429, "enforced_spend_limit_reached", ""),
    (429, "insufficient_quota", ""),
    (429, "billing_hard_limit_reached", ""),
    (429, "BILLING", ""),
    (402, "", ""),
    (400, "billing_not_active", ""),
    *(
        (status, "", text)
        for status in (400, 422)
        for text in (
            "You reached your spend limit.",
            "Your credit balance is low",
            "Billing hard limit",
            "insufficient funds",
        )
    ),
)


@pytest.mark.parametrize(("status", "codes", "message"), MONEY)
def test_a_lack_of_money_is_told_by_codes_or_by_the_text_of_a_refusal(
    status: int, codes: str, message: str
) -> None:
    assert kind_of_status(status, codes, message) == "spend_limit"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("api key not valid", "access"),
        ("api_key not valid", "access"),
        ("api-key not valid", "access"),
        ("apikey not valid", "access"),
        ("invalid api key", "access"),
        ("invalid x-api-key", "access"),
        ("API_KEY_INVALID", "access"),
        ("model x not found", "no_such_model"),
        ("model x does not exist", "no_such_model"),
        ("model x not exist", "no_such_model"),
        ("model x unknown", "no_such_model"),
        ("model_not_found", "no_such_model"),
        ("model" + "x" * 80 + "unknown", "no_such_model"),
        ("model" + "x" * 81 + "unknown", "bad_request"),
        ("prompt is too long", "too_long"),
        ("context_length", "too_long"),
        ("context length", "too_long"),
        ("context window", "too_long"),
        ("maximum context", "too_long"),
        ("input token count (9) exceeds 8", "too_long"),
        ("too many tokens", "too_long"),
        ("exceeds the maximum", "too_long"),
        ("exceed the limit", "too_long"),
        # The first that fits counts.
        ("invalid api key for model x unknown", "access"),
        ("model x not found: prompt is too long", "no_such_model"),
    ],
)
def test_each_wording_of_a_refusal_has_its_kind(text: str, kind: FaultKind) -> None:
    for codes, message in ((text, ""), ("", text)):
        assert kind_of_status(400, codes, message) == kind


@pytest.mark.parametrize(
    ("micro", "text"),
    [
        (9, "$0.000009"),
        (10, "$0.00001"),
        (12, "$0.000012"),
        (999, "$0.001"),
        (1_000, "$0.001"),
        (1_200, "$0.0012"),
        (9_999, "$0.01"),
        (20_000, "$0.02"),
        (99_400, "$0.099"),
        (99_600, "$0.10"),
        (100_001, "$0.10"),
        (104_000, "$0.10"),
        (110_500, "$0.11"),
        (149_000, "$0.15"),
    ],
)
def test_sums_below_ten_cents_have_two_digits_that_count_and_larger_ones_whole_cents(
    micro: int, text: str
) -> None:
    assert dollars(micro) == text


def test_money_that_is_held_for_an_earlier_call_is_taken_once() -> None:
    budget = Budget(ceiling=100, item_ceiling=100)
    budget.spend("judge:a", 60)
    budget.hold("judge:a", "key", 60)
    assert (budget.settled, budget.reserved) == (0, 60)
    assert budget.take_held("judge:a", "other") is None
    assert budget.take_held("judge:a", "key") == 60
    assert budget.take_held("judge:a", "key") is None
    asyncio.run(budget.settle("judge:a", 60, 20))
    assert (budget.settled, budget.reserved) == (20, 0)
    # The item has what it did not need again.
    asyncio.run(budget.reserve("judge:a", 80))


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("davinci-002", "openai"),
        ("codex-mini", "openai"),
        ("palm-2", "google"),
        ("codegemma", "google"),
        ("codestral", "mistral"),
        ("ministral-8b", "mistral"),
        # The first of two names counts, and of equals at one place the one that is listed first.
        ("llama-3-nemotron", "meta"),
        ("nemotron-llama-3", "nvidia"),
        ("x-phi", "microsoft"),
        ("x_phi", "microsoft"),
        ("x.phi", "microsoft"),
        ("x:phi", "microsoft"),
        ("xphi", None),
    ],
)
def test_a_family_is_named_at_the_beginning_of_a_word(model: str, family: str | None) -> None:
    assert family_of("acme", model, is_own=True) == family
    assert OWN_FAMILY == {"anthropic": "anthropic", "openai": "openai", "google": "google"}


@pytest.mark.parametrize("cloud", ["eu.anthropic.claude-5-v1:0", "anthropic.claude-5-v1:0"])
def test_what_a_cloud_writes_around_a_name_is_no_other_model(cloud: str) -> None:
    assert is_same_model(cloud, "claude-5-v1")
    assert not is_same_model(cloud, "claude-4-v1")


@pytest.mark.parametrize("counted", [True, False])
def test_a_reply_of_another_model_is_billed_as_it_was_counted(*, counted: bool) -> None:
    usage = Usage(fresh=3, counted=counted)
    other = Reply("", (), "done", "end", usage, "another")
    with pytest.raises(ProviderFault, match=r"^asked m, and another answered$") as caught:
        asyncio.run(SameModelProvider(ScriptedProvider(lambda _: other)).ask(ASKED))
    assert caught.value.usage == (usage if counted else None)


def test_before_the_first_reply_four_bytes_are_a_token_and_a_reply_has_five_hundred() -> None:
    habits = LearnedHabits()
    for _ in range(2):
        assert habits.expected_usage("m", "judge", 8001) == Usage(fresh=2001, output=500)
        # A reply of unknown size teaches nothing, and neither does one that was not counted.
        habits.learn("m", "judge", 0, Usage(fresh=7, output=7))
        habits.learn("m", "judge", 100, Usage(fresh=7, output=7, counted=False))
    habits.learn("m", "judge", 1, Usage(fresh=2, cached=3, cache_written=4, output=5))
    habits.learn("m", "judge", 2, Usage(fresh=1, output=2))
    assert habits.expected_usage("m", "judge", 3) == Usage(3, 3, 4, 4)
    assert habits.expected_usage("m", "oracle", 1) == Usage(1, 1, 2, 4)


def test_a_role_is_known_by_its_own_calls_and_not_by_those_of_others() -> None:
    habits = LearnedHabits()
    habits.learn("m", "judge", 10, Usage(fresh=10, output=2))
    habits.learn("m", "oracle", 30, Usage(fresh=90, output=8))
    habits.learn("n", "judge", 10, Usage(fresh=70, output=70))
    assert habits.expected_usage("m", "judge", 10) == Usage(fresh=10, output=2)
    assert habits.expected_usage("m", "oracle", 10) == Usage(fresh=30, output=8)
    # What a role has not shown yet is taken from all calls of its model.
    assert habits.expected_usage("m", "author", 10) == Usage(fresh=25, output=5)
