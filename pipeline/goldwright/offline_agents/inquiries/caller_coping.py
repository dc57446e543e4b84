"""Why asked: an error that callers may not expect. Asked: whether all of them cope with it."""

from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from goldwright.code_reading.error_routes import ErrorStep
from goldwright.code_reading.errors import raise_sites
from goldwright.code_reading.modules import Module
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.error_translation import outcomes_inside
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan, Inquiry, Lead, Question
from goldwright.offline_agents.inquiries.messages import is_telling, quoted
from goldwright.offline_agents.inquiries.routes import caught_from, steps_of_callers
from goldwright.offline_agents.inquiries.surroundings import (
    answer_parts,
    callers_of,
    finding_at,
    handling_of_calls,
    intent_of,
    origins,
    other_outcomes,
)
from goldwright.offline_agents.statements.call_handling import CallHandling
from goldwright.offline_agents.statements.condition_phrases import describe_conditions
from goldwright.offline_agents.statements.lists import join_code
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.statement import Finding
from goldwright.plan import Cell
from goldwright.records import Intent

MOST_CALLERS: Final = 5

# All of them ask about the functions that call there, and of no other: an error that they let
# through may be caught further up. They are asked so that "no" means: nobody catches it.
_PHRASINGS: Final = (
    'Does every caller cope when "{message}" comes up?',
    'Reviewing the error "{message}": is it handled by the code that calls there?',
    'Do all direct users of the code behind "{message}" guard against it?',
    'Do the functions that call the check behind "{message}" catch it?',
    'Before the release: is the failure "{message}" dealt with one level up?',
    'Is each call that can end in "{message}" protected on the spot?',
    'If "{message}" comes up, does the function that called for it catch it?',
    'Check this for me: who calls the code that says "{message}", and are they ready for it?',
    'Is the error "{message}" caught right where the check is used?',
    'Would the immediate callers survive "{message}"?',
    'We say "{message}" in one place. Is there a fitting clause around the calls of it?',
)


class CallerCoping(Inquiry):
    """Do the callers of a function cope with the error that it raises?"""

    kind: ClassVar[str] = "caller_coping"
    cells: ClassVar[tuple[Cell, ...]] = (Cell("review", "medium"), Cell("review", "hard"))

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
        """Ask about all callers, where they are known and few."""
        callers = code.closed_callers(lead.subject)
        if not callers or len(callers) > MOST_CALLERS:
            return
        settles = ("the error and its condition", "all callers", "what each of them catches")
        for cell in self.cells:
            yield Question(
                cell=cell,
                phrasings=_PHRASINGS,
                slots={"message": quoted(lead.words)},
                targets=(lead.subject, *callers),
                intent=intent_of(lead, settles),
                score=0.8,
                rationale="Every caller has to be found, and what stands around its call read.",
            )

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """Give the verdict, the condition, the callers, and what each of them catches."""
        raised = finding_at(code, intent, (Raises,))
        callers = callers_of(code, intent.subject, targets)
        if raised is None or callers is None or not isinstance(raised.statement, Raises):
            return None
        steps = steps_of_callers(code, intent.subject, intent.lines.start, intent.detail)
        if not steps:
            return None
        handling: list[Finding] = []
        for step in steps:
            handling.append(_handling(step, raised, code))
            if step.clause:
                handling.extend(list(outcomes_inside(code, step))[:1])
        statement = raised.statement
        sources = tuple(origins(code, intent.subject, statement.path, raised.lines))
        neighbours = tuple(other_outcomes(code, raised))
        facts = [raised, callers, *handling]
        if len(facts) < 4:
            facts.extend(sources[:1])
        opening = (
            f"{_verdict(steps)} The error comes from `{statement.function}` in "
            f"`{path_of(intent.subject)}`, which raises `{statement.error}` with the message "
            f"“{statement.message}” {describe_conditions(statement.path)}."
        )
        return AnswerPlan(
            parts=answer_parts(
                intent.subject,
                targets,
                subject_does="raises the error",
                others_do=f"calls `{name_of(intent.subject)}`",
            ),
            opening=opening,
            facts=tuple(facts),
            context=(*sources, *neighbours),
            neighbours=neighbours,
            said_in_opening=1,
        )


def _handling(step: ErrorStep, raised: Finding, code: CodeContext) -> Finding:
    """State what a caller does: that no ``try`` is there, or where the error goes from it."""
    for finding in handling_of_calls(code, step.caller, step.callee):
        if isinstance(finding.statement, CallHandling) and not finding.statement.caught:
            return finding
    return caught_from(step, raised)


def _verdict(steps: Sequence[ErrorStep]) -> str:
    """Say in one sentence who copes."""
    passing = [name_of(step.caller) for step in steps if not step.clause]
    catching = [name_of(step.caller) for step in steps if step.clause]
    if not catching:
        if len(passing) == 1:
            return f"No, `{passing[0]}` lets it through."
        if len(passing) == 2:  # neither and nor are for two
            return f"No, neither `{passing[0]}` nor `{passing[1]}` catches it."
        return f"No, none of {join_code(passing)} catches it."
    catches = "catches" if len(catching) == 1 else "catch"
    if not passing:
        return f"Yes, {join_code(catching)} {catches} it."
    lets = "lets" if len(passing) == 1 else "let"
    caught_by = f"{join_code(catching)} {catches} it"
    return f"Not everywhere: {caught_by}, but {join_code(passing)} {lets} it through."
