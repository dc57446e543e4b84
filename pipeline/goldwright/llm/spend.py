"""What calls came to, in tokens and money, as the entries of the call journal tell it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final


@dataclass
class Spend:
    """What some calls came to.

    Attributes:
        calls: Calls that brought a reply.
        input_tokens: All input tokens, however they were read.
        cached_tokens: Those of them that were read from a cache.
        output_tokens: All output tokens, thinking included.
        micro_usd: The cost in micro-dollars, what is presumed to be spent included.
        presumed_micro_usd: The part of the cost that is presumed only: requests that were sent and
            whose bill nobody saw count with what such requests have cost.
        most_micro_usd: The most that all of it can have cost; ceilings hold against this.
    """

    calls: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    micro_usd: int = 0
    presumed_micro_usd: int = 0
    most_micro_usd: int = 0

    @property
    def tokens(self) -> int:
        """Input and output tokens."""
        return self.input_tokens + self.output_tokens

    def add(self, spend: "Spend") -> None:
        """Count another spend in."""
        self.calls += spend.calls
        self.input_tokens += spend.input_tokens
        self.cached_tokens += spend.cached_tokens
        self.output_tokens += spend.output_tokens
        self.micro_usd += spend.micro_usd
        self.presumed_micro_usd += spend.presumed_micro_usd
        self.most_micro_usd += spend.most_micro_usd


@dataclass(frozen=True, slots=True)
class CallCost:
    """What one call costs, in micro-dollars; both numbers are the bill where there is one.

    Attributes:
        micro_usd: What it cost, or is expected to have cost.
        most_micro_usd: The most that it can have cost.
    """

    micro_usd: int
    most_micro_usd: int


FREE: Final = CallCost(0, 0)


def change_of_spend(kind: str, body: Mapping[str, Any]) -> Spend:
    """Give what an entry of the call journal changes.

    An intent is presumed to be spent until a later entry says how the call ended.

    Args:
        kind: ``intent``, ``reply`` or ``void``.
        body: The entry; the amounts in it are micro-dollars.
    """
    # Entries of older runs know one number, the most, and count with it.
    reserved = body["reserved"]
    expected = body.get("expected", reserved)
    if kind == "intent":
        return Spend(micro_usd=expected, presumed_micro_usd=expected, most_micro_usd=reserved)
    cost = body["micro_usd"]
    change = cost - expected
    most_micro_usd = body.get("most_micro_usd", cost)
    spend = Spend(
        micro_usd=change,
        presumed_micro_usd=change,
        most_micro_usd=most_micro_usd - reserved,
    )
    if kind == "reply":
        _add_reply(spend, body["reply"]["usage"], expected)
    return spend


def _add_reply(spend: Spend, usage: Mapping[str, Any], expected: int) -> None:
    spend.calls = 1
    spend.input_tokens = usage["fresh"] + usage["cached"] + usage["cache_written"]
    spend.cached_tokens = usage["cached"]
    spend.output_tokens = usage["output"]
    if usage["counted"]:
        # The bill is known: nothing of it is presumed any more.
        spend.presumed_micro_usd = -expected
