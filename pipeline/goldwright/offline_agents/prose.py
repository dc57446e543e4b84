"""Statements as prose: what belongs together in one sentence, with conditions as people say them.

A fact of the answer key is written so that it can be read back and checked by itself. Prose is for
people: it names the same things, says "it" for a subject that stays, and puts lists into one
sentence.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from goldwright.offline_agents.condition_glosses import gloss
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.call_handling import CallHandling
from goldwright.offline_agents.statements.condition_phrases import describe_conditions
from goldwright.offline_agents.statements.defined_in import DefinedIn
from goldwright.offline_agents.statements.lists import join_code
from goldwright.offline_agents.statements.logs import Logs
from goldwright.offline_agents.statements.must_define import MayDefine, MustDefine
from goldwright.offline_agents.statements.overridden_by import OverriddenBy
from goldwright.offline_agents.statements.passes import Passes
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.runs import Runs
from goldwright.offline_agents.statements.statement import ConditionalStatement, Statement
from goldwright.offline_agents.statements.stored import Stored
from goldwright.offline_agents.statements.takes import Takes

# How the conditions of the sentence before are said again.
SAME_CONDITION: Final = "Under the same condition"
SAME_CONDITIONS: Final = "Under the same conditions"
# Nobody takes in more deeds at once.
MOST_IN_SENTENCE: Final = 3


def write_prose(statements: Iterable[Statement], opened: Statement | None = None) -> Iterator[str]:
    """Write statements as sentences that follow one another.

    Args:
        statements: What is said, in its order; neighbours that belong together are joined.
        opened: What the sentence before stated; its conditions are referred to, and put into words
            before anything else is said.
    """
    subject = ""
    groups = [list(group) for _, group in groupby(statements, key=_family)]
    if opened is not None:
        if groups and _family(groups[0][0]) == _family(opened):
            yield from _under_the_same(opened, groups.pop(0))
        explanation = gloss(opened.conditions)
        if explanation:
            yield explanation
    for members in groups:
        for sentence, about in _sentences(members):
            start = f"`{about}` "
            is_about = sentence.startswith(start)
            if is_about and about == subject:
                yield f"It {sentence.removeprefix(start)}"
            else:
                yield sentence
            # After a sentence that begins otherwise, nobody knows what "it" would be.
            is_about = is_about or sentence.startswith(SAME_CONDITION)
            subject = about if is_about else ""


def predicate_of(  # noqa: PLR0911  # one arm a kind
    statement: Statement,
) -> str:
    """Say what a function does, without its name and the conditions; empty for another kind."""
    match statement:
        case Assigned(target=target, value=value):
            return f"sets `{target}` to `{value}`"
        case Stored(value=value, place=place):
            return f"puts `{value}` into `{place}`"
        case Runs(call=call):
            return f"runs `{call}`"
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


def _family(  # noqa: PLR0911  # one arm a family
    statement: Statement,
) -> tuple[object, ...]:
    """Say what a statement is joined by: equal families become one sentence, or two."""
    match statement:
        case CallHandling(callee=callee, caught=""):
            return "unguarded", callee
        case DefinedIn():
            return ("defined",)
        case OverriddenBy(base=base, definers=definers, is_every=is_every):
            return "overridden", base, definers, is_every
        case MustDefine(base=base, why=why):
            return "must", base, why
        case MayDefine(base=base):
            return "may", base
        case Takes():
            return ("takes",)
        case ConditionalStatement() if predicate_of(statement):
            return "does", statement.subject, statement.path
        case _:
            return "alone", statement.sentence()


def _sentences(members: Sequence[Statement]) -> Iterator[tuple[str, str]]:
    """Yield the sentences of one family, each with the name that it is about."""
    first = members[0]
    match first:
        case CallHandling(caught=""):
            callers = [member.caller for member in members if isinstance(member, CallHandling)]
            yield _unguarded(callers, first.callee), callers[-1]
        case DefinedIn():
            places = [member for member in members if isinstance(member, DefinedIn)]
            yield _places(places), places[0].name if len(places) == 1 else ""
        case OverriddenBy():
            overridden = [member for member in members if isinstance(member, OverriddenBy)]
            yield _overridden(overridden), ""
        case MustDefine(base=base, why=why):
            methods = [member.method for member in members if isinstance(member, MustDefine)]
            verb = "is" if len(methods) == 1 else "are"
            must = f"A subclass of `{base}` must define {join_code(methods)}"
            yield f"{must}, which {verb} {why} there.", ""
        case MayDefine(base=base):
            methods = [member.method for member in members if isinstance(member, MayDefine)]
            kept = "it is" if len(methods) == 1 else "they are"
            yield f"A subclass of `{base}` can leave {join_code(methods)} as {kept}.", base
        case Takes():
            takers = [member for member in members if isinstance(member, Takes)]
            taken = [taker.sentence().removesuffix(".") for taker in takers]
            yield f"{'; '.join(taken)}.", takers[-1].function
        case ConditionalStatement() if predicate_of(first):
            yield from _deeds(first, members)
        case _:
            yield first.sentence(), first.subject


def _places(members: Sequence[DefinedIn]) -> str:
    """Say in which files some definitions are, file by file."""
    by_path: dict[str, list[str]] = {}
    for member in members:
        by_path.setdefault(member.path, []).append(member.name)
    places: list[str] = []
    for path, names in by_path.items():
        # The verb is said once.
        verb = (" is" if len(names) == 1 else " are") if not places else ""
        places.append(f"{join_code(names)}{verb} in `{path}`")
    return f"{_listed(places)}."


def _overridden(members: Sequence[OverriddenBy]) -> str:
    """Say which methods the same subclasses define."""
    first = members[0]
    if len(members) == 1:
        return first.sentence()
    methods = join_code([member.method for member in members])
    definers = join_code(first.definers)
    if first.is_every:
        return f"Every direct subclass of `{first.base}` defines {methods}: {definers}."
    verb = "defines" if len(first.definers) == 1 else "define"
    return f"Of the direct subclasses of `{first.base}`, only {definers} {verb} {methods}."


def _unguarded(callers: Sequence[str], callee: str) -> str:
    if len(callers) == 1:
        return CallHandling(callers[0], callee, "").sentence()
    return f"{join_code(callers)} call `{callee}` and catch nothing around the call."


def _deeds(first: ConditionalStatement, members: Sequence[Statement]) -> Iterator[tuple[str, str]]:
    """Say what a function does under the same conditions: these once, and then what is more."""
    predicates = [predicate_of(member) for member in members]
    function = first.subject
    if not first.path:
        for start in range(0, len(predicates), MOST_IN_SENTENCE):
            yield f"`{function}` {_listed(predicates[start : start + MOST_IN_SENTENCE])}.", function
        return
    yield f"`{function}` {predicates[0]} {describe_conditions(first.path)}.", function
    for sentence in _under_the_same(first, members[1:]):
        yield sentence, function


def _under_the_same(opened: Statement, members: Sequence[Statement]) -> Iterator[str]:
    """Say what more is done where a statement before holds, without its conditions."""
    predicates = [predicate_of(member) for member in members]
    if not predicates:
        return
    if opened.conditions:
        opening = SAME_CONDITION if len(opened.conditions) == 1 else SAME_CONDITIONS
        yield f"{opening} it {_listed(predicates)}."
    else:
        yield f"`{opened.subject}` {_listed(predicates)}."


def _listed(predicates: Sequence[str]) -> str:
    if len(predicates) == 1:
        return predicates[0]
    return f"{', '.join(predicates[:-1])} and {predicates[-1]}"
