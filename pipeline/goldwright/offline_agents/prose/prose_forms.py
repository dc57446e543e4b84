"""The forms of prose: sentences that state several things, or one in other words than a fact.

Each form is a pattern and what it is read as; ``prose`` writes them.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from goldwright.offline_agents.prose.prose_calls import CALLED_AS, CHAIN, read_calls, read_chain
from goldwright.offline_agents.prose.prose_deeds import read_deeds
from goldwright.offline_agents.prose.prose_families import FAMILY_FORMS
from goldwright.offline_agents.statements.advises import Advises
from goldwright.offline_agents.statements.call_handling import CallHandling
from goldwright.offline_agents.statements.calls_as import CallsAs
from goldwright.offline_agents.statements.catalog import DEED_VERBS
from goldwright.offline_agents.statements.caught_from import CaughtFrom
from goldwright.offline_agents.statements.described import Described
from goldwright.offline_agents.statements.goes_on import GoesOn
from goldwright.offline_agents.statements.handles import Handles, outcome_in_words
from goldwright.offline_agents.statements.library_callers import LibraryCallers
from goldwright.offline_agents.statements.library_uncalled import LibraryUncalled
from goldwright.offline_agents.statements.lists import read_choice, read_code_list
from goldwright.offline_agents.statements.literal_users import OUTSIDE_EXPORTS, LiteralUsers
from goldwright.offline_agents.statements.only_callers import OnlyCallers
from goldwright.offline_agents.statements.parameter import ParameterDefault
from goldwright.offline_agents.statements.runs import Runs
from goldwright.offline_agents.statements.statement import Statement
from goldwright.offline_agents.statements.takes import Takes
from goldwright.offline_agents.statements.tries import Tries
from goldwright.path_conditions import Condition, Path

_COMES_FROM: Final = re.compile(
    r"(?:(?:It|(?:The|One) error(?: underneath)?) comes from|It is|"
    r"The [\w ]+ `[^`]+` takes effect in) "
    r"`(?P<subject>[\w.]+)` in `?[^`\s]+`?, which (?:first )?(?P<deeds>.+)\."
)
_DOES: Final = re.compile(
    r"`(?P<subject>[\w.]+)`(?: in `?[^`\s]+`?)? (?:first )?"
    rf"(?P<deeds>(?:{'|'.join(DEED_VERBS)}) .+)\."
)
_HANDLED: Final = re.compile(
    r"(?:Yes|(?:Yes, it|It) is only logged|It is logged, and the callers do not see it): "
    r"(?P<function>`[\w.]+`) in `[^`]+` catches (?P<caught>`[^`]+`)"
    r"(?: only around (?P<steps>`[^`]+`(?:(?:, | and )`[^`]+`)*))?"
    r"(?:(?: and|,) (?P<does>(?!and)[a-z][^`,]*(?:`[^`]+`[^`,]*)?))?"
    r"(?:, and (?P<way>(?:goes on with the next turn of|leaves) the loop `[^`]+`))?\."
)
_CALLERS: Final = re.compile(
    r"(?:Yes: in|No: in|It is caught on its way up: in|In) product code "
    r"only (?P<callers>`.+`) calls? `(?P<callee>[\w.]+)`"
    r"(?:, and (?P<fate>it|neither of them|none of them) (?:does not catch|catches) "
    r"the `(?P<error>[\w.]+)`(?: with `except (?P<clause>[^`]+)`)?)?\."
)
_CALLERS_AND_FATES: Final = re.compile(
    r"(?:Yes: in|Not everywhere: in|It is caught on its way up: in|In) product code "
    r"only (?P<callers>`.+`) calls? "
    r"`(?P<callee>[\w.]+)`: (?P<catching>`.+`)(?:, but (?P<open>`.+`) lets? it through)?\."
)
_CATCHING: Final = re.compile(
    r"(?P<callers>`[\w.]+`(?:(?:, | and )`[\w.]+`)*) catch(?:es)? "
    r"the `(?P<error>[\w.]+)` with `except (?P<clause>[^`]+)`"
)
_FATES: Final = re.compile(
    r"An? `(?P<error>[\w.]+)` out of `(?P<callee>[\w.]+)` "
    r"(?:passes through (?P<open>`.+`) uncaught|"
    r"is caught in (?P<catching>`.+`) by `except (?P<clause>[^`]+)`)\."
)
_DEFAULTS: Final = re.compile(r"In `(?P<function>[\w.]+)`, (?P<values>.+) unless they are given\.")
_SIGNATURE: Final = re.compile(
    r"(?P<takes>`(?P<function>[\w.]+)` takes the parameters? `.+` and no others); "
    r"unless given, (?P<values>`.+`)\."
)
_UNLESS_GIVEN: Final = re.compile(
    r"`(?P<parameter>\w+)` defaults to `(?P<default>[^`]+)`, and "
    r"(?P<when>then |where it is falsy, )?`(?P<function>[\w.]+)`(?: in `[^`]+`)? "
    r"(?P<deeds>(?:sets|gets) .+)\."
)
_ONLY_AROUND: Final = re.compile(
    r"(?P<function>`[\w.]+`) catches (?P<caught>`[^`]+`) only around (?P<steps>`.+`)\."
)
_VALUE: Final = re.compile(r"`([^`]+)` is `([^`]+)`")
_DOCUMENTED: Final = re.compile(
    r"The docstring of `[\w.]+` says “[^”]+”(?:(?:,| and) that of `[\w.]+` “[^”]+”)*\."
)
_DOCSTRING: Final = re.compile(r"`(?P<name>[\w.]+)` (?:says )?“(?P<text>[^”]+)”")
_BY_EACH: Final = re.compile(
    r"`(?P<subject>[\w.]+)` (?P<deed>.+), and so do(?:es)? (?P<others>`.+`)\."
)
_ONLY_CALL: Final = re.compile(
    r"It is `(?P<caller>[\w.]+)` in `[^`]+` that [^`]+; no other product code calls "
    r"`(?P<name>\w+(?:\.\w+)+)`(?:, and none calls (?P<others>`.+`))?\."
)
_CALLER_AND_CALL: Final = re.compile(
    r"In product code only `(?P<subject>[\w.]+)` calls `(?P<callee>[\w.]+)`(?: in `[^`]+`)?"
    r"(?:, as (?P<call>`.+)|: it (?P<deeds>.+))\."
)
_ADVISES: Final = re.compile(r"(?P<function>`[\w.]+`) advises (?P<advice>“[^”]+”)\.")
_ONLY_USER: Final = re.compile(
    r"It is `(?P<user>[\w.]+)` in `[^`]+` that [^`]+ `(?P<literal>[^`]+)`; "
    r'(?P<outside>outside `__all__`, )?no other product code has the string `"(?P=literal)"`\.'
)
_ONLY_READER: Final = re.compile(
    r"In product code only `(?P<subject>[\w.]+)` in `[^`]+` reads the [^`]+ `(?P<literal>[^`]+)`"
    r"(?:: it (?P<deeds>.+))?\."
)
_ONLY_USERS: Final = re.compile(
    r'(?:(?P<outside>Outside `__all__`, the)|The) [^`]+ `"(?P<literal>[^`]+)"` '
    r"is used in (?P<users>`.+`) "
    r"and nowhere else in product code\."
)
_UNGUARDED: Final = re.compile(
    r"(?P<callers>`.+`) call `(?P<callee>[\w.]+)` and catch nothing around the call\."
)
_GUARDED: Final = re.compile(
    r"`(?P<caller>[\w.]+)` calls (?P<callees>`.+`) inside a `try` that catches "
    r"`(?P<caught>[^`]+)`\."
)


def read_form(sentence: str) -> list[Statement]:
    """Read what a sentence of prose states; nothing for one of no known form."""
    for pattern, read_match in _FORMS:
        match = pattern.fullmatch(sentence)
        if match is None:
            continue
        statements = list(read_match(match))
        if statements:
            return statements
    return []


def _read_does(match: re.Match[str]) -> Iterator[Statement]:
    yield from read_deeds(match["subject"], match["deeds"], None)


def _read_unless_given(match: re.Match[str]) -> Iterator[Statement]:
    """Read what a parameter is by default, and what is taken instead."""
    function, parameter = match["function"], match["parameter"]
    yield ParameterDefault(function, parameter, match["default"])
    path: Path | None = None
    if match["when"] is not None:
        test = Condition("unless", parameter)
        if match["when"] == "then ":
            test = Condition("if", f"{parameter} is None")
        path = (test,)
    yield from read_deeds(function, match["deeds"], path)


def _read_by_each(match: re.Match[str]) -> Iterator[Statement]:
    """Read what several functions do alike."""
    for deed in read_deeds(match["subject"], match["deed"], None):
        yield deed
        for name in read_code_list(match["others"]) or ():
            yield replace(deed, function=name)


def _read_handled(match: re.Match[str]) -> Iterator[Statement]:
    """Read what a function does with an error, out of what, as the verdict of a review says it."""
    function, caught = match["function"], match["caught"]
    deed = match["does"] or outcome_in_words("logged")
    sentences = [f"When {function} catches {caught}, it {deed}."]
    if match["steps"]:
        sentences.append(f"{function} catches {caught} only around {match['steps']}.")
    if match["way"]:
        sentences.append(f"After {function} has caught {caught}, it {match['way']}.")
    for sentence in sentences:
        attempt = _ONLY_AROUND.fullmatch(sentence)
        statement = Handles.read(sentence) or GoesOn.read(sentence)
        if attempt is not None:
            yield from _read_only_around(attempt)
        elif statement is not None:
            yield statement


def _read_unguarded(match: re.Match[str]) -> Iterator[Statement]:
    for caller in read_code_list(match["callers"]) or ():
        yield CallHandling(caller, match["callee"], "")


def _read_guarded(match: re.Match[str]) -> Iterator[Statement]:
    for callee in read_code_list(match["callees"]) or ():
        yield CallHandling(match["caller"], callee, match["caught"])


def _read_documented(match: re.Match[str]) -> Iterator[Statement]:
    for name, text in _DOCSTRING.findall(match[0]):
        yield Described(name, text)


def _read_defaults(match: re.Match[str]) -> Iterator[Statement]:
    for name, value in _VALUE.findall(match["values"]):
        yield ParameterDefault(match["function"], name, value)


def _read_signature(match: re.Match[str]) -> Iterator[Statement]:
    takes = Takes.read(f"{match['takes']}.")
    if takes is not None:
        yield takes
        yield from _read_defaults(match)


def _read_only_around(match: re.Match[str]) -> Iterator[Statement]:
    function, caught, steps = match.group("function", "caught", "steps")
    attempt = Tries.read(f"The `try` of {function} that catches {caught} holds only {steps}.")
    if attempt is not None:
        yield attempt


def _read_only_call(match: re.Match[str]) -> Iterator[Statement]:
    yield LibraryCallers(match["name"], (match["caller"],))
    others = read_choice(match["others"] or "")
    if others is not None:
        yield LibraryUncalled(match["name"], others)


def _read_caller_and_call(match: re.Match[str]) -> Iterator[Statement]:
    """Read who alone calls a function, and how."""
    caller, callee = match["subject"], match["callee"]
    yield OnlyCallers(callee, (caller,))
    for deed in read_deeds(caller, match["deeds"] or f"calls {match['call']}", None):
        # How it is called says nothing of when, where no condition is told.
        if isinstance(deed, Runs) and match["call"] and not deed.path:
            yield CallsAs(caller, callee, deed.call)
        else:
            yield deed


def _read_advises(match: re.Match[str]) -> Iterator[Statement]:
    advises = Advises.read(f"The advice in a warning of {match['function']} is {match['advice']}.")
    if advises is not None:
        yield advises


def _read_only_user(match: re.Match[str]) -> Iterator[Statement]:
    outside = OUTSIDE_EXPORTS if match["outside"] else ""
    yield LiteralUsers(match["literal"], (match["user"],), outside)


def _read_only_users(match: re.Match[str]) -> Iterator[Statement]:
    users = read_code_list(match["users"])
    if users is not None:
        outside = OUTSIDE_EXPORTS if match["outside"] else ""
        yield LiteralUsers(match["literal"], users, outside)


def _read_only_reader(match: re.Match[str]) -> Iterator[Statement]:
    """Read who alone looks a name up, and what comes of it there."""
    yield LiteralUsers(match["literal"], (match["subject"],))
    if match["deeds"]:
        yield from _read_does(match)


def _read_callers(match: re.Match[str]) -> Iterator[Statement]:
    """Read who calls a function, and what becomes of its error there."""
    names = read_code_list(match["callers"])
    # Several such clauses are no list of names.
    if not names:
        return
    yield OnlyCallers(match["callee"], tuple(names))
    for name in names if match["fate"] else ():
        yield CaughtFrom(name, match["callee"], match["error"], match["clause"] or "")


def _read_callers_and_fates(match: re.Match[str]) -> Iterator[Statement]:
    """Read who calls a function, and what each of them does with its error."""
    names = read_code_list(match["callers"])
    catching = list(_CATCHING.finditer(match["catching"]))
    if not names or not catching:
        return
    yield OnlyCallers(match["callee"], names)
    ends = [(end["callers"], end["error"], end["clause"]) for end in catching]
    ends.append((match["open"] or "", catching[0]["error"], ""))
    for callers, error, clause in ends:
        for caller in read_code_list(callers) or ():
            yield CaughtFrom(caller, match["callee"], error, clause)


def _read_fates(match: re.Match[str]) -> Iterator[Statement]:
    """Read which functions an error passes through, or which catch it by one clause."""
    for caller in read_code_list(match["open"] or match["catching"]) or ():
        yield CaughtFrom(caller, match["callee"], match["error"], match["clause"] or "")


_FORMS: Final[
    tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Iterator[Statement]]], ...]
] = (
    (_DOCUMENTED, _read_documented),
    (_DEFAULTS, _read_defaults),
    (_SIGNATURE, _read_signature),
    (_UNLESS_GIVEN, _read_unless_given),
    (_ONLY_AROUND, _read_only_around),
    (CALLED_AS, read_calls),
    (_BY_EACH, _read_by_each),
    (_ONLY_CALL, _read_only_call),
    (_ONLY_USER, _read_only_user),
    (_ONLY_USERS, _read_only_users),
    (_ONLY_READER, _read_only_reader),
    (_ADVISES, _read_advises),
    (_CALLERS, _read_callers),
    (_CALLER_AND_CALL, _read_caller_and_call),
    (_CALLERS_AND_FATES, _read_callers_and_fates),
    (_FATES, _read_fates),
    *FAMILY_FORMS,
    (CHAIN, read_chain),
    (_HANDLED, _read_handled),
    (_UNGUARDED, _read_unguarded),
    (_GUARDED, _read_guarded),
    (_COMES_FROM, _read_does),
    (_DOES, _read_does),
)
