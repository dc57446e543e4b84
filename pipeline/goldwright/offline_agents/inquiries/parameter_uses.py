"""What a function does with a parameter."""

import re
from collections.abc import Sequence
from typing import Final

from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.effects import (
    directness,
    effects_with,
    follow,
    is_given_anew,
)
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.statement import Finding

# What is done with it at the end is told by so many statements of a function.
MOST_USES: Final = 2
# What ``directness`` says of an effect that a condition keeps from happening.
INDIRECT: Final = 2
# A test of the parameter, or one test of an item of it.
MOST_INNER_CONDITIONS: Final = 2


def uses_of_parameter(code: CodeContext, taker: str, parameter: str) -> list[Finding]:
    """Find what a function does with a parameter; what happens without it only if nothing else.

    What stands further inside, behind other conditions, is not what the parameter decides.
    """
    pattern = pattern_of(parameter)
    effects = effects_with(code, taker, pattern)
    uses = [use for use in effects if not is_given_anew(use, parameter, pattern)]
    direct = [use for use in uses if directness(use, pattern) < INDIRECT]
    return direct or [use for use in uses if _decides(pattern, use)]


def _decides(pattern: str, use: Finding) -> bool:
    innermost = use.statement.conditions[-MOST_INNER_CONDITIONS:]
    return any(re.search(pattern, condition.code) for condition in innermost)


def last_uses(code: CodeContext, uses: Sequence[Finding]) -> list[Finding]:
    """Choose what says best what a parameter is for: a keeping of it says least."""
    plain_uses = [use for use in uses if not is_kept(use)]
    chosen_uses = plain_uses or list(uses[:1])
    telling = chosen_uses[:MOST_USES]
    further_uses = list(follow(code, telling))
    return [*telling, *further_uses[:1]][:MOST_USES]


def pattern_of(parameter: str) -> str:
    """Write a pattern that finds a parameter in code, and no attribute or string of its name."""
    return rf"(?<![\w.\"'-]){parameter}(?!\w)"


def is_kept(use: Finding) -> bool:
    """Whether a value is kept on the object."""
    statement = use.statement
    return isinstance(statement, Assigned) and statement.target.startswith("self.")
