"""Why asked: an error that callers may not expect. Asked: whether all of them cope with it."""

from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

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
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.statement import Finding
from goldwright.plan import Cell
from goldwright.records import Intent

MOST_CALLERS: Final = 5
COUNTS: Final = ("no", "one", "two", "three", "four", "five")

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
        verdict = _verdict(handling)
        if verdict is None:
            return None
        statement = raised.statement
        sources = tuple(origins(code, intent.subject, statement.path, raised.lines))
        neighbours = tuple(other_outcomes(code, raised))
        facts = [raised, callers, *handling]
        if len(facts) < 4:
            facts.extend(sources[:1])
        opening = (
            f"{verdict} The error comes from `{statement.function}` in {path_of(intent.subject)}, "
            f"which raises `{statement.error}` with the message “{statement.message}” "
            f"{describe_conditions(statement.path)}."
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


def _verdict(handling: Sequence[Finding]) -> str | None:
    """Say in one sentence who copes; None where what is caught may or may not be the error."""
    callers = [found.statement for found in handling if isinstance(found.statement, CallHandling)]
    unguarded = [f"`{caller.caller}`" for caller in callers if not caller.caught]
    guarded = [f"`{caller.caller}`" for caller in callers if caller.caught]
    if not callers:
        return None
    if not guarded:
        if len(callers) == 1:
            return f"No, {unguarded[0]}, the only caller, catches nothing around its call."
        which = "neither" if len(callers) == 2 else "none"  # neither is for two
        count = COUNTS[len(callers)]
        return f"No, {which} of the {count} callers catches anything around its call."
    if not unguarded:
        return f"Every call stands inside a `try`: in {', '.join(guarded)}."
    return f"Not all of them: {', '.join(unguarded)} catches nothing, {', '.join(guarded)} does."
