"""What belongs together: statements that one sentence says, or two."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from typing import Final

from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.call_handling import CallHandling
from goldwright.offline_agents.statements.calls_as import CallsAs
from goldwright.offline_agents.statements.caught_from import CaughtFrom
from goldwright.offline_agents.statements.condition_phrases import describe_conditions
from goldwright.offline_agents.statements.deed import predicate_of
from goldwright.offline_agents.statements.defined_in import DefinedIn
from goldwright.offline_agents.statements.described import Described
from goldwright.offline_agents.statements.logs import Logs
from goldwright.offline_agents.statements.must_define import MayDefine, MustDefine
from goldwright.offline_agents.statements.only_callers import OnlyCallers
from goldwright.offline_agents.statements.only_holder import OnlyHolder
from goldwright.offline_agents.statements.only_subclasses import OnlySubclasses
from goldwright.offline_agents.statements.overridden_by import OverriddenBy
from goldwright.offline_agents.statements.overrides import Overrides
from goldwright.offline_agents.statements.parameter import ParameterDefault
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.statement import ConditionalStatement, Statement
from goldwright.offline_agents.statements.takes import Takes

# Ways to catch one error that a sentence can tell.
MOST_CLAUSES: Final = 2


def family_of(  # noqa: C901, PLR0911, PLR0912  # one arm a family
    statement: Statement,
) -> tuple[object, ...]:
    """Say what a statement is joined by: equal families become one sentence, or two."""
    match statement:
        case CallHandling(callee=callee, caught=""):
            return "unguarded", callee
        case CallHandling(caller=caller, caught=caught):
            return "guarded", caller, caught
        case CaughtFrom(callee=callee, error=error):
            return "fate", callee, error
        case DefinedIn():
            return ("defined",)
        case ParameterDefault(function=function, default=default) if default:
            return "default", function
        case OverriddenBy(base=base, definers=definers, is_every=is_every):
            return "overridden", base, definers, is_every
        case Overrides(base=base, methods=methods) if methods:
            return "overrides", base
        case Overrides(base=base):
            return "overrides nothing", base
        case MustDefine(base=base, why=why):
            return "must", base, why
        case MayDefine(base=base):
            return "may", base
        case Takes():
            return ("takes",)
        case Described():
            return ("described",)
        case CallsAs(callee=callee):
            return "calls as", callee
        case Assigned(changes_its_tests=True):
            # Behind it, "under the same condition" would not hold any more.
            return "alone", statement.sentence()
        case ConditionalStatement() if predicate_of(statement):
            return "does", statement.subject, statement.path
        case _:
            return "alone", statement.sentence()


def join_groups(statements: Iterable[Statement]) -> Iterator[list[Statement]]:
    """Put neighbours together that one sentence says, or two."""
    families = groupby(statements, key=family_of)
    groups = [list(family) for _, family in families]
    joined: list[Statement] = []
    for members, following in pairwise([*groups, []]):
        is_first_of_several = _is_call_of_several(joined, members, following)
        if joined and _belong_together(joined, members) and not is_first_of_several:
            joined.extend(members)
            continue
        if joined:
            yield joined
        joined = members
    if joined:
        yield joined


def are_chained(members: Sequence[Statement]) -> bool:
    """Find out whether all of several statements name the callers of a function."""
    are_several = len(members) > 1
    return are_several and all(_names_callers(member) for member in members)


def is_done_by_each(members: Sequence[Statement]) -> bool:
    """Find out whether several functions do just the same, under the same conditions."""
    deeds = {(predicate_of(member), describe_conditions(member.conditions)) for member in members}
    return _is_each_another(members) and len(deeds) == 1


def is_the_only_holder(opened: Statement, members: Sequence[Statement]) -> bool:
    """Find out whether statements say only that no other code holds the message just told."""
    match opened, members:
        case Raises() | Logs(), [OnlyHolder() as holder]:
            is_same_text = opened.message != "" and holder.text == opened.message
            return is_same_text and holder.function == opened.function
        case _:
            return False


def _belong_together(first: Sequence[Statement], second: Sequence[Statement]) -> bool:
    return (
        _are_callers_with_errors(first, second)
        or _are_parameters_with_defaults(first, second)
        or _are_caller_and_call(first, second)
        or (_are_all_callers(first) and _are_all_callers(second))
        or (len(second) == 1 and is_done_by_each([*first, *second]))
        or _are_subclasses_with_methods(first, second)
    )


def _are_caller_and_call(first: Sequence[Statement], second: Sequence[Statement]) -> bool:
    """Find out whether the only caller of a function is named, and then what it does there."""
    match first, second:
        case [OnlyCallers(callers=(caller,))], [deed]:
            is_deed = predicate_of(deed) != "" or isinstance(deed, CallsAs)
            return deed.subject == caller and is_deed
        case _:
            return False


def _is_call_of_several(
    first: Sequence[Statement], second: Sequence[Statement], following: Sequence[Statement]
) -> bool:
    """Find out whether the only caller of a function calls it once more in what follows.

    "Only `f` calls `g`, as `g(1)`" would be read as if it did not.
    """
    if not _are_caller_and_call(first, second):
        return False
    match first:
        case [OnlyCallers(callee=callee)]:
            simple_name = callee.removesuffix(".__init__").rpartition(".")[2]
            called = f"{simple_name}("
            caller = second[0].subject
            own = (member for member in following if member.subject == caller)
            return any(called in predicate_of(member) for member in own)
        case _:
            return False


def _are_parameters_with_defaults(first: Sequence[Statement], second: Sequence[Statement]) -> bool:
    """Find out whether the parameters of a function are named, and then what they are by default.

    What must be given is told by itself.
    """
    match first:
        case [Takes(function=function)]:
            return all(_is_default_of(function, member) for member in second)
        case _:
            return False


def _is_default_of(function: str, member: Statement) -> bool:
    """Find out whether a statement says what a parameter of a function is by default."""
    if not isinstance(member, ParameterDefault):
        return False
    return member.function == function and member.default != ""


def _are_all_callers(members: Sequence[Statement]) -> bool:
    return all(_names_callers(member) for member in members)


def _names_callers(statement: Statement) -> bool:
    return isinstance(statement, OnlyCallers) and bool(statement.callers)


def _is_each_another(members: Sequence[Statement]) -> bool:
    """Find out whether statements tell deeds of different functions, one of each."""
    subjects = {member.subject for member in members}
    are_deeds = all(map(predicate_of, members))
    return are_deeds and 1 < len(members) == len(subjects)


def _are_subclasses_with_methods(first: Sequence[Statement], second: Sequence[Statement]) -> bool:
    """Find out whether all subclasses of a class are named, and then what each of them defines."""
    match first, second[0]:
        case [OnlySubclasses() as family], OverriddenBy(is_every=True) as overridden:
            is_same_base = family.base == overridden.base
            return is_same_base and family.subclasses == overridden.definers
        case _:
            return False


def _are_callers_with_errors(first: Sequence[Statement], second: Sequence[Statement]) -> bool:
    """Find out whether the callers of a function are named, and then what each does with an error.

    Nobody takes in more than two ways to catch it in a sentence.
    """
    callers = first[0]
    fates = [member for member in second if isinstance(member, CaughtFrom)]
    if not isinstance(callers, OnlyCallers) or len(first) > 1 or len(fates) < len(second):
        return False
    is_same = all(fate.callee == callers.callee for fate in fates)
    callers_told = [fate.caller for fate in fates]
    is_each_told = callers_told == list(callers.callers)
    clauses = {fate.clause for fate in fates if fate.clause}
    return is_same and is_each_told and len(clauses) <= MOST_CLAUSES
