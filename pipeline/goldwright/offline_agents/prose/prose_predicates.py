"""What a function does, as the predicate of a sentence."""

import ast
import re
from functools import lru_cache
from typing import Final

from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.calls_as import CallsAs
from goldwright.offline_agents.statements.condition_phrases import describe_conditions
from goldwright.offline_agents.statements.logs import Logs
from goldwright.offline_agents.statements.passes import Passes
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.runs import Runs
from goldwright.offline_agents.statements.statement import Statement
from goldwright.offline_agents.statements.stored import Stored

# A call and nothing else; what is awaited or deleted is run.
_CALL: Final = re.compile(r"[\w.]+\s*\(.*\)", re.DOTALL)
_LOCAL_NAMES: Final = re.compile(r"\w+(?:, \w+)*")
# Values of which it is known whether they are calls: of one codebase, more than an answer tells.
_VALUES_IN_MEMORY: Final = 4096


def predicate_of(  # noqa: PLR0911  # one arm a kind
    statement: Statement,
) -> str:
    """Say what a function does, without its name and the conditions; empty for another kind."""
    match statement:
        case Assigned(target=target, value=value):
            # Nobody gets an attribute, or the place of an item.
            is_result = gives_a_result(value) and _LOCAL_NAMES.fullmatch(target)
            gets = f"gets `{target}` from `{value}`"
            return gets if is_result else f"sets `{target}` to `{value}`"
        case Stored(value=value, place=place):
            return f"puts `{value}` into `{place}`"
        case Runs(call=call):
            verb = "calls" if _CALL.fullmatch(call) else "runs"
            return f"{verb} `{call}`"
        case Passes(value=value, callee=callee, keyword=keyword):
            return f"passes `{value}` to `{callee}` as `{keyword}`"
        case Raises(error=error, message=message):
            quoted = f" (“{message}”)" if message else ""
            return f"raises `{error}`{quoted}"
        case Returned(value=value):
            return f"returns `{value}`"
        case Logs(message=message, level=level):
            return f"logs “{message}” as `{level}`"
        case _:
            return ""


@lru_cache(maxsize=_VALUES_IN_MEMORY)
def gives_a_result(value: str) -> bool:
    """Find out whether a value is what one call gives back, and no new object of a class."""
    try:
        parsed = ast.parse(value, mode="eval").body
    except (SyntaxError, ValueError):
        return False
    if not isinstance(parsed, ast.Call):
        return False
    called = ast.unparse(parsed.func).rpartition(".")[2]
    return not called.lstrip("_")[:1].isupper()


def call_in_prose(caller: str, callee: str, deed: Statement, place: str = "") -> str:
    """Say who alone calls a function, and how.

    Args:
        caller: Its qualified name.
        callee: That of the function.
        deed: The call, or what the caller does with it; that has a predicate.
        place: The function with its file; empty for its name alone.
    """
    called_name = callee.removesuffix(".__init__")
    simple_name = re.escape(called_name.rpartition(".")[2])
    call = deed.call if isinstance(deed, Runs | CallsAs) else ""
    call_of_name = rf"(?:await )?[\w.]*(?<!\w){simple_name}\s*\("
    is_bare = re.match(call_of_name, call) is not None
    how = f", as `{call}`"
    if not is_bare:
        how = f": it {predicate_of(deed)}"
    conditions = describe_conditions(deed.conditions)
    when = f" {conditions}" if conditions else ""
    return f"In product code only `{caller}` calls {place or f'`{callee}`'}{how}{when}."
