"""Why asked: a message that stands in for another error. Asked: which one hides behind it."""

import ast
from collections.abc import Iterator
from itertools import islice
from typing import ClassVar, Final

from goldwright.code_reading.child_nodes import own_nodes
from goldwright.code_reading.error_classes import error_class
from goldwright.code_reading.error_routes import ErrorStep, error_step, escapes
from goldwright.code_reading.errors import HandlerSite, handler_sites, raise_sites
from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.code_context import CodeContext, path_of
from goldwright.offline_agents.inquiries import consequences
from goldwright.offline_agents.inquiries.checked_values import causes_of
from goldwright.offline_agents.inquiries.hidden_names import gives_away
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan, Inquiry, Lead, Question
from goldwright.offline_agents.inquiries.message_sites import (
    how_it_is_said,
    lead_of_message,
    message_sites,
)
from goldwright.offline_agents.inquiries.message_words import is_said_once, is_telling, quoted
from goldwright.offline_agents.inquiries.near_misses import near_misses
from goldwright.offline_agents.inquiries.routes import caught_from, never_meets
from goldwright.offline_agents.inquiries.surroundings import (
    answer_parts,
    callers_of,
    each_once,
    find_statements,
    finding_at,
    intent_of,
    other_outcomes,
)
from goldwright.offline_agents.statements.caught_from import CaughtFrom
from goldwright.offline_agents.statements.condition_phrases import describe_conditions
from goldwright.offline_agents.statements.logs import Logs
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.statement import Finding
from goldwright.path_conditions import BROAD_ERRORS, Path
from goldwright.plan import Cell
from goldwright.records import FileRange, Intent

# Around more calls than this a clause says little about where its error comes from.
MOST_GUARDED: Final = 4
MOST_RAISES: Final = 3
# What an index, an attribute or an operator raises, too: nobody knows that it is not one of these.
_RAISED_BY_SYNTAX: Final = frozenset("KeyError IndexError AttributeError TypeError".split())

_DEBUG: Final = (
    '"{message}" replaces another error. Which error of ours is it, and when is it raised?',
    'Which of our own errors can lead to "{message}", and what raises it?',
    'What is the original error behind "{message}", and where do we raise it?',
    'I suspect "{message}" covers up another error. Where do we raise that one?',
    'Where is the error raised that we catch before "{message}"?',
    'Why do I get "{message}"? Which error is caught before that?',
    'We wrap an error of our own in "{message}". Which one, and when is it raised?',
    'When I see "{message}", which error was raised before it?',
    'Behind "{message}" there must be another error. Which check raises it?',
)
_EXPLAIN: Final = (
    'How do we end up with "{message}"? Start with the error that is raised first.',
    'Explain the chain of errors that ends in "{message}".',
    'Which error is turned into "{message}", and when is it raised?',
    'Walk me through the error behind "{message}" and how it is handled.',
    'What happens between the first failing check and "{message}"?',
    'Why do we get to "{message}"? Explain which error is caught before it.',
    'Where does the error come from that ends in "{message}"?',
    'When does an error of our own end in "{message}"?',
    'From which error does "{message}" result, and how?',
)
_DEBUG_ABOVE: Final = (
    '"{message}" replaces another error. Which one, and how do we get there?',
    'Which error is behind "{message}", and which functions call the code that catches it?',
    'I get "{message}". Which error was caught before, and who calls that code?',
    'What went wrong before "{message}", and from where is that code called?',
    'Why do I see "{message}"? Which error came first, and which calls lead there?',
    'When I see "{message}", which error came first, and from where was that code called?',
)
_EXPLAIN_ABOVE: Final = (
    'Explain the chain of errors that ends in "{message}", and who calls that code.',
    'Walk me through the way from the callers to "{message}" and the error behind it.',
    'Which error is turned into "{message}", and who calls the code that does it?',
    'How do we end up with "{message}"? Include the original error and the callers.',
    'What error leads to "{message}", and from where is the code called that catches it?',
    'From which error does "{message}" result, and which calls lead there?',
)
_BY_TASK_TYPE: Final = {"debug": _DEBUG, "explain": _EXPLAIN}
_ABOVE_BY_TASK_TYPE: Final = {"debug": _DEBUG_ABOVE, "explain": _EXPLAIN_ABOVE}


class HiddenError(Inquiry):
    """Which error hides behind a message?"""

    kind: ClassVar[str] = "hidden_error"
    cells: ClassVar[tuple[Cell, ...]] = (
        Cell("debug", "medium"),
        Cell("debug", "hard"),
        Cell("explain", "medium"),
        Cell("explain", "hard"),
    )

    def leads(self, module: Module) -> Iterator[Lead]:
        """Yield the telling messages that are raised or logged because another error was caught."""
        for name in module.definitions:
            function = module.function(name)
            if function is None:
                continue
            clauses = handler_sites(module, function)
            for site in message_sites(module, function):
                clause = _clause_around(clauses, site.first)
                if clause is None or site.path is None or not is_telling(site.message):
                    continue
                if len(clause.guarded_calls) <= MOST_GUARDED:
                    entity_id = f"{module.path}::{name}"
                    yield lead_of_message(self.kind, entity_id, site, "")

    def questions(self, lead: Lead, code: CodeContext) -> Iterator[Question]:
        """Ask for the first error, where a function of the codebase surely raises it."""
        sources = _sources(code, lead.subject, lead.first)
        if sources is None:
            return
        targets = (lead.subject, *sources)
        above = code.closed_callers(lead.subject) or ()
        message = quoted(lead.words)
        if gives_away(message, (*targets, *above)):
            return
        if not is_said_once(code, lead.words, lead.subject):
            return
        settles = ("which error is caught", "what raises it", "when it is raised")
        for cell in self.cells:
            is_hard = cell.difficulty == "hard"
            phrasings_by_type = _ABOVE_BY_TASK_TYPE if is_hard and above else _BY_TASK_TYPE
            question_targets = each_once(targets, above) if is_hard else targets
            yield Question(
                cell=cell,
                phrasings=phrasings_by_type[cell.task_type],
                slots={"message": message},
                targets=question_targets,
                intent=intent_of(lead, settles),
                score=0.9,
                rationale="The message stands in one function and its cause in another.",
            )

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """State what is caught, what raises it, and what is made of it."""
        surface = finding_at(code, intent, (Raises, Logs))
        sources = _sources(code, intent.subject, intent.lines.start)
        if surface is None or sources is None:
            return None
        raises: list[Finding] = []
        caught: list[Finding] = []
        causes: list[Finding] = []
        for pairs in sources.values():
            for finding, step in pairs[:MOST_RAISES]:
                raises.append(finding)
                caught.append(caught_from(step, finding))
                # Without them, nobody knows when the first error comes.
                causes.extend(islice(causes_of(code, finding), 1))
        first_raised, *other_raised = raises
        first_caught, *other_caught = caught
        facts = [first_raised, first_caught, surface, *other_raised, *other_caught, *causes]
        callers = callers_of(code, intent.subject, targets)
        if callers is not None and len(targets) > 1 + len(sources):
            facts.append(callers)
        neighbours = tuple(other_outcomes(code, surface))
        parts = answer_parts(
            intent.subject,
            targets,
            subject_does="catches the first error and says something else",
            others_do="takes part in it",
        )
        opening = _opening(surface, raises, first_caught)
        mistakes = islice(near_misses(code, first_raised), 1)
        return AnswerPlan(
            granted=(CaughtFrom,),
            parts=parts,
            opening=opening,
            facts=tuple(facts),
            context=neighbours,
            neighbours=neighbours,
            falsehoods=tuple(mistakes),
            said_in_opening=3,
            closing=consequences.ERROR_UNDERNEATH,
        )


_Sources = dict[str, list[tuple[Finding, ErrorStep]]]


def _sources(code: CodeContext, subject: str, line: int) -> _Sources | None:
    """Find every guarded function of the codebase that raises what the clause takes.

    Returns:
        By function, its errors with the step to the clause; None where one of them is unsure, or
        where there is none.
    """
    opened = code.function(subject)
    if opened is None:
        return None
    clause = _clause_around(handler_sites(*opened), line)
    if clause is None or _takes_others(opened[1], clause):
        return None
    guarded: dict[str, None] = {}
    for site in code.snapshot.graph.callees(subject):
        entity = code.snapshot.entity(site.entity_id)
        is_function = entity is not None and entity.kind in {"function", "method"}
        if is_function and clause.try_first <= site.line < clause.first:
            guarded[site.entity_id] = None
    sources: _Sources = {}
    for callee in guarded:
        pairs = _errors_taken(code, subject, callee, clause)
        if pairs is None or _lets_others_through(code, subject, callee, clause):
            return None
        if pairs:
            sources[callee] = pairs
    return sources or None


def _takes_others(function: Function, clause: HandlerSite) -> bool:
    """Find out whether more errors get to a clause than functions of the codebase raise.

    A broad one takes whatever fails, and a ``try`` may hold a ``raise`` itself.
    """
    if not BROAD_ERRORS.isdisjoint(clause.caught):
        return True
    for node in own_nodes(function.body):
        if isinstance(node, ast.Raise) and clause.try_first <= node.lineno < clause.first:
            return True
    return False


def _errors_taken(
    code: CodeContext, subject: str, callee: str, clause: HandlerSite
) -> list[tuple[Finding, ErrorStep]] | None:
    opened = code.function(callee)
    # Of a function with overloads, nobody knows what it raises.
    if opened is None:
        return None
    pairs: list[tuple[Finding, ErrorStep]] = []
    raised_inside = find_statements(code, callee, (Raises,))
    statements = {raised.lines: raised for raised in raised_inside}
    for site in raise_sites(*opened):
        error = error_class(code.snapshot, opened[0], site.exception)
        if error is None or not escapes(code.snapshot, callee, site.first, error):
            continue
        if site.exception in _RAISED_BY_SYNTAX:
            return None
        step = error_step(code.snapshot, subject, callee, error)
        if step is None or step.clause_first != clause.first:
            continue
        lines = FileRange(file=opened[0].path, start=site.first, end=site.last)
        if lines not in statements:
            # An error whose condition cannot be said would be missing from the answer.
            return None
        if never_meets(code, step, statements[lines]):
            continue
        pairs.append((statements[lines], step))
    return pairs if len(pairs) <= MOST_RAISES else None


def _lets_others_through(code: CodeContext, subject: str, callee: str, clause: HandlerSite) -> bool:
    """Find out whether an error out of what a guarded function calls gets to the clause, too."""
    snapshot = code.snapshot
    sites = snapshot.graph.callees(callee)
    called_ids = {site.entity_id for site in sites} - {callee}
    for called_id in sorted(called_ids):
        opened = code.function(called_id)
        if opened is None:
            continue
        for site in raise_sites(*opened):
            error = error_class(snapshot, opened[0], site.exception)
            if error is None or not escapes(snapshot, called_id, site.first, error):
                continue
            passing = error_step(snapshot, callee, called_id, error)
            taking = error_step(snapshot, subject, callee, error)
            is_passed = passing is not None and not passing.clause
            if is_passed and taking is not None and taking.clause_first == clause.first:
                return True
    return False


def _clause_around(clauses: tuple[HandlerSite, ...], line: int) -> HandlerSite | None:
    around = [clause for clause in clauses if clause.first <= line <= clause.last]
    return around[-1] if around else None


def _opening(surface: Finding, raises: list[Finding], caught: Finding) -> str:
    """Name the first error in the first sentence, and the one that is seen in the second."""
    first = raises[0].statement
    assert isinstance(first, Raises)  # noqa: S101  # that is what the sources hold
    conditions = _when(first.path)
    message = f" with the message “{first.message}”" if first.message else ""
    path = path_of(raises[0].entity_id)
    place = f"`{first.function}` in `{path}`"
    which = "The error underneath" if len(raises) == 1 else "One error underneath"
    sentence = f"{which} comes from {place}, which raises `{first.error}`{message}{conditions}."
    statement = surface.statement
    assert isinstance(statement, Raises | Logs)  # noqa: S101  # no other kind is looked for
    symptom = how_it_is_said(statement)
    function, clause = statement.function, caught.statement
    assert isinstance(clause, CaughtFrom)  # noqa: S101  # that is what was made of the step
    catches = f"`{function}` in `{path_of(surface.entity_id)}` catches that"
    conditions = _conditions_of_clause(statement)
    return f"{sentence} {catches} with `except {clause.clause}` and {symptom}{conditions}."


def _conditions_of_clause(statement: Raises | Logs) -> str:
    """Say when a clause says its message, but for the error that it is there for."""
    path = tuple(step for step in statement.path if step.kind != "except")
    return _when(path)


def _when(path: Path) -> str:
    return f" {describe_conditions(path)}" if path else ""
