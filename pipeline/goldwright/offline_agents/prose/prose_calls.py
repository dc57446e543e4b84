"""Prose on who calls what: the callers, how they do it, and what becomes of an error there."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from goldwright.offline_agents.statements.calls_as import CallsAs
from goldwright.offline_agents.statements.caught_from import CaughtFrom
from goldwright.offline_agents.statements.condition_phrases import describe_conditions
from goldwright.offline_agents.statements.deed import predicate_of
from goldwright.offline_agents.statements.lists import join_code, read_code_list
from goldwright.offline_agents.statements.only_callers import OnlyCallers
from goldwright.offline_agents.statements.runs import Runs
from goldwright.offline_agents.statements.statement import Statement

_FUNCTIONS: Final = r"`[\w.]+`(?:(?:, | and )`[\w.]+`)*"
CALLED_AS: Final = re.compile(
    rf"(?P<first>{_FUNCTIONS}) calls? `(?P<callee>[\w.]+)` as (?P<calls>`.+`)\."
)
# A call, with the functions that make it where these are others than before.
_CALL_OF: Final = re.compile(
    rf"(?:(?:^|, and |, | and |; )(?:(?P<functions>{_FUNCTIONS}) calls? it as )?)`(?P<call>[^`]+)`"
)

CHAIN: Final = re.compile(r"(?:In product code )?(?P<links>[Oo]nly `.+` calls? `[\w.]+`)\.")
_LINK: Final = re.compile(
    r"[Oo]nly (?P<callers>`.+`) calls? (?P<callees>`[\w.]+`(?:(?:, | and )`[\w.]+`)*)"
)
_LINK_JOINT: Final = re.compile(r"(?:, | and )(?=only `)")


_TWO: Final = 2


def say_calls(members: Sequence[CallsAs]) -> str:
    """Say how functions call another one: the verb once, and those that do it alike at once."""
    calls_by_function: dict[str, list[str]] = {}
    for member in members:
        call_in_code = f"`{member.call}`"
        calls_by_function.setdefault(member.function, []).append(call_in_code)
    functions_by_calls: dict[str, list[str]] = {}
    for function, calls in calls_by_function.items():
        functions_by_calls.setdefault(list_phrases(calls), []).append(function)
    (calls_in_words, functions), *others = functions_by_calls.items()
    callee = members[0].callee
    parts = [f"{_with_verb(functions)} `{callee}` as {calls_in_words}"]
    for further, names in others:
        further_callers = _with_verb(names)
        parts.append(f"{further_callers} it as {further}")
    # A list inside of a list would be read as one.
    is_nested = len(members) > len(functions_by_calls)
    if is_nested or len(parts) > _TWO:
        return f"{'; '.join(parts)}."
    return f"{', and '.join(parts)}."


def _with_verb(functions: Sequence[str]) -> str:
    """Say that functions call, without what they call."""
    verb = "calls" if len(functions) == 1 else "call"
    return f"{join_code(functions)} {verb}"


def say_callers(called: OnlyCallers, fates: Sequence[CaughtFrom]) -> str:
    """Say who calls a function, and what becomes of its error there."""
    who = f"In product code {_only_callers(called)}"
    if not fates:
        return f"{who}."
    error = fates[0].error
    clause = fates[0].clause
    if clause and len(fates) == 1:
        return f"{who}, and it catches the `{error}` with `except {clause}`."
    by_clause = _by_clause(fates)
    if set(by_clause) == {""}:
        nobody = {1: "it does not catch", 2: "neither of them catches"}
        nobody_catches = nobody.get(len(fates), "none of them catches")
        return f"{who}, and {nobody_catches} the `{error}`."
    passing = [fate.caller for fate in by_clause.pop("", [])]
    catching = list_phrases([_end(error, clause, alike) for clause, alike in by_clause.items()])
    if not passing:
        return f"{who}: {catching}."
    lets = "lets" if len(passing) == 1 else "let"
    return f"{who}: {catching}, but {join_code(passing)} {lets} it through."


def _end(error: str, clause: str, catching: Sequence[CaughtFrom]) -> str:
    """Say which functions catch an error by the same clause."""
    catches = "catches" if len(catching) == 1 else "catch"
    callers = join_code([fate.caller for fate in catching])
    return f"{callers} {catches} the `{error}` with `except {clause}`"


def _only_callers(called: OnlyCallers) -> str:
    return _only_call(called.callers, [called.callee])


def _only_call(callers: Sequence[str], callees: Sequence[str]) -> str:
    callers_and_verb = _with_verb(callers)
    called = join_code(callees)
    return f"only {callers_and_verb} {called}"


def say_chain(links: Sequence[OnlyCallers]) -> Iterator[str]:
    """Say who calls a function, and then who calls those: names of two levels are read twice."""
    direct, *further = links
    yield f"In product code {_only_callers(direct)}."
    callees: dict[tuple[str, ...], list[str]] = {}
    for link in further:
        callees.setdefault(link.callers, []).append(link.callee)
    phrases = [_only_call(*callers_and_callees) for callers_and_callees in callees.items()]
    above = list_phrases(phrases)
    first_letter = above[:1].upper()
    yield f"{first_letter}{above[1:]}."


def say_fates(members: Sequence[CaughtFrom]) -> Iterator[str]:
    """Say through which functions an error passes, and which catch it by the same clause."""
    for alike in _by_clause(members).values():
        first = alike[0]
        callers = join_code([member.caller for member in alike])
        first_caller = f"`{first.caller}`"
        yield first.sentence().replace(first_caller, callers)


def _by_clause(members: Iterable[CaughtFrom]) -> dict[str, list[CaughtFrom]]:
    by_clause: dict[str, list[CaughtFrom]] = {}
    for member in members:
        by_clause.setdefault(member.clause, []).append(member)
    return by_clause


def read_calls(match: re.Match[str]) -> Iterator[Statement]:
    """Read how several functions call another one, each with its calls."""
    functions = read_code_list(match["first"]) or ()
    for call in _CALL_OF.finditer(match["calls"]):
        functions = read_code_list(call["functions"] or "") or functions
        for function in functions:
            yield CallsAs(function, match["callee"], call["call"])


def read_chain(match: re.Match[str]) -> Iterator[Statement]:
    """Read who calls a function, and who calls those."""
    for part in _LINK_JOINT.split(match["links"]):
        link = _LINK.fullmatch(part)
        if link is None:
            continue
        callers = read_code_list(link["callers"]) or ()
        callees = read_code_list(link["callees"]) or ()
        for callee in callees if callers else ():
            yield OnlyCallers(callee, tuple(callers))


def list_phrases(predicates: Sequence[str]) -> str:
    """Put phrases one behind the other, the last one behind "and"."""
    if len(predicates) == 1:
        return predicates[0]
    *earlier, last = predicates
    earlier_phrases = ", ".join(earlier)
    return f"{earlier_phrases} and {last}"


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
