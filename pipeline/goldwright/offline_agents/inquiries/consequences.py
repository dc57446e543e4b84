"""What follows from an answer for whoever asked: sentences that close a narrative.

Each follows from the facts by itself and names nothing that they do not name, so nothing of it has
to be checked again.
"""

from collections.abc import Sequence
from typing import Final

from goldwright.offline_agents.statements.lists import join_code


def of_argument_from_above(function: str, callers: Sequence[str], above: Sequence[str]) -> str:
    """Say which functions another argument passes on its way from two levels up.

    Args:
        function: The function that gets it, with its place.
        callers: The functions that call it.
        above: The functions that call those.
    """
    origins = join_code(above)
    passages = join_code(callers)
    return f"A new argument of {function} has to come from {origins} through {passages}."


def of_travelling_along(takers: Sequence[str], givers: Sequence[str]) -> str:
    """Say what another argument needs that goes the same way.

    Args:
        takers: The functions that take it.
        givers: Those that call the first of them and give it; none where they are not told, and
            where a default value may do.
    """
    calls = "in the calls between them"
    if givers:
        calls = f"{calls} and in those that {join_code(givers)} {_make(givers)}"
    return (
        f"So another argument that goes the same way needs a parameter in {join_code(takers)}, and "
        f"a place {calls}."
    )


def _make(names: Sequence[str]) -> str:
    return "makes" if len(names) == 1 else "make"


SAME_AS_NONE: Final = "So passing `None` and leaving it out come to the same."
ERROR_UNDERNEATH: Final = (
    "So the message on top only says where it was noticed; the cause is to be looked for where "
    "the error underneath is raised."
)
WARNING_ALONE: Final = "By itself the warning stops nothing; the function goes on after it."
ONLY_PLACE_OF_TEXT: Final = (
    "So this is the one place to change for another wording, or for a breakpoint."
)
