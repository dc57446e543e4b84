"""Why asked: an error with a telling message. Asked: what has to be true for it to come up."""

from collections.abc import Iterator
from typing import ClassVar, Final

from goldwright.code_reading.errors import raise_sites
from goldwright.code_reading.modules import Module
from goldwright.offline_agents.answer_limits import FEWEST_FACTS
from goldwright.offline_agents.code_context import CodeContext, path_of
from goldwright.offline_agents.inquiries.inquiry import (
    AnswerPlan,
    Inquiry,
    Lead,
    Question,
)
from goldwright.offline_agents.inquiries.messages import is_telling, quoted
from goldwright.offline_agents.inquiries.surroundings import (
    answer_parts,
    callers_of,
    callers_of_all,
    finding_at,
    handling_between,
    intent_of,
    origins,
    other_outcomes,
    place_of,
)
from goldwright.offline_agents.statements.condition_phrases import describe_conditions
from goldwright.offline_agents.statements.raises import Raises
from goldwright.plan import Cell
from goldwright.records import Intent

# More of them would be the whole function.
MOST_ORIGINS: Final = 2
MOST_CALLERS: Final = 3

_ONE_FUNCTION: Final = (
    "I'm seeing \"{message}\". What's causing it?",
    '"{message}" - which check raises this, and when?',
    'We get "{message}" in production. What triggers it?',
    'What does "{message}" mean, and what did I pass wrong?',
    'My script dies with "{message}". Under which condition does that happen?',
    'Why do I get "{message}"?',
    'A user hit "{message}" today. What has to go wrong for that?',
    'Since the last deploy our log is full of "{message}". What is the trigger?',
    'How can it come to "{message}"?',
    'Our build stops with "{message}". What is it unhappy about?',
    'Got "{message}" out of nowhere. Which input leads to that?',
    'Can anyone tell me what leads to "{message}"?',
)
_WITH_CALLERS: Final = (
    '"{message}" comes up now and then. Which of our functions lead there, and when?',
    'Which callers can run into "{message}", and what has to be true for it?',
    'I can\'t tell who sets off "{message}". Which code gets there, and when?',
    'Support sees "{message}". Through which functions does one get there?',
    'Trace "{message}" back for me: what raises it, and who calls that?',
    'Which functions call the check behind "{message}", and when does it fire?',
    'Before I change the check behind "{message}": who depends on it, and when does it fire?',
    'Which of our functions get to "{message}" directly, and under which condition?',
)


class RaiseCondition(Inquiry):
    """When is this error raised?"""

    kind: ClassVar[str] = "raise_condition"
    cells: ClassVar[tuple[Cell, ...]] = (
        Cell("debug", "easy"),
        Cell("debug", "medium"),
        Cell("debug", "hard"),
    )

    def leads(self, module: Module) -> Iterator[Lead]:
        """Yield the errors with a telling message and conditions that can be said."""
        for name in module.definitions:
            function = module.function(name)
            if function is None:
                continue
            for site in raise_sites(module, function):
                if site.path and is_telling(site.message):
                    entity_id = f"{module.path}::{name}"
                    yield Lead(
                        self.kind, entity_id, site.first, site.last, site.exception, site.message
                    )

    def questions(self, lead: Lead, code: CodeContext) -> Iterator[Question]:
        """Ask for the condition alone, or for the ways that lead there as well."""
        slots = {"message": quoted(lead.words)}
        yield Question(
            cell=Cell("debug", "easy"),
            phrasings=_ONE_FUNCTION,
            slots=slots,
            targets=(lead.subject,),
            intent=intent_of(lead, ("what raises it", "the whole condition")),
            score=0.8,
            rationale="One function raises it, and its condition stands in that function.",
        )
        callers = code.closed_callers(lead.subject)
        if not callers or len(callers) > MOST_CALLERS:
            return
        settles = ("what raises it", "the whole condition", "all callers", "what they catch")
        yield Question(
            cell=Cell("debug", "medium"),
            phrasings=_WITH_CALLERS,
            slots=slots,
            targets=(lead.subject, *callers),
            intent=intent_of(lead, settles),
            score=0.8,
            rationale="What raises it and all functions that call that have to be found.",
        )
        further = callers_of_all(code, callers, MOST_CALLERS)
        targets = tuple(dict.fromkeys((lead.subject, *callers, *further)))
        yield Question(
            cell=Cell("debug", "hard"),
            phrasings=_WITH_CALLERS,
            slots=slots,
            targets=targets,
            intent=intent_of(lead, settles),
            score=0.8,
            rationale="The ways to it lead over several functions in several files.",
        )

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """State the error and its condition, where that comes from, and who gets there."""
        raised = finding_at(code, intent, (Raises,))
        if raised is None or not isinstance(raised.statement, Raises):
            return None
        sources = list(origins(code, intent.subject, raised.statement.path, raised.lines))
        sources = sources[:MOST_ORIGINS]
        callers = callers_of(code, intent.subject, targets)
        handling = list(handling_between(code, targets))
        facts = [raised, *sources, *([callers] if callers is not None else []), *handling]
        neighbours = tuple(other_outcomes(code, raised))
        if len(facts) < FEWEST_FACTS:
            facts.extend(place_of(code, intent.subject))
        if len(facts) < FEWEST_FACTS:
            facts.extend(neighbours[: FEWEST_FACTS - len(facts)])
        return AnswerPlan(
            parts=answer_parts(
                intent.subject,
                targets,
                subject_does="raises the error and holds its condition",
                others_do="is on the way to it",
            ),
            opening=_opening(raised.statement, path_of(intent.subject)),
            facts=tuple(facts),
            context=neighbours,
            neighbours=neighbours,
            said_in_opening=1,
        )


def _opening(statement: Raises, path: str) -> str:
    conditions = describe_conditions(statement.path)
    return (
        f"It comes from `{statement.function}` in `{path}`, which raises `{statement.error}` "
        f"with the message “{statement.message}” {conditions}."
    )
