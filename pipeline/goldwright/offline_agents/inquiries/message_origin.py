"""Why asked: a message that a user sees. Asked: where in the code it comes from."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import ClassVar, Final

from goldwright.code_reading.errors import raise_sites
from goldwright.code_reading.log_calls import log_sites
from goldwright.code_reading.modules import Module
from goldwright.offline_agents.code_context import CodeContext, path_of
from goldwright.offline_agents.inquiries import consequences
from goldwright.offline_agents.inquiries.checked_values import checked_values
from goldwright.offline_agents.inquiries.easy_conditions import is_easily_said
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan, Inquiry, Lead, Question
from goldwright.offline_agents.inquiries.message_sites import lead_of_message
from goldwright.offline_agents.inquiries.message_words import is_said_once, is_telling, quoted
from goldwright.offline_agents.inquiries.mistaken_functions import said_elsewhere
from goldwright.offline_agents.inquiries.near_misses import near_misses, under_others
from goldwright.offline_agents.inquiries.surroundings import (
    answer_parts,
    callers_of,
    find_statements,
    finding_at,
    intent_of,
    other_outcomes,
    place_of,
)
from goldwright.offline_agents.statements.condition_phrases import describe_conditions
from goldwright.offline_agents.statements.deed import predicate_of
from goldwright.offline_agents.statements.defined_in import DefinedIn
from goldwright.offline_agents.statements.logs import Logs
from goldwright.offline_agents.statements.only_holder import OnlyHolder
from goldwright.offline_agents.statements.quotes import cut_message
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.statement import Finding
from goldwright.plan import Cell
from goldwright.records import Intent

MOST_CALLERS: Final = 2

_ONE_FUNCTION: Final = (
    'Where does "{message}" come from? Is there any other place that says it?',
    'Users report "{message}". Where is that, and can it come from anywhere else?',
    'Which function says "{message}"? Is it the only one?',
    'I want to reword "{message}". Where is it, and is it in one place only?',
    'Can somebody point me to where "{message}" comes from? Is it the only place?',
    'Got "{message}" in a bug report. Where does that come from? Anywhere else?',
    'What code says "{message}"? Could it come from more than one place?',
    'Before I change the text "{message}": where is it, and is it repeated anywhere?',
    'Is "{message}" in one place only? I want to set a breakpoint there.',
    'Looking for the code that says "{message}". Is there just one place?',
    'Where do we say "{message}"? Do we say it anywhere else?',
    '"{message}" - where does this come from? Is it the only place?',
)
_WITH_CALLERS: Final = (
    'Where does "{message}" come from, and who calls that code?',
    'Which function says "{message}", and where is it called?',
    'I want to reword "{message}". Where is it, and who calls that function?',
    'What function says "{message}", and which functions call it?',
    'Find where "{message}" comes from, and every function that calls that code.',
    'Got "{message}" in a bug report. Where is that, and which functions call it?',
    'Where do we say "{message}", and what calls that function?',
)


class MessageOrigin(Inquiry):
    """Where does this message come from?"""

    kind: ClassVar[str] = "message_origin"
    cells: ClassVar[tuple[Cell, ...]] = (Cell("locate", "easy"), Cell("locate", "hard"))

    def leads(self, module: Module) -> Iterator[Lead]:
        """Yield the messages that are raised or logged."""
        for name in module.definitions:
            function = module.function(name)
            if function is None:
                continue
            entity_id = f"{module.path}::{name}"
            for error in raise_sites(module, function):
                if error.path is not None and is_telling(error.message):
                    yield lead_of_message(self.kind, entity_id, error, "error")
            for log in log_sites(module, function):
                if log.path is not None and is_telling(log.message):
                    yield lead_of_message(self.kind, entity_id, log, "log")

    def questions(self, lead: Lead, code: CodeContext) -> Iterator[Question]:
        """Ask for the function alone, or for the functions that call it as well."""
        message = cut_message(lead.words)
        if code.places_of_message(message) != frozenset({lead.subject}):
            return
        if not is_said_once(code, lead.words, lead.subject):
            return
        slots = {"message": quoted(lead.words)}
        settles = ("the function that says it", "its file", "the only place")
        yield Question(
            cell=Cell("locate", "easy"),
            phrasings=_ONE_FUNCTION,
            slots=slots,
            targets=(lead.subject,),
            intent=intent_of(lead, settles),
            score=0.7,
            rationale="The message stands in one function and in no other.",
        )
        callers = code.closed_callers(lead.subject)
        if callers and len(callers) <= MOST_CALLERS:
            subject_and_callers = (lead.subject, *callers)
            yield Question(
                cell=Cell("locate", "hard"),
                phrasings=_WITH_CALLERS,
                slots=slots,
                targets=subject_and_callers,
                intent=intent_of(lead, ("the function that says it", "all that call it")),
                score=0.8,
                rationale="The callers stand in other files and say nothing of the message.",
            )

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """State where the message is, when it is given, and who gets there."""
        finding = finding_at(code, intent, (Raises, Logs))
        place = next(find_statements(code, intent.subject, (DefinedIn,)), None)
        if finding is None or place is None:
            return None
        statement = finding.statement
        if not isinstance(statement, Raises | Logs) or not is_easily_said(statement.path):
            return None
        neighbours = tuple(other_outcomes(code, finding))
        facts = [finding, place]
        if len(targets) > 1:
            callers = callers_of(code, intent.subject, targets)
            if callers is None:
                return None
            facts.append(callers)
            for target in targets[1:]:
                facts.extend(place_of(code, target))
        else:
            only_holder = OnlyHolder(statement.function, statement.message)
            facts.append(replace(finding, statement=only_holder))
        conditions = describe_conditions(statement.path)
        subject_does = "raises the error" if isinstance(statement, Raises) else "logs the message"
        parts = answer_parts(
            intent.subject, targets, subject_does=subject_does, others_do="calls it"
        )
        origin = f"`{statement.function}` in `{path_of(intent.subject)}`"
        words = f"It comes from {origin}, which {predicate_of(statement)} {conditions}".rstrip()
        context = (*checked_values(code, finding), *neighbours)
        mistakes = _mistakes(code, finding, neighbours)
        is_alone = len(targets) == 1
        spare = consequences.ONLY_PLACE_OF_TEXT if is_alone else ""
        return AnswerPlan(
            parts=parts,
            opening=f"{words}.",
            facts=tuple(facts),
            context=context,
            neighbours=neighbours,
            falsehoods=tuple(mistakes),
            said_in_opening=2,
            spare=spare,
            affirms=is_alone,
        )


def _mistakes(
    code: CodeContext, finding: Finding, neighbours: Sequence[Finding]
) -> Iterator[Finding]:
    yield from said_elsewhere(code, finding)
    logs = find_statements(code, finding.entity_id, (Logs,))
    under_other_conditions = under_others(code, finding, (*neighbours, *logs))
    yield from islice(under_other_conditions, 1)
    yield from islice(near_misses(code, finding), 1)
