"""What is done about each kind of fault: one table, read by retry and pace."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from goldwright.llm.port import FaultKind

Scope = Literal["item", "run"]


@dataclass(frozen=True, slots=True)
class Policy:
    """How often a call is tried, how long it waits in between, and what ends when it fails for good.

    ``tries`` counts the attempts that end in this kind of fault; 0 stands for as many as the call's
    deadline allows. Waits grow from ``base`` seconds by a factor of 2 up to ``cap``; ``floor`` is the
    share of a wait that chance may not take away (0: full jitter, 0.5: equal jitter). ``slows`` tells
    that the provider asks for less at a time.
    """

    tries: int
    ends: Scope = "item"
    base: float = 0.5
    cap: float = 30.0
    floor: float = 0.0
    slows: bool = False


POLICIES: Final[Mapping[FaultKind, Policy]] = {
    "unreachable": Policy(tries=6),
    "timeout": Policy(tries=3),
    "cut": Policy(tries=4),
    "malformed": Policy(tries=3),
    "rate_limited": Policy(tries=0, base=1.0, cap=60.0, floor=0.5, slows=True),
    "overloaded": Policy(tries=6, base=2.0, cap=60.0, floor=0.5, slows=True),
    "server_error": Policy(tries=4),
    "gateway_timeout": Policy(tries=4),
    "conflict": Policy(tries=3),
    "access": Policy(tries=1, ends="run"),
    "spend_limit": Policy(tries=1, ends="run"),
    "no_such_model": Policy(tries=1, ends="run"),
    "other_model": Policy(tries=1, ends="run"),
    "too_long": Policy(tries=1),
    "bad_request": Policy(tries=1),
}
"""Billing differs by attempt, not by kind: the fault itself says whether it may be billed."""

CALL_DEADLINE_SECONDS: Final = 15 * 60.0
"""The waits between the attempts of one call, together."""

LONGEST_RETRY_AFTER: Final = 3600.0
IN_A_ROW: Final = 3
"""So many items in a row that fail for good, with no reply in between, and the run stops."""
