"""Why asked: a function with a few known callers. Asked: which calls a change of it would touch."""

from collections.abc import Iterator
from typing import ClassVar, Final

from goldwright.code_reading.modules import Module
from goldwright.offline_agents.answer_limits import MOST_FACTS
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.deeds import deed_of
from goldwright.offline_agents.inquiries.effects import denials, effects_of_call, near
from goldwright.offline_agents.inquiries.hidden_names import gives_away
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan, Inquiry, Lead, Question
from goldwright.offline_agents.inquiries.surroundings import (
    answer_parts,
    callers_of,
    find_statements,
    intent_of,
)
from goldwright.offline_agents.statements.lists import join_code
from goldwright.offline_agents.statements.parameter import ParameterDefault
from goldwright.offline_agents.statements.statement import Finding
from goldwright.offline_agents.statements.takes import Takes
from goldwright.plan import Cell
from goldwright.records import Intent

MOST_CALLERS: Final = 4
FEWEST_CALLERS: Final = 2

_EXTEND: Final = (
    "The code that {deed} should take one more argument. Which calls would have to change?",
    "I'd like a second mode for what {deed}. Who calls it today, and with which arguments?",
    "Before I extend the helper that {deed}: whom would a new mandatory parameter break?",
    "Where would a change of the signature be felt if I extend whatever {deed}?",
    "Something in here {deed}. I need to pass it another flag: from which places?",
    "To make the piece that {deed} configurable, which of its users do I have to adapt?",
    "A new option is due for the function that {deed}. List the calls that hand it its arguments.",
)
_GENERAL: Final = (
    "Which parts of the code depend on the one that {deed}, and for what?",
    "If whatever {deed} broke, which callers would notice, and what do they make of its result?",
    "Who needs the code that {deed}, and what is its result used for?",
    "What relies on the helper that {deed}?",
)


class Callers(Inquiry):
    """Who calls a function, with what, and what for?"""

    kind: ClassVar[str] = "callers"
    cells: ClassVar[tuple[Cell, ...]] = (
        Cell("extend", "medium"),
        Cell("extend", "hard"),
        Cell("general", "medium"),
        Cell("general", "hard"),
    )

    def leads(self, module: Module) -> Iterator[Lead]:
        """Yield the functions; what they do is read from their docstrings later."""
        for name in module.definitions:
            function = module.function(name)
            if function is not None and not name.rpartition(".")[2].startswith("__"):
                entity_id = f"{module.path}::{name}"
                last = function.end_lineno or function.lineno
                yield Lead(self.kind, entity_id, function.lineno, last, "", "")

    def questions(self, lead: Lead, code: CodeContext) -> Iterator[Question]:
        """Ask for the function and all its callers by what it does."""
        deed = deed_of(code.snapshot, lead.subject)
        callers = code.closed_callers(lead.subject) if deed else None
        if not callers or not FEWEST_CALLERS <= len(callers) <= MOST_CALLERS:
            return
        targets = (lead.subject, *callers)
        if gives_away(deed, targets):
            return
        for cell in self.cells:
            is_extend = cell.task_type == "extend"
            yield Question(
                cell=cell,
                phrasings=_EXTEND if is_extend else _GENERAL,
                slots={"deed": deed},
                targets=targets,
                intent=intent_of(lead, ("what it takes", "all callers", "what each makes of it")),
                score=0.6,
                rationale="All callers have to be found, and none of them is named.",
                expectation=None if is_extend else "explain",
            )

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """State what it takes, all callers, and each of their calls."""
        callers = code.closed_callers(intent.subject)
        whole = callers_of(code, intent.subject, targets)
        if not callers or whole is None:
            return None
        calls = [list(effects_of_call(code, caller, intent.subject)) for caller in callers]
        if not all(calls):
            return None
        signature = list(find_statements(code, intent.subject, (Takes,)))
        defaults = [
            found
            for found in find_statements(code, intent.subject, (ParameterDefault,))
            if isinstance(found.statement, ParameterDefault) and found.statement.default
        ]
        first_calls = [found[0] for found in calls]
        facts = [whole, *first_calls, *signature, *defaults]
        context: list[Finding] = [finding for found in calls for finding in found[1:]]
        for caller, found in zip(callers, calls, strict=True):
            context.extend(near(code, caller, found[0].lines))
        return AnswerPlan(
            parts=answer_parts(
                intent.subject, targets, subject_does="is what they call", others_do="calls it"
            ),
            opening=_opening(intent.subject, callers),
            facts=tuple(facts[:MOST_FACTS]),
            context=tuple(context),
            neighbours=tuple(context),
            falsehoods=tuple(denials(first_calls, context))[:1],
            said_in_opening=1,
        )


def _opening(subject: str, callers: tuple[str, ...]) -> str:
    name = name_of(subject)
    listed = join_code([name_of(caller) for caller in callers])
    return (
        f"It is `{name}` in `{path_of(subject)}`, and the product code that calls it is {listed}, "
        "nothing else."
    )
