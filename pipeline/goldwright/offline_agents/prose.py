"""Statements as prose: what belongs together in one sentence, with conditions as people say them.

A fact of the answer key is written so that it can be read back and checked by itself. Prose is for
people: it names the same things, says "it" for a subject that stays, and puts lists into one
sentence.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.call_handling import CallHandling
from goldwright.offline_agents.statements.condition_phrases import describe_conditions
from goldwright.offline_agents.statements.defined_in import DefinedIn
from goldwright.offline_agents.statements.lists import join_code
from goldwright.offline_agents.statements.logs import Logs
from goldwright.offline_agents.statements.must_define import MayDefine, MustDefine
from goldwright.offline_agents.statements.parameter import ParameterDefault
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.statement import Statement


def write_prose(statements: Iterable[Statement], subject: str = "") -> Iterator[str]:
    """Write statements as sentences that follow one another.

    Args:
        statements: What is said, in its order; neighbours that belong together are joined.
        subject: The qualified name that the sentence before was about; empty for none.
    """
    for _, group in groupby(statements, key=_family):
        members = list(group)
        for sentence, about in _sentences(members):
            start = f"`{about}` "
            is_about = sentence.startswith(start)
            if is_about and about == subject:
                yield f"It {sentence.removeprefix(start)}"
            else:
                yield sentence
            # After a sentence that begins otherwise, nobody knows what "it" would be.
            subject = about if is_about else ""


def _family(statement: Statement) -> tuple[object, ...]:
    """Say what a statement is joined by: equal families become one sentence."""
    match statement:
        case CallHandling(callee=callee, caught=""):
            return "unguarded", callee
        case DefinedIn(path=path):
            return "defined", path
        case MustDefine(base=base, why=why):
            return "must", base, why
        case MayDefine(base=base):
            return "may", base
        case _:
            return "alone", statement.sentence()


def _sentences(members: Sequence[Statement]) -> Iterator[tuple[str, str]]:
    """Yield the sentences of one family, each with the name that it is about."""
    first = members[0]
    match first:
        case CallHandling(caught=""):
            callers = [member.caller for member in members if isinstance(member, CallHandling)]
            yield _unguarded(callers, first.callee), callers[-1]
        case DefinedIn(path=path):
            names = [member.name for member in members if isinstance(member, DefinedIn)]
            verb = "is" if len(names) == 1 else "are"
            yield f"{join_code(names)} {verb} in `{path}`.", names[-1]
        case MustDefine(base=base, why=why):
            methods = [member.method for member in members if isinstance(member, MustDefine)]
            verb = "is" if len(methods) == 1 else "are"
            yield f"In `{base}`, {join_code(methods)} {verb} {why}.", base
        case MayDefine(base=base):
            methods = [member.method for member in members if isinstance(member, MayDefine)]
            yield f"A subclass of `{base}` can leave {join_code(methods)} as they are.", base
        case _:
            yield _alone(first), first.subject


def _unguarded(callers: Sequence[str], callee: str) -> str:
    if len(callers) == 1:
        return f"`{callers[0]}` catches nothing around its call of `{callee}`."
    if len(callers) == 2:  # neither and nor are for two
        neither = f"Neither `{callers[0]}` nor `{callers[1]}`"
        return f"{neither} catches anything around its call of `{callee}`."
    return f"None of {join_code(callers)} catches anything around its call of `{callee}`."


def _alone(statement: Statement) -> str:
    match statement:
        case Assigned(function=function, target=target, value=value, path=path):
            when = _behind(describe_conditions(path))
            return f"`{function}` takes `{value}` as `{target}`{when}."
        case ParameterDefault(function=function, parameter=parameter, default=default) if default:
            return f"`{function}` takes `{default}` for `{parameter}` unless another is given."
        case Raises(function=function, error=error, message=message, path=path):
            quoted = f" (“{message}”)" if message else ""
            return f"`{function}` raises `{error}`{quoted}{_behind(describe_conditions(path))}."
        case Returned(function=function, value=value, path=path):
            return f"`{function}` returns `{value}`{_behind(describe_conditions(path))}."
        case Logs(function=function, message=message, level=level, path=path):
            when = _behind(describe_conditions(path))
            return f"`{function}` logs “{message}” as `{level}`{when}."
        case _:
            return statement.sentence()


def _behind(conditions: str) -> str:
    return f" {conditions}" if conditions else ""
