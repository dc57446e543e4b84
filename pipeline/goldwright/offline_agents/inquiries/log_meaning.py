"""Why asked: a message in the log. Asked: whether it is any trouble, and what happens next."""

from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from goldwright.code_reading.log_calls import log_sites
from goldwright.code_reading.modules import Module
from goldwright.offline_agents.code_context import CodeContext, path_of
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan, Inquiry, Lead, Question
from goldwright.offline_agents.inquiries.messages import is_telling, quoted
from goldwright.offline_agents.inquiries.surroundings import (
    answer_parts,
    callers_of,
    callers_of_all,
    find_statements,
    finding_at,
    handling_between,
    intent_of,
    origins,
)
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.condition_phrases import describe_conditions
from goldwright.offline_agents.statements.logs import Logs
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.statement import Finding
from goldwright.plan import Cell
from goldwright.records import Intent

MOST_CALLERS: Final = 2

_PHRASINGS: Final = (
    'We keep seeing "{message}" in the log. Is that any trouble, and what does the code do then?',
    'Is "{message}" harmless? Tell me what is behind it.',
    'Our monitoring flags "{message}". What is going on there, and should we care?',
    '"{message}" fills the log of one of our servers. What is it about?',
    'What is the story behind "{message}", and what follows from it?',
    'Someone asked what "{message}" in the log means for us. What do I say?',
    'Tell me everything that matters about "{message}".',
    'New here: what part of the system writes "{message}", and why?',
)
_WITH_CALLERS: Final = (
    'The log has a line with "{message}" in it. Where does that lead, and who runs into it?',
    'I only remember "{message}" from the log. What was behind that, and which code gets there?',
    'Something about "{message}" scrolled by in the log. Who ends up there, and is it bad?',
    'What happens around the log entry with "{message}", from the callers down?',
    'Which way through the code ends in a log line like "{message}", and what comes of it?',
    'An alert matched "{message}". Which of our code gets there, and how does it go on?',
)


class LogMeaning(Inquiry):
    """Is a message in the log any trouble?"""

    kind: ClassVar[str] = "log_meaning"
    cells: ClassVar[tuple[Cell, ...]] = (
        Cell("general", "easy"),
        Cell("general", "medium"),
        Cell("general", "hard"),
    )

    def leads(self, module: Module) -> Iterator[Lead]:
        """Yield the messages that are logged under conditions."""
        for name in module.definitions:
            function = module.function(name)
            if function is None:
                continue
            for site in log_sites(module, function):
                if site.path and is_telling(site.message):
                    entity_id = f"{module.path}::{name}"
                    yield Lead(
                        self.kind, entity_id, site.first, site.last, site.level, site.message
                    )

    def questions(self, lead: Lead, code: CodeContext) -> Iterator[Question]:
        """Ask about the message alone, or about those who get there as well."""
        callers = code.closed_callers(lead.subject) or ()
        further = tuple(callers_of_all(code, callers[:MOST_CALLERS], MOST_CALLERS))
        sets = (
            (lead.subject,),
            (lead.subject, *callers),
            tuple(dict.fromkeys((lead.subject, *callers, *further))),
        )
        for cell, targets in zip(self.cells, sets, strict=True):
            yield Question(
                cell=cell,
                phrasings=_PHRASINGS if cell.difficulty == "easy" else _WITH_CALLERS,
                slots={"message": quoted(lead.words)},
                targets=targets,
                intent=intent_of(
                    lead, ("when it is logged", "what happens next", "who gets there")
                ),
                score=0.7,
                rationale="Nothing in the question says which kind of answer it wants.",
                expectation="debug",
            )

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """State when it is logged, what comes of it, and who gets there."""
        logged = finding_at(code, intent, (Logs,))
        if logged is None or not isinstance(logged.statement, Logs):
            return None
        statement = logged.statement
        outcomes = [
            found
            for found in find_statements(code, intent.subject, (Raises, Returned))
            if isinstance(found.statement, Raises | Returned)
            and found.statement.path[: len(statement.path)] == statement.path
            and found.lines.start > logged.lines.start
        ]
        callers = callers_of(code, intent.subject, targets)
        sources = tuple(origins(code, intent.subject, statement.path, logged.lines))
        facts = [logged, *outcomes[:2], *sources[:2]]
        if callers is not None:
            facts.append(callers)
        facts.extend(handling_between(code, targets))
        verdict = _verdict(statement, outcomes)
        opening = (
            f"`{statement.function}` in `{path_of(intent.subject)}` logs “{statement.message}” as "
            f"`{statement.level}` {describe_conditions(statement.path)}, {verdict}."
        )
        context = tuple(find_statements(code, intent.subject, (Returned, Raises, Assigned)))
        return AnswerPlan(
            parts=answer_parts(
                intent.subject, targets, subject_does="logs the message", others_do="gets there"
            ),
            opening=opening,
            facts=tuple(facts),
            context=context,
            neighbours=context,
            said_in_opening=1,
        )


def _verdict(logged: Logs, outcomes: Sequence[Finding]) -> str:
    """Say what surely follows: what is reached under the very same conditions."""
    for found in outcomes:
        statement = found.statement
        if isinstance(statement, Raises) and statement.path == logged.path:
            return f"and then raises `{statement.error}`"
        if isinstance(statement, Returned) and statement.path == logged.path:
            return f"and then returns `{statement.value}`: it is no error there"
    return "and goes on"
