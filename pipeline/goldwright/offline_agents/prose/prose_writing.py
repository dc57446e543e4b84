"""Statements as prose: what belongs together in one sentence, with conditions as people say them.

A fact of the answer key is written so that it can be read back and checked by itself. Prose is for
people: it names the same things, says "it" for a subject that stays, and puts lists into one
sentence.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeVar

from goldwright.offline_agents.prose.prose_calls import (
    call_in_prose,
    list_phrases,
    say_callers,
    say_calls,
    say_chain,
    say_fates,
)
from goldwright.offline_agents.prose.prose_groups import (
    are_chained,
    family_of,
    is_done_by_each,
    is_the_only_holder,
    join_groups,
)
from goldwright.offline_agents.prose.prose_links import LoopInMind, SaidBefore
from goldwright.offline_agents.prose.prose_references import (
    IN_SAME_LOOP,
    SAME_CONDITION,
    SAME_CONDITIONS,
    TESTED,
    as_tested,
    join_deeds_past_checks,
    owner_after,
    subject_after,
    with_lead,
    with_pronoun,
)
from goldwright.offline_agents.statements.advises import Advises
from goldwright.offline_agents.statements.call_handling import CallHandling
from goldwright.offline_agents.statements.calls_as import CallsAs
from goldwright.offline_agents.statements.caught_from import CaughtFrom
from goldwright.offline_agents.statements.condition_phrases import describe_conditions
from goldwright.offline_agents.statements.deed import predicate_of
from goldwright.offline_agents.statements.defined_in import DefinedIn
from goldwright.offline_agents.statements.described import Described
from goldwright.offline_agents.statements.lists import join_code
from goldwright.offline_agents.statements.must_define import MayDefine, MustDefine
from goldwright.offline_agents.statements.only_callers import OnlyCallers
from goldwright.offline_agents.statements.only_subclasses import OnlySubclasses
from goldwright.offline_agents.statements.overridden_by import OverriddenBy
from goldwright.offline_agents.statements.overrides import Overrides
from goldwright.offline_agents.statements.parameter import ParameterDefault
from goldwright.offline_agents.statements.statement import ConditionalStatement, Statement
from goldwright.offline_agents.statements.takes import Takes
from goldwright.offline_agents.statements.tries import Tries
from goldwright.path_conditions import Path

# What answers whether a message has a second place.
NO_OTHER_TAKER: Final = "In product code no other function has a parameter of that name."
NO_OTHER_HOLDER: Final = "No other product code holds that text."
# Nobody takes in more deeds at once.
MOST_IN_SENTENCE: Final = 3

_Kind = TypeVar("_Kind", bound=Statement)


def write_prose(
    statements: Iterable[Statement], opened: Statement | None = None, subject: str = ""
) -> Iterator[str]:
    """Write statements as sentences that follow one another.

    Args:
        statements: What is said, in its order; neighbours that belong together are joined.
        opened: What the sentence before stated; its conditions are referred to, and put into words
            before anything else is said.
        subject: What "it" stands for behind that sentence; empty where nobody would know.
    """
    said = SaidBefore()
    loop = LoopInMind()
    groups = list(join_groups(statements))
    if opened is not None:
        said.remember_checks([opened])
        loop.refer(describe_conditions(opened.conditions), opened.subject)
        if groups and family_of(groups[0][0]) == family_of(opened):
            members = groups.pop(0)
            for sentence in _under_the_same(opened, members):
                yield with_pronoun(sentence, subject)
            said.remember_checks(members)
        if groups and is_the_only_holder(opened, groups[0]):
            groups.pop(0)
            subject = ""
            yield NO_OTHER_HOLDER
        else:
            said.otherwise.follow(opened, ())
    sentences = _write_groups([("", groups)], said, loop, subject)
    yield from join_deeds_past_checks(sentences)


def write_paragraphs(paragraphs: Iterable[tuple[str, Iterable[Statement]]]) -> Iterator[str]:
    """Write statements as ``write_prose`` does, part by part.

    Args:
        paragraphs: Statements, and where the first of them stands: one of ``LEADS``, or empty.
    """
    parts = [(lead, list(join_groups(statements))) for lead, statements in paragraphs]
    # Behind the answer, nobody would know which checks are meant.
    yield from _write_groups(parts, SaidBefore(checks=None), LoopInMind(), "")


def _write_groups(
    parts: Iterable[tuple[str, Sequence[Sequence[Statement]]]],
    said: SaidBefore,
    loop: LoopInMind,
    subject: str,
) -> Iterator[str]:
    owner = subject
    for lead, groups in parts:
        # What is turned round must stand right before.
        if lead:
            said.otherwise.forget()
        link = lead
        for members in groups:
            reference = said.reference(members[0])
            said.follow(members, reference)
            sentences = _referring(members, *reference) if reference else _sentences(members)
            for sentence, about in sentences:
                spoken = loop.refer(sentence, members[0].subject)
                spoken = with_lead(link, with_pronoun(spoken, subject, owner))
                yield as_tested(spoken) if lead == TESTED else spoken
                link = ""
                subject = subject_after(sentence, about)
                owner = owner_after(sentence, about)


def _sentences(  # noqa: C901, PLR0912  # one arm a family
    members: Sequence[Statement],
) -> Iterator[tuple[str, str]]:
    """Yield the sentences of one family, each with the name that it is about."""
    first = members[0]
    match first:
        case CallHandling(caught=""):
            callers = [handling.caller for handling in _of_kind(members, CallHandling)]
            yield _unguarded(callers, first.callee), callers[-1]
        case CallHandling(caller=caller):
            yield _guarded(_of_kind(members, CallHandling)), caller
        case CaughtFrom():
            for sentence in say_fates(_of_kind(members, CaughtFrom)):
                yield sentence, ""
        case ConditionalStatement() if is_done_by_each(members):
            yield _done_by_each(members), ""
        case OnlyCallers() if are_chained(members):
            for sentence in say_chain(_of_kind(members, OnlyCallers)):
                yield sentence, ""
        case OnlySubclasses() if len(members) > 1:
            yield _family(first, members[1:]), ""
        case OnlyCallers(callers=(caller,)) if len(members) > 1 and _is_call(members[1]):
            yield call_in_prose(caller, first.callee, members[1]), caller
        case OnlyCallers(callers=callers) if callers:
            yield say_callers(first, _of_kind(members, CaughtFrom)), ""
        case Described(name=name):
            about = name if len(members) == 1 else ""
            yield _described(_of_kind(members, Described)), about
        case ParameterDefault(function=function) if len(members) > 1:
            values = _default_values(members)
            yield f"In `{function}`, {values} unless they are given.", ""
        case DefinedIn():
            places = _of_kind(members, DefinedIn)
            about = places[0].name if len(places) == 1 else ""
            yield _places(places), about
        case OverriddenBy():
            yield _overridden(_of_kind(members, OverriddenBy)), ""
        case Overrides(methods=()) if len(members) > 1:
            subclasses = [member.subject for member in members]
            yield _override_nothing(first.base, subclasses), ""
        case Overrides() if len(members) > 1:
            yield _overrides(_of_kind(members, Overrides)), ""
        case MustDefine(base=base, why=why):
            methods = [statement.method for statement in _of_kind(members, MustDefine)]
            verb = "is" if len(methods) == 1 else "are"
            duty = f"A subclass of `{base}` must define {join_code(methods)}"
            yield f"{duty}, which {verb} {why} there.", ""
        case MayDefine(base=base):
            methods = [statement.method for statement in _of_kind(members, MayDefine)]
            as_defined = "it is" if len(methods) == 1 else "they are"
            yield f"A subclass of `{base}` can leave {join_code(methods)} as {as_defined}.", base
        case _:
            yield from _sentences_of_function(members)


def _is_call(statement: Statement) -> bool:
    return isinstance(statement, CallsAs) or predicate_of(statement) != ""


def _sentences_of_function(members: Sequence[Statement]) -> Iterator[tuple[str, str]]:
    """Yield what is said of one function by itself: what it takes, does and advises."""
    first = members[0]
    match first:
        case Takes() if isinstance(members[-1], ParameterDefault):
            yield _signature(first, members[1:]), first.function
        case Takes():
            takers = _of_kind(members, Takes)
            signatures = [taker.sentence().removesuffix(".") for taker in takers]
            list_of_signatures = "; ".join(signatures)
            yield f"{list_of_signatures}.", takers[-1].function
        case CallsAs():
            calls = _of_kind(members, CallsAs)
            functions = {call.function for call in calls}
            about = first.function if len(functions) == 1 else ""
            yield say_calls(calls), about
        case Advises(function=function, advice=advice):
            yield f"`{function}` advises “{advice}”.", function
        case Tries(function=function, caught=caught, steps=steps):
            yield f"`{function}` catches `{caught}` only around {join_code(steps)}.", function
        case ConditionalStatement() if predicate_of(first):
            yield from _deeds(first, members)
        case _:
            yield first.sentence(), first.subject


def _of_kind(members: Sequence[Statement], kind: type[_Kind]) -> list[_Kind]:
    """List the statements of a kind."""
    return [member for member in members if isinstance(member, kind)]


def _signature(takes: Takes, defaults: Sequence[Statement]) -> str:
    """Say which parameters a function has, and what those are that are not given."""
    parameters = takes.sentence().removesuffix(".")
    values = _default_values(defaults)
    return f"{parameters}; unless given, {values}."


def _default_values(members: Sequence[Statement]) -> str:
    defaults = _of_kind(members, ParameterDefault)
    return list_phrases([f"`{default.parameter}` is `{default.default}`" for default in defaults])


def _described(members: Sequence[Described]) -> str:
    """Quote docstrings: whose they are is said for each, the verb once."""
    first, *further = members
    quotations = [f"The docstring of `{first.name}` says “{first.text}”"]
    quotations.extend(f"that of `{member.name}` “{member.text}”" for member in further)
    return f"{list_phrases(quotations)}."


def _places(members: Sequence[DefinedIn]) -> str:
    """Say in which files some definitions are, file by file."""
    by_path: dict[str, list[str]] = {}
    for member in members:
        by_path.setdefault(member.path, []).append(member.name)
    places: list[str] = []
    for path, names in by_path.items():
        verb = ""
        # The verb is said once.
        if not places:
            verb = " is" if len(names) == 1 else " are"
        places.append(f"{join_code(names)}{verb} in `{path}`")
    return f"{list_phrases(places)}."


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


def _overrides(members: Sequence[Overrides]) -> str:
    """Say which methods of a class each of its subclasses overrides."""
    sentences = [member.sentence().removesuffix(".") for member in members]
    first, *further = sentences
    start = f"Of the methods that `{members[0].base}` defines, "
    further_clauses = [sentence.removeprefix(start) for sentence in further]
    whole = "; ".join([first, *further_clauses])
    return f"{whole}."


def _done_by_each(members: Sequence[Statement]) -> str:
    """Say once what several functions do."""
    first = members[0]
    predicate = predicate_of(first)
    followers = [member.subject for member in members[1:]]
    names = join_code(followers)
    verb = "does" if len(followers) == 1 else "do"
    conditions = describe_conditions(first.conditions)
    when = f" {conditions}" if conditions else ""
    return f"`{first.subject}` {predicate}{when}, and so {verb} {names}."


def _family(family: OnlySubclasses, overridden: Sequence[Statement]) -> str:
    """Say which classes derive from another one, and what each of them defines."""
    methods = [member.method for member in overridden if isinstance(member, OverriddenBy)]
    who = "it" if len(family.subclasses) == 1 else "each of them"
    derivation = family.sentence().removesuffix(".")
    methods_in_words = join_code(methods)
    return f"{derivation}, and {who} defines {methods_in_words}."


def _referring(
    members: Sequence[Statement], words: str, conditions: Path
) -> Iterator[tuple[str, str]]:
    """Say what a function does where what was said of tests before comes out the other way.

    Args:
        members: What is done.
        words: How that is said.
        conditions: What has to hold besides.
    """
    predicates = [predicate_of(member) for member in members]
    function = members[0].subject
    end = f" {describe_conditions(conditions)}" if conditions else ""
    first, *further_predicates = predicates
    if end:
        yield f"{words} it {first}{end}.", function
    else:
        deeds = list_phrases(predicates)
        yield f"{words} it {deeds}.", function
        return
    if further_predicates:
        circumstances = _same(members[0].conditions)
        further_deeds = list_phrases(further_predicates)
        yield f"{circumstances} it {further_deeds}.", function


def _unguarded(callers: Sequence[str], callee: str) -> str:
    if len(callers) == 1:
        return CallHandling(callers[0], callee, "").sentence()
    return f"{join_code(callers)} call `{callee}` and catch nothing around the call."


def _guarded(members: Sequence[CallHandling]) -> str:
    """Say which calls stand in a ``try`` that catches the same."""
    first = members[0]
    callees = join_code([member.callee for member in members])
    first_callee = f"`{first.callee}`"
    return first.sentence().replace(first_callee, callees, 1)


def _override_nothing(base: str, names: Sequence[str]) -> str:
    return f"{join_code(names)} override none of the methods that `{base}` defines."


def _deeds(first: ConditionalStatement, members: Sequence[Statement]) -> Iterator[tuple[str, str]]:
    """Say what a function does under the same conditions: these once, and then what is more."""
    # Done several times in the same way, it is said once.
    predicates = list(dict.fromkeys(map(predicate_of, members)))
    function = first.subject
    if not first.path:
        for start in range(0, len(predicates), MOST_IN_SENTENCE):
            deeds = list_phrases(predicates[start : start + MOST_IN_SENTENCE])
            yield f"`{function}` {deeds}.", function
        return
    conditions = describe_conditions(first.path)
    yield f"`{function}` {predicates[0]} {conditions}.", function
    for sentence in _under_the_same(first, members[1:]):
        yield sentence, function


def _under_the_same(opened: Statement, members: Sequence[Statement]) -> Iterator[str]:
    """Say what more is done where a statement before holds, without its conditions."""
    predicates = [predicate_of(member) for member in members]
    if not predicates:
        return
    deeds = list_phrases(predicates)
    if opened.conditions:
        circumstances = _same(opened.conditions)
        yield f"{circumstances} it {deeds}."
    else:
        yield f"`{opened.subject}` {deeds}."


def _same(path: Path) -> str:
    """Refer to the conditions of the sentence before; a loop alone is none that anybody sees."""
    if len(path) > 1:
        return SAME_CONDITIONS
    return IN_SAME_LOOP if path[0].kind in {"for", "while"} else SAME_CONDITION
