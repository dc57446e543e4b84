"""Why asked: a message that a user sees. Asked: where in the code it comes from."""

from collections.abc import Iterator
from typing import ClassVar, Final

from goldwright.code_reading.errors import raise_sites
from goldwright.code_reading.log_calls import log_sites
from goldwright.code_reading.modules import Module
from goldwright.offline_agents.answer_limits import FEWEST_FACTS
from goldwright.offline_agents.code_context import CodeContext, path_of
from goldwright.offline_agents.inquiries.effects import near
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan, Inquiry, Lead, Question
from goldwright.offline_agents.inquiries.messages import is_telling, quoted
from goldwright.offline_agents.inquiries.surroundings import (
    answer_parts,
    callers_of,
    find_statements,
    finding_at,
    handling_between,
    intent_of,
    origins,
    other_outcomes,
)
from goldwright.offline_agents.prose import predicate_of
from goldwright.offline_agents.statements.condition_phrases import describe_conditions
from goldwright.offline_agents.statements.defined_in import DefinedIn
from goldwright.offline_agents.statements.logs import Logs
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.statement import Finding
from goldwright.plan import Cell
from goldwright.records import Intent

MOST_CALLERS: Final = 2

_ONE_FUNCTION: Final = (
    'Where does the message "{message}" come from?',
    'Which function prints "{message}"?',
    'Looking for the code that says "{message}".',
    'I want to reword "{message}". Where is it?',
    'In which file is "{message}" produced?',
    'Can somebody point me at the code behind "{message}"?',
    'Need a pointer: what emits "{message}"?',
    'Our logs show "{message}". Which function wrote that?',
    'I\'d like to put a breakpoint where "{message}" appears. Which function is that?',
    'Grepping gets me nowhere: who says "{message}"?',
    'Please point me to the place that complains with "{message}".',
    'A new colleague asked where "{message}" is created. Where?',
    'To translate "{message}", which function would I touch?',
    'Somewhere we say "{message}". Where exactly?',
)
_WITH_CALLERS: Final = (
    'Which functions are between our API and "{message}"?',
    'Show me the code that says "{message}" and everything that calls it.',
    'I have to move the check behind "{message}". Where is it, and who uses it?',
    'List the places that can end in "{message}", with the one that says it.',
    'Where is "{message}" produced, and from which other files does one get there?',
    'Map out the code around "{message}": who says it, who calls that?',
    'What would break if the function that says "{message}" moved to another file?',
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
                    yield Lead(
                        self.kind, entity_id, error.first, error.last, "error", error.message
                    )
            for log in log_sites(module, function):
                if log.path is not None and is_telling(log.message):
                    yield Lead(self.kind, entity_id, log.first, log.last, "log", log.message)

    def questions(self, lead: Lead, code: CodeContext) -> Iterator[Question]:
        """Ask for the function alone, or for the functions that call it as well."""
        slots = {"message": quoted(lead.words)}
        yield Question(
            cell=Cell("locate", "easy"),
            phrasings=_ONE_FUNCTION,
            slots=slots,
            targets=(lead.subject,),
            intent=intent_of(lead, ("the function that says it", "its file", "when it says it")),
            score=0.7,
            rationale="The message stands in one function and in no other.",
        )
        callers = code.closed_callers(lead.subject)
        if callers and len(callers) <= MOST_CALLERS:
            yield Question(
                cell=Cell("locate", "hard"),
                phrasings=_WITH_CALLERS,
                slots=slots,
                targets=(lead.subject, *callers),
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
        if not isinstance(statement, Raises | Logs):
            return None
        callers = callers_of(code, intent.subject, targets)
        sources = tuple(origins(code, intent.subject, statement.path, finding.lines))[:1]
        neighbours = tuple(other_outcomes(code, finding))
        facts = [finding, place]
        if callers is not None:
            facts.append(callers)
        facts.extend(handling_between(code, targets))
        if len(targets) > 1:
            for target in targets[1:]:
                facts.extend(list(find_statements(code, target, (DefinedIn,)))[:1])
        if len(facts) < FEWEST_FACTS:
            beside = _beside(code, finding)
            facts.extend((sources or beside or neighbours)[:1])
        conditions = describe_conditions(statement.path) or "whenever it gets there"
        subject_does = "raises the error" if isinstance(statement, Raises) else "logs the message"
        return AnswerPlan(
            parts=answer_parts(
                intent.subject, targets, subject_does=subject_does, others_do="calls it"
            ),
            opening=(
                f"It comes from `{statement.function}` in `{path_of(intent.subject)}`, "
                f"which {predicate_of(statement)} {conditions}."
            ),
            facts=tuple(facts),
            context=(*sources, *neighbours),
            neighbours=neighbours,
            said_in_opening=2,
        )


def _beside(code: CodeContext, finding: Finding) -> tuple[Finding, ...]:
    """Find what else is done where the message is given, nearest first: it marks the place."""
    conditions = finding.statement.conditions
    others = near(code, finding.entity_id, finding.lines)
    return tuple(
        other
        for other in others
        if other.statement != finding.statement and other.statement.conditions == conditions
    )
