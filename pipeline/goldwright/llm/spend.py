"""What calls came to, in tokens and money, as the entries of the call journal tell it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


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
            whose bill nobody saw.
    """

    calls: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    micro_usd: int = 0
    presumed_micro_usd: int = 0

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


def change_of_spend(kind: str, body: Mapping[str, Any]) -> Spend:
    """Give what an entry of the call journal changes.

    An intent is presumed to be spent until a later entry says how the call ended.

    Args:
        kind: ``intent``, ``reply`` or ``void``.
        body: The entry; the amounts in it are micro-dollars.
    """
    reserved = body["reserved"]
    if kind == "intent":
        return Spend(micro_usd=reserved, presumed_micro_usd=reserved)
    difference = body["micro_usd"] - reserved
    if kind == "void":
        # Nobody saw a bill for a call without a reply: what it cost stays presumed.
        return Spend(micro_usd=difference, presumed_micro_usd=difference)
    usage = body["reply"]["usage"]
    cached = usage["cached"]
    input_tokens = usage["fresh"] + cached + usage["cache_written"]
    return Spend(
        calls=1,
        input_tokens=input_tokens,
        cached_tokens=cached,
        output_tokens=usage["output"],
        micro_usd=difference,
        presumed_micro_usd=-reserved,
    )
