"""What is done about each kind of fault: one table, read by the retries and the shared limit."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from goldwright.llm.port import FaultKind

Scope = Literal["item", "run"]


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often a call is tried, and what ends when it fails for good.

    Waits double from ``base`` up to ``cap``, with jitter.

    Attributes:
        tries: The attempts that may end in this kind of fault; 0 stands for as many as the deadline
            of the call allows.
        ends: What ends when they are used up.
        base: The first wait, in seconds.
        cap: The longest wait, in seconds.
        floor: The share of a wait that chance may not take away (0: full jitter, 0.5: equal
            jitter).
        slows: Whether the provider asks for fewer calls at a time.
    """

    tries: int
    ends: Scope = "item"
    base: float = 0.5
    cap: float = 30.0
    floor: float = 0.0
    slows: bool = False


# Billing differs by attempt, not by kind: the fault itself says whether it may be billed.
RETRY_POLICIES: Final[Mapping[FaultKind, RetryPolicy]] = {
    "unreachable": RetryPolicy(tries=6),
    "timeout": RetryPolicy(tries=3),
    "cut": RetryPolicy(tries=4),
    "malformed": RetryPolicy(tries=3),
    "rate_limited": RetryPolicy(tries=0, base=1.0, cap=60.0, floor=0.5, slows=True),
    "overloaded": RetryPolicy(tries=6, base=2.0, cap=60.0, floor=0.5, slows=True),
    "server_error": RetryPolicy(tries=4),
    "gateway_timeout": RetryPolicy(tries=4),
    "conflict": RetryPolicy(tries=3),
    "access": RetryPolicy(tries=1, ends="run"),
    "spend_limit": RetryPolicy(tries=1, ends="run"),
    "no_such_model": RetryPolicy(tries=1, ends="run"),
    "other_model": RetryPolicy(tries=1, ends="run"),
    "too_long": RetryPolicy(tries=1),
    "bad_request": RetryPolicy(tries=1),
}

CALL_DEADLINE_SECONDS: Final = 15 * 60.0
"""The most that the waits between the attempts of one call may last together."""

LONGEST_RETRY_AFTER: Final = 3600.0
"""Seconds; a longer wait that a provider asks for counts as this."""

MOST_FAILED_ITEMS_IN_A_ROW: Final = 3
"""The run stops when this many items in a row fail for good without a reply in between."""
