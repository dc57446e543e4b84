"""Statements as prose: what belongs together in one sentence, with conditions as people say them.

A fact of the answer key is written so that it can be read back and checked by itself. Prose is for
people: it names the same things, says "it" for a subject that stays, and puts lists into one
sentence.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from goldwright.offline_agents.condition_glosses import gloss
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.call_handling import CallHandling
from goldwright.offline_agents.statements.caught_from import CaughtFrom
from goldwright.offline_agents.statements.condition_phrases import describe_conditions
from goldwright.offline_agents.statements.defined_in import DefinedIn
from goldwright.offline_agents.statements.described import Described
from goldwright.offline_agents.statements.lists import join_code
from goldwright.offline_agents.statements.logs import Logs
from goldwright.offline_agents.statements.must_define import MayDefine, MustDefine
from goldwright.offline_agents.statements.only_callers import OnlyCallers
from goldwright.offline_agents.statements.overridden_by import OverriddenBy
from goldwright.offline_agents.statements.parameter import ParameterDefault
from goldwright.offline_agents.statements.passes import Passes
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.runs import Runs
from goldwright.offline_agents.statements.statement import ConditionalStatement, Statement
from goldwright.offline_agents.statements.stored import Stored
from goldwright.offline_agents.statements.takes import Takes
from goldwright.path_conditions import Path, negation_of

# How the conditions of the sentence before are said again.
SAME_CONDITION: Final = "Under the same condition"
SAME_CONDITIONS: Final = "Under the same conditions"
# How they are turned round.
OTHERWISE: Final = "Otherwise"
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
    otherwise = OtherwisePath()
    groups = list(_groups(statements))
    if opened is not None:
        if groups and _family(groups[0][0]) == _family(opened):
            yield from _under_the_same(opened, groups.pop(0))
        explanation = gloss(opened.conditions)
        if explanation:
            yield explanation
        otherwise.follow(opened, ())
    for members in groups:
        contrast = otherwise.contrast(members[0]) if predicate_of(members[0]) else None
        otherwise.follow(members[0], contrast)
        sentences = _sentences(members) if contrast is None else _otherwise(members, contrast)
        for sentence, about in sentences:
            start = f"`{about}` "
            is_about = sentence.startswith(start)
            if is_about and about == subject:
                yield f"It {sentence.removeprefix(start)}"
            else:
                yield sentence
            # After a sentence that begins otherwise, nobody knows what "it" would be.
            is_about = is_about or sentence.startswith((SAME_CONDITION, OTHERWISE))
            subject = about if is_about else ""


@dataclass
class OtherwisePath:
    """What "otherwise" means behind a sentence: that its one test comes out the other way.

    Attributes:
        function: What the sentence was about.
        path: The conditions; empty where nobody would know what is meant.
    """

    function: str = ""
    path: Path = ()

    def contrast(self, statement: Statement) -> Path | None:
        """Give the conditions that are left to say behind "otherwise"; None where it is wrong."""
        conditions, length = statement.conditions, len(self.path)
        is_same = bool(self.path) and statement.subject == self.function
        return conditions[length:] if is_same and conditions[:length] == self.path else None

    def forget(self) -> None:
        """Let nothing be turned round: something else was said."""
        self.path = ()

    def follow(self, statement: Statement, contrast: Path | None) -> None:
        """Remember a sentence.

        Args:
            statement: What it said.
            contrast: The conditions that it said behind "otherwise", which goes on from there; None
                where it said all of them.
        """
        is_first = contrast is None or not self.path
        before: Path = () if is_first else self.path
        tests = statement.conditions if contrast is None or is_first else contrast
        # Of several tests "otherwise" is clear where they are all that was said.
        denied = negation_of(tests) if len(tests) == 1 or is_first else ()
        self.function = statement.subject
        self.path = (*before, *denied) if denied and predicate_of(statement) else ()


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


def _family(  # noqa: C901, PLR0911  # one arm a family
    statement: Statement,
) -> tuple[object, ...]:
    """Say what a statement is joined by: equal families become one sentence, or two."""
    match statement:
        case CallHandling(callee=callee, caught=""):
            return "unguarded", callee
        case CaughtFrom(callee=callee, error=error, clause=""):
            return "uncaught", callee, error
        case DefinedIn():
            return ("defined",)
        case ParameterDefault(function=function, default=default) if default:
            return "default", function
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


def _groups(statements: Iterable[Statement]) -> Iterator[list[Statement]]:
    """Put statements together that one sentence says, or two."""
    before: list[Statement] = []
    for _, group in groupby(statements, key=_family):
        members = list(group)
        if before and _are_callers_with_errors(before, members):
            yield [*before, *members]
            before = []
            continue
        if before:
            yield before
        before = members
    if before:
        yield before


def _are_callers_with_errors(first: Sequence[Statement], second: Sequence[Statement]) -> bool:
    """Find out whether the callers of a function are named, and then what each does with an error.

    Of those who catch it, only one is told in the same sentence: clauses differ.
    """
    callers = first[0]
    fates = [member for member in second if isinstance(member, CaughtFrom)]
    if not isinstance(callers, OnlyCallers) or len(first) > 1 or len(fates) < len(second):
        return False
    is_same = all(fate.callee == callers.callee for fate in fates)
    return is_same and [fate.caller for fate in fates] == list(callers.callers)


def _sentences(  # noqa: C901  # one arm a family
    members: Sequence[Statement],
) -> Iterator[tuple[str, str]]:
    """Yield the sentences of one family, each with the name that it is about."""
    first = members[0]
    match first:
        case CallHandling(caught=""):
            callers = [member.caller for member in members if isinstance(member, CallHandling)]
            yield _unguarded(callers, first.callee), callers[-1]
        case CaughtFrom(clause=""):
            passed = [member for member in members if isinstance(member, CaughtFrom)]
            passed_through = join_code([member.caller for member in passed])
            yield first.sentence().replace(f"`{first.caller}`", passed_through), ""
        case OnlyCallers(callers=callers) if callers:
            fates = [member for member in members if isinstance(member, CaughtFrom)]
            yield _callers(first, fates), ""
        case Described(name=name, text=text):
            yield f"`{name}` is documented as “{text}”.", name
        case ParameterDefault(function=function) if len(members) > 1:
            defaults = [member for member in members if isinstance(member, ParameterDefault)]
            values = [f"`{default.parameter}` is `{default.default}`" for default in defaults]
            yield f"In `{function}`, {_listed(values)} unless they are given.", ""
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
            as_defined = "it is" if len(methods) == 1 else "they are"
            yield f"A subclass of `{base}` can leave {join_code(methods)} as {as_defined}.", base
        case Takes():
            takers = [member for member in members if isinstance(member, Takes)]
            signatures = [taker.sentence().removesuffix(".") for taker in takers]
            yield f"{'; '.join(signatures)}.", takers[-1].function
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


def _callers(called: OnlyCallers, fates: Sequence[CaughtFrom]) -> str:
    """Say who calls a function, and what becomes of its error there."""
    verb = "calls" if len(called.callers) == 1 else "call"
    who = f"In product code only {join_code(called.callers)} {verb} `{called.callee}`"
    if not fates:
        return f"{who}."
    error, clause = fates[0].error, fates[0].clause
    if clause:
        return f"{who}, and it catches the `{error}` with `except {clause}`."
    nobody = {1: "it does not catch", 2: "neither of them catches"}
    return f"{who}, and {nobody.get(len(fates), 'none of them catches')} the `{error}`."


def _otherwise(members: Sequence[Statement], conditions: Path) -> Iterator[tuple[str, str]]:
    """Say what a function does where the test of the sentence before comes out the other way."""
    predicates = [predicate_of(member) for member in members]
    function = members[0].subject
    end = f" {describe_conditions(conditions)}" if conditions else ""
    first, *further_predicates = predicates
    if end:
        yield f"{OTHERWISE} it {first}{end}.", function
    else:
        yield f"{OTHERWISE} it {_listed(predicates)}.", function
        return
    if further_predicates:
        opening = SAME_CONDITION if len(members[0].conditions) == 1 else SAME_CONDITIONS
        yield f"{opening} it {_listed(further_predicates)}.", function


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
