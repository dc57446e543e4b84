"""Why asked: an error that is caught and does not come out as it is. Asked: what becomes of it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import ClassVar, Final

from goldwright.code_reading.contracts import abstract_reason
from goldwright.code_reading.error_routes import (
    raises_when_called,
)
from goldwright.code_reading.errors import raise_sites
from goldwright.code_reading.modules import Module
from goldwright.offline_agents.answer_limits import MOST_FACTS
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.checked_values import checked_values
from goldwright.offline_agents.inquiries.hidden_names import gives_away
from goldwright.offline_agents.inquiries.inquiry import (
    AnswerPart,
    AnswerPlan,
    Inquiry,
    Lead,
    Question,
)
from goldwright.offline_agents.inquiries.message_sites import lead_of_message
from goldwright.offline_agents.inquiries.message_words import is_said_once, is_telling, quoted
from goldwright.offline_agents.inquiries.mistaken_functions import said_elsewhere
from goldwright.offline_agents.inquiries.near_misses import near_misses
from goldwright.offline_agents.inquiries.routes import (
    caught_from,
    done_in_clause,
    outcomes_inside,
    raises_untold,
)
from goldwright.offline_agents.inquiries.routes_to_catchers import (
    RouteToCatchers,
    is_caught_by_all,
    route_to_catchers,
)
from goldwright.offline_agents.inquiries.surroundings import (
    answer_part,
    callers_of,
    each_once,
    find_statements,
    finding_at,
    inside_sentence,
    intent_of,
    other_outcomes,
    with_its_file,
)
from goldwright.offline_agents.prose.prose_writing import write_prose
from goldwright.offline_agents.statements.condition_phrases import describe_conditions
from goldwright.offline_agents.statements.handles import Handles
from goldwright.offline_agents.statements.only_callers import OnlyCallers
from goldwright.offline_agents.statements.only_catchers import OnlyCatchers
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.statement import Finding
from goldwright.plan import Cell
from goldwright.records import FileRange, Intent

# What a handler does beyond that is more than what becomes of the error.
MOST_OUTCOMES: Final = 3

# What is only so where every caller catches the error, or asks for all of them.
_SPEAKS_OF_ALL: Final = re.compile(r"\bnever\b|\b(?:do|how) the callers\b")
# What one function that catches it answers, whatever the error does elsewhere.
_ASKS_WHO_CATCHES: Final = re.compile(r"\b(?:catch|catches|caught|handles|handler|handling)\b")
_DEBUG: Final = (
    'I know "{message}" is raised, but I see something else. Who catches it?',
    'We expect "{message}" here and never get it. Does something catch it on the way?',
    'My breakpoint stops where "{message}" is raised, but no such error comes out. Who catches it?',
    'Why does "{message}" never show up in a traceback although it is raised?',
    'Where is "{message}" caught, and what do I get instead?',
    'Something swallows "{message}" before I see it. What catches it, and what do I get instead?',
    'A test expects "{message}", but it never comes out. Which code catches it?',
    'When "{message}" is raised, who catches it, and what happens then?',
    'Which code catches "{message}", and what does it do with it?',
    'Who handles "{message}" after it is raised, and what comes out instead?',
)
_EXPLAIN: Final = (
    'What happens to "{message}" on its way up the call stack?',
    'Does "{message}" reach the caller as it is, or is it turned into something else?',
    'Where is "{message}" caught after it is raised, and what is done then?',
    'Walk me through what happens after "{message}" is raised.',
    'Explain how the callers handle "{message}".',
    'After "{message}" is raised, what do the callers do with it?',
    'When the code raises "{message}", where does the error end up?',
    'How is "{message}" handled once it is raised?',
    'Who catches "{message}", and what does the handler do?',
    'Is "{message}" handled before it reaches the user? Explain how.',
)
_DEBUG_ABOVE: Final = (
    'I never see "{message}". Who catches it, and who calls that code?',
    'Something swallows "{message}". What catches it, and from where is that called?',
    'Where is "{message}" caught, and which functions call the one that catches it?',
    'A test waits for "{message}" in vain. Which code catches it, and who calls that code?',
    'Which handler catches "{message}", and who calls the function it is in?',
    'Who catches "{message}", what happens instead, and who calls that code?',
    'Why does "{message}" never come out? Who catches it, and from where is that called?',
    'When "{message}" is raised, what catches it, and which callers get the result?',
)
_EXPLAIN_ABOVE: Final = (
    'What happens to "{message}" on its way up, and who calls the code that catches it?',
    'Where is "{message}" caught, what is done then, and who calls that function?',
    'How is "{message}" handled after it is raised, and which functions call that code?',
    'Who catches "{message}", and which functions call that code?',
    'After "{message}" is raised, which function catches it, and who calls that function?',
)
_PHRASINGS: Final = {
    ("debug", "medium"): _DEBUG,
    ("debug", "hard"): _DEBUG_ABOVE,
    ("explain", "medium"): _EXPLAIN,
    ("explain", "hard"): _EXPLAIN_ABOVE,
}


def _is_of_one_handler(phrasing: str) -> bool:
    asks_who = _ASKS_WHO_CATCHES.search(phrasing) is not None
    return asks_who and _SPEAKS_OF_ALL.search(phrasing) is None


def _parts(subject: str, route: RouteToCatchers, targets: Sequence[str]) -> tuple[AnswerPart, ...]:
    """List who catches the error, which is what is asked, and then what leads there."""
    catching = dict.fromkeys(step.caller for step in route.ends)
    start_and_ends = {subject, *catching}
    others = [target for target in targets if target not in start_and_ends]
    ends = [answer_part(caller, "primary", "catches the error") for caller in catching]
    way = [answer_part(target, "supporting", "is on its way, or leads there") for target in others]
    return (*ends, *way, answer_part(subject, "supporting", "raises the error"))


class ErrorTranslation(Inquiry):
    """What becomes of an error on its way up?"""

    kind: ClassVar[str] = "error_translation"
    cells: ClassVar[tuple[Cell, ...]] = (
        Cell("debug", "medium"),
        Cell("debug", "hard"),
        Cell("explain", "medium"),
        Cell("explain", "hard"),
    )

    def leads(self, module: Module) -> Iterator[Lead]:
        """Yield the errors with a telling message and conditions that can be said."""
        for name in module.definitions:
            function = module.function(name)
            if function is None or abstract_reason(function) or not raises_when_called(function):
                continue
            for site in raise_sites(module, function):
                if site.path and is_telling(site.message):
                    entity_id = f"{module.path}::{name}"
                    yield lead_of_message(self.kind, entity_id, site, site.exception)

    def questions(self, lead: Lead, code: CodeContext) -> Iterator[Question]:
        """Ask what becomes of it, where a caller surely catches it."""
        route = route_to_catchers(code, lead.subject, lead.first, lead.detail)
        if route is None:
            return
        targets = (lead.subject, *route.functions)
        callers_above = _callers_above(code, route)
        with_callers = each_once(targets, callers_above)
        message = quoted(lead.words)
        if gives_away(message, with_callers) or not is_said_once(code, lead.words, lead.subject):
            return
        settles = ("where it starts and when", "which clause takes it", "what comes out instead")
        is_for_all = is_caught_by_all(code, route)
        for cell in self.cells:
            is_hard = cell.difficulty == "hard"
            is_above = is_hard and len(with_callers) > len(targets)
            phrasings = _PHRASINGS[cell.task_type, "hard" if is_above else "medium"]
            if not is_for_all:
                phrasings = tuple(filter(_is_of_one_handler, phrasings))
            yield Question(
                cell=cell,
                phrasings=phrasings,
                slots={"message": message},
                targets=with_callers if is_hard else targets,
                intent=intent_of(lead, settles),
                score=0.9,
                rationale="The clause stands in another function than the error.",
            )

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """State the error, the way that it takes, and what comes out instead."""
        raised = finding_at(code, intent, (Raises,))
        line = intent.lines.start
        route = route_to_catchers(code, intent.subject, line, intent.detail)
        if raised is None or route is None or not isinstance(raised.statement, Raises):
            return None
        catching = [caught_from(step, raised) for step in route.ends]
        closed_set = _only_catchers(code, route, intent.detail, targets)
        passages = [caught_from(step, raised) for step in route.passing]
        facts = [raised, *catching, closed_set, *passages]
        outcomes: dict[str, Finding] = {}
        further: list[Finding] = []
        for step in route.ends:
            results = list(islice(outcomes_inside(code, step), MOST_OUTCOMES))
            if not results or raises_untold(code, step, results):
                return None
            outcomes[step.caller] = results[0]
            facts.append(results[0])
            further.extend(results[1:])
        for step in route.ends:
            callers = callers_of(code, step.caller, targets)
            if callers is not None and set(targets) - {intent.subject, *route.functions}:
                facts.append(callers)
        # Who asks what comes out instead is not told by half of what the handler does.
        room = max(0, MOST_FACTS - len(facts))
        facts.extend(further[:room])
        neighbours = tuple(_neighbours(code, raised, route))
        is_for_all = is_caught_by_all(code, route)
        by_all = _caught_by_all(closed_set, catching)
        caught = by_all or _caught_by_some(code, raised, route, outcomes)
        # That nobody else catches it is said where others let it through.
        is_closed_said = by_all != "" or not is_for_all
        parts = _parts(intent.subject, route, targets)
        opening = f"{caught} {_where_it_starts(raised)}"
        context = (*checked_values(code, raised), *neighbours)
        falsehoods = (*said_elsewhere(code, raised), *islice(near_misses(code, raised), 1))
        return AnswerPlan(
            parts=parts,
            opening=opening,
            facts=tuple(facts),
            context=context,
            neighbours=neighbours,
            falsehoods=falsehoods,
            said_in_opening=1 + len(catching) + is_closed_said,
        )


def _only_catchers(
    code: CodeContext, route: RouteToCatchers, error: str, targets: Sequence[str]
) -> Finding:
    """State who catches the error, or where that is everybody who calls there just who that is."""
    callee = route.ends[0].callee
    callers = callers_of(code, callee, targets) if code.closed_callers(callee) else None
    if callers is not None and is_caught_by_all(code, route):
        return callers
    entity = code.snapshot.entity(callee)
    assert entity is not None  # noqa: S101  # the route led through it
    span = entity.spans[0]
    catchers = tuple(name_of(step.caller) for step in route.ends)
    lines = FileRange(file=entity.path, start=span.first, end=span.last)
    only_catchers = OnlyCatchers(name_of(callee), error, catchers)
    return Finding(only_catchers, callee, lines)


def _callers_above(code: CodeContext, route: RouteToCatchers) -> Iterator[str]:
    for step in route.ends:
        yield from code.closed_callers(step.caller) or ()


def _neighbours(code: CodeContext, raised: Finding, route: RouteToCatchers) -> Iterator[Finding]:
    yield from other_outcomes(code, raised)
    for step in route.ends:
        for finding in find_statements(code, step.caller, (Handles, Raises)):
            if not step.clause_first <= finding.lines.start <= step.clause_last:
                yield finding


def _caught_by_all(callers: Finding, catching: Sequence[Finding]) -> str:
    """Say who calls there and that all of them catch it; empty where that takes more sentences."""
    if not isinstance(callers.statement, OnlyCallers):
        return ""
    findings = (callers, *catching)
    sentences = list(write_prose([finding.statement for finding in findings]))
    if len(sentences) > 1:
        return ""
    return f"It is caught on its way up: {inside_sentence(sentences[0])}"


def _caught_by_some(
    code: CodeContext, raised: Finding, route: RouteToCatchers, outcomes: Mapping[str, Finding]
) -> str:
    """Say who catches it and what comes out there."""
    assert isinstance(raised.statement, Raises)  # noqa: S101  # that is what the way starts with
    is_for_all = is_caught_by_all(code, route)
    start = "It is caught on its way up: " if is_for_all else ""
    changes: list[str] = []
    for step in route.ends:
        catch = f"catches the `{raised.statement.error}` out of `{name_of(step.callee)}`"
        deed = done_in_clause(outcomes[step.caller])
        catcher = with_its_file(step.caller)
        changes.append(f"{catcher} {catch} with `except {step.clause}` and {deed}")
    callee = name_of(route.ends[0].callee)
    if code.closed_callers(route.ends[0].callee) is None:
        # Whether it is called anywhere else at all, nobody knows for sure.
        exceptions = f"; no other product code that calls `{callee}` catches it"
    else:
        exceptions = f"; where else `{callee}` is called, nothing around the call catches it"
    all_changes = "; ".join(changes)
    ending = "" if is_for_all else exceptions
    return f"{start}{all_changes}{ending}."


def _where_it_starts(raised: Finding) -> str:
    statement = raised.statement
    assert isinstance(statement, Raises)  # noqa: S101  # that is what the way starts with
    place = f"`{statement.function}` in `{path_of(raised.entity_id)}`"
    conditions = describe_conditions(statement.path)
    return (
        f"The error starts in {place}, which raises `{statement.error}` (“{statement.message}”) "
        f"{conditions}."
    )
