"""What leads to a function that does something which can be said: its callers, and theirs.

In phrasings, ``{do}`` follows "we" and ``{does}`` follows "the function that".
"""

from collections.abc import Mapping, Sequence
from typing import Final

from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.caller_levels import callers_of_each, facts_of_callers
from goldwright.offline_agents.inquiries.effects import calls_among
from goldwright.offline_agents.statements.statement import Finding
from goldwright.records import TaskType

MOST_CALLERS: Final = 3

PhrasingsByType = Mapping[TaskType, tuple[str, ...]]

_ONE: Final = (
    "Something in here {does}. Which function is it, and who calls it?",
    "How do we get to the code that {does}? The direct callers are enough.",
    "What leads to the code that {does}? One call back is enough.",
    "It looks as if we {do} at the wrong time. Which function does that, and who calls it?",
    "Why would this project {do}? Show me the function and its direct callers.",
    "Which functions call the code that {does}, and what do they do with it?",
    "When I run this, something {does}. Where is that, and from where is it called?",
)
_TWO: Final = (
    "Something in here {does}. Which function is it, and which two calls lead there?",
    "How do we get to the code that {does}? Follow the callers two levels up.",
    "Which calls lead to the code that {does}? Two levels are enough.",
    "It looks as if we {do} at the wrong time. Who calls that code, two levels up?",
    "Why would this project {do}? I need the callers and the callers of these.",
    "Trace the code that {does} back two calls.",
    "Through which functions do we reach the code that {does}? Go two callers up.",
    "When I run this, something {does}. Which call path leads there? The last two calls will do.",
)
_HOW_FROM_CALLERS: Final = (
    "Walk me through the code that {does}, starting from its direct callers.",
    "Explain when we {do}: which function does it, and who calls that?",
    "How does a caller get us to {do}, and what does it do with the outcome?",
    "What happens before and after we {do}? Start with the direct callers.",
    "How is the code that {does} used by its callers?",
    "Explain the step in which we {do}, from the callers' side.",
    "How do the callers of the code that {does} use it?",
)
_HOW_FROM_TWO_UP: Final = (
    "Walk me through the calls that lead to the code that {does}, two levels up.",
    "Explain when we {do}: follow the callers two levels up.",
    "How does control get to the code that {does}? Start two calls further up.",
    "Which two calls lead to the code that {does}, and what is passed along?",
    "Describe the last two calls before we {do}.",
    "How do we get from two calls up to the point where we {do}?",
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
    direct = tuple(dict.fromkeys((subject, *callers)))
    if not 1 < len(direct) <= MOST_CALLERS + 1:
        return (), ()
    further = callers_of_each(code, callers, MOST_CALLERS) or ()
    both_levels = tuple(dict.fromkeys((*direct, *further)))
    return direct, both_levels if len(both_levels) > len(direct) else ()


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
        return tuple(calls_among(code, subject, targets) or ()) or None
    return facts_of_callers(code, (subject, *callers), targets) or None
