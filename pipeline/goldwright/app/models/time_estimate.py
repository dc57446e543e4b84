"""How long a server of one's own would take: where tokens cost nothing, hours are the price."""

from collections.abc import Iterable
from typing import Final

from goldwright.app.models.cost_estimate import RoleEstimate

# Tokens a second of one request on one graphics card of a desktop, with a model of 30 billion
# parameters in 4 bits: what is generated, and what is read of a prompt that no cache holds.
WRITTEN_PER_SECOND: Final = 30
READ_PER_SECOND: Final = 1000
_SECONDS_PER_HOUR: Final = 3600


def free_hours(roles: Iterable[RoleEstimate]) -> float | None:
    """Estimate the hours of all roles whose model costs nothing; None where there is none.

    One request is answered after the other; who serves several at a time is faster.
    """
    free = [role for role in roles if role.is_live and not role.high_micro_usd]
    if not free:
        return None
    written_tokens = sum(role.output_tokens for role in free)
    read_tokens = sum(role.input_tokens - role.cached_tokens for role in free)
    seconds = written_tokens / WRITTEN_PER_SECOND + read_tokens / READ_PER_SECOND
    return seconds / _SECONDS_PER_HOUR
