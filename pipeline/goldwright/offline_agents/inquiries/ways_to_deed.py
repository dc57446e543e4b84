"""What leads to a function that does something which can be said: its callers, and theirs.

In phrasings, ``{do}`` follows "we" and ``{does}`` follows "the function that".
"""

from collections.abc import Mapping, Sequence
from typing import Final

from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.caller_levels import callers_of_each, facts_of_callers
from goldwright.offline_agents.inquiries.effects import calls_among
from goldwright.offline_agents.inquiries.surroundings import each_once
from goldwright.offline_agents.prose.prose_writing import write_prose
from goldwright.offline_agents.statements.statement import Finding
from goldwright.records import TaskType

MOST_CALLERS: Final = 3

PhrasingsByType = Mapping[TaskType, tuple[str, ...]]

_ONE: Final = (
    "Something in here {does}. Where is that, who calls it, and how?",
    "From where do we call the code that {does}, and how?",
    "Which function {does}? Show me the calls of it, too.",
    "Where do we {do}, and which calls lead there?",
    "I want to change the function that {does}. Which calls of it are there?",
)
_TWO: Final = (
    "Something in here {does}. Which function is it, who calls it, and who calls those?",
    "How do we get to the code that {does}? Show the callers and what calls them.",
    "Which code paths end up where we {do}? I need the callers and their callers.",
    "Where does this project {do}? I need the callers, and their callers.",
    "Trace the code that {does} back to its callers, and to what calls those.",
    "Which functions call the code that {does}? Include the callers of the callers.",
)
_HOW_FROM_CALLERS: Final = (
    "Who calls the code that {does}, and how does it work?",
    "When do we {do}? Explain which function does it, and who calls that.",
    "Under what conditions do we {do}, and which callers get there?",
    "When do we {do}, and which callers make us do it?",
    "Where do we {do}, and what do the callers need it for?",
)
_HOW_FROM_TWO_UP: Final = (
    "Who ends up in the code that {does}? I need its callers, and theirs.",
    "When do we {do}? I need the callers of that code, and their callers.",
    "What makes us {do}? Show the callers, and what calls them.",
    "How do we get to the point where we {do}? I need the callers, and what calls those.",
)


ONE_CALL_UP: Final[PhrasingsByType] = {
    "explain": _HOW_FROM_CALLERS,
    "general": _ONE,
    "debug": _ONE,
}
TWO_CALLS_UP: Final[PhrasingsByType] = {
    "explain": _HOW_FROM_TWO_UP,
    "general": _TWO,
    "debug": _TWO,
}


def caller_sets(code: CodeContext, subject: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give a function with its callers, and with the callers of these as well.

    Returns:
        The function first in both; empty where they are not all known, or too many to be asked for.
    """
    callers = code.closed_callers(subject) or ()
    direct = each_once([subject], callers)
    if not 1 < len(direct) <= MOST_CALLERS + 1:
        return (), ()
    further = callers_of_each(code, callers, MOST_CALLERS) or ()
    both_levels = each_once(direct, further)
    has_second_level = len(both_levels) > len(direct)
    return direct, both_levels if has_second_level else ()


def ways_there(
    code: CodeContext, subject: str, targets: Sequence[str]
) -> tuple[Finding, ...] | None:
    """State who calls a function, with what they make of it or who calls these; None if unsure.

    Nothing is stated for the function alone.
    """
    if len(targets) == 1:
        return ()
    callers = code.closed_callers(subject) or ()
    if set(targets) <= {subject, *callers}:
        calls = calls_among(code, subject, targets) or ()
        return tuple(calls) or None
    return facts_of_callers(code, (subject, *callers), targets) or None


def with_ways(origin: str, ways: Sequence[Finding]) -> str:
    """Write how a narrative begins: with the function, which callers cannot be told before.

    Args:
        origin: The sentence on the function.
        ways: Who calls it.
    """
    sentences = write_prose([way.statement for way in ways])
    return " ".join([origin, *sentences])
