"""Why asked: an error that callers may not expect. Asked: whether all of them cope with it."""

from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from goldwright.code_reading.error_classes import error_class
from goldwright.code_reading.error_routes import error_step
from goldwright.code_reading.errors import raise_sites
from goldwright.code_reading.modules import Module
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan, Inquiry, Lead, Question
from goldwright.offline_agents.inquiries.messages import is_telling, quoted
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

# All of them are asked so that "no" means: nobody catches the error.
_PHRASINGS: Final = (
    'Does every caller cope when "{message}" comes up?',
    'If we run into "{message}", does anything catch it or does it go straight through?',
    'Reviewing the error "{message}": is it handled by the code that calls there?',
    'Is "{message}" ever caught where it could be, or do users see a traceback?',
    'Check this for me: who is hit by "{message}", and are they ready for it?',
    'Do all users of the code behind "{message}" guard against it?',
    'Is anybody prepared for "{message}" where the check is used?',
    'Do the functions that can run into "{message}" catch it?',
    'Before the release: is the failure "{message}" dealt with one level up?',
    'Would a caller survive "{message}"?',
    'Is each call that can end in "{message}" protected?',
    'Nobody seems to expect "{message}". Is there a try around any of the calls?',
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
        handling: list[Finding] = []
        for caller in code.closed_callers(intent.subject) or ():
            handling.extend(list(handling_of_calls(code, caller, intent.subject))[:1])
        statement = raised.statement
        called_by = code.closed_callers(intent.subject) or ()
        verdict = _verdict(code, intent.subject, statement, called_by)
        if verdict is None or not handling:
            return None
        sources = tuple(origins(code, intent.subject, statement.path, raised.lines))
        neighbours = tuple(other_outcomes(code, raised))
        facts = [raised, callers, *handling]
        if len(facts) < 4:
            facts.extend(sources[:1])
        opening = (
            f"{verdict} The error comes from `{statement.function}` in "
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
            said_in_opening=2,
        )


def _verdict(code: CodeContext, callee: str, raised: Raises, callers: Sequence[str]) -> str | None:
    """Say in one sentence who copes; None where what is caught may or may not be the error."""
    module = code.module(path_of(callee))
    error = error_class(code.snapshot, module, raised.error) if module is not None else None
    guarded: list[str] = []
    unguarded: list[str] = []
    for caller in callers:
        catches_anything = any(
            isinstance(found.statement, CallHandling) and found.statement.caught
            for found in handling_of_calls(code, caller, callee)
        )
        step = None
        if catches_anything and error is not None:
            step = error_step(code.snapshot, caller, callee, error)
        if catches_anything and step is None:
            return None
        is_guarded = step is not None and step.clause != ""
        (guarded if is_guarded else unguarded).append(name_of(caller))
    names = join_code([name_of(caller) for caller in callers])
    called = f"`{name_of(callee)}` is called by {names} alone"
    if not guarded:
        copes = {1: "which does not catch it", 2: "and neither of them catches it"}
        return f"No: {called}, {copes.get(len(callers), 'and none of them catches it')}."
    if not unguarded:
        copes = {1: "which catches it", 2: "and both catch it"}
        return f"Yes: {called}, {copes.get(len(callers), 'and all of them catch it')}."
    verb = "catches" if len(guarded) == 1 else "catch"
    fails = "does" if len(unguarded) == 1 else "do"
    return (
        f"Not all of them: {called}, and while {join_code(guarded)} {verb} it, "
        f"{join_code(unguarded)} {fails} not."
    )
