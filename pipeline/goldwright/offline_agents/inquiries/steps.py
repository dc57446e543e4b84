"""Why asked: a function that takes several steps. Asked: which, in which order, and under what."""

from collections.abc import Iterator
from typing import ClassVar, Final

from goldwright.code_reading.call_order import closed_callees
from goldwright.code_reading.errors import RaiseSite, raise_sites
from goldwright.code_reading.log_calls import LogSite, log_sites
from goldwright.code_reading.modules import Module
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.effects import descriptions, effects_of_call, near
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan, Inquiry, Lead, Question
from goldwright.offline_agents.inquiries.messages import is_telling, quoted
from goldwright.offline_agents.inquiries.surroundings import (
    answer_parts,
    find_statements,
    finding_at,
    intent_of,
)
from goldwright.offline_agents.statements.call_order import CallOrder
from goldwright.offline_agents.statements.logs import Logs
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.statement import Finding
from goldwright.plan import Cell
from goldwright.records import FileRange, Intent

FEWEST_STEPS: Final = 2
# Each step is a fact of its own, and the message and the order need room beside them.
MOST_STEPS: Final = 6

_PHRASINGS: Final = (
    'Walk me through the function that says "{message}": what does it call, in which order?',
    'Which of our functions does the code behind "{message}" call, and in which order?',
    'On the way to "{message}": what is done first, what next, and under which conditions?',
    'Step by step, what does the code around "{message}" do?',
    'I need the sequence of calls in the code that reports "{message}".',
    'What else happens in the function behind "{message}", from top to bottom?',
    'Explain the procedure that may stop with "{message}". Which helpers does it use, and when?',
    'Around "{message}": which of our own functions are called there, one after the other?',
)


class Steps(Inquiry):
    """What is done in which order?"""

    kind: ClassVar[str] = "steps"
    cells: ClassVar[tuple[Cell, ...]] = (Cell("explain", "medium"), Cell("explain", "hard"))

    def leads(self, module: Module) -> Iterator[Lead]:
        """Yield the messages of functions that call several others; the first one of each."""
        for name in module.definitions:
            function = module.function(name)
            if function is None:
                continue
            entity_id = f"{module.path}::{name}"
            sites: list[RaiseSite | LogSite] = [*raise_sites(module, function)]
            sites.extend(log_sites(module, function))
            for site in sites:
                if site.path is not None and is_telling(site.message):
                    yield Lead(self.kind, entity_id, site.first, site.last, "", site.message)
                    break

    def questions(self, lead: Lead, code: CodeContext) -> Iterator[Question]:
        """Ask for all steps, by the message that one can end in."""
        callees = closed_callees(code.snapshot, lead.subject)
        if callees is None or not FEWEST_STEPS <= len(callees) <= MOST_STEPS:
            return
        for cell in self.cells:
            yield Question(
                cell=cell,
                phrasings=_PHRASINGS,
                slots={"message": quoted(lead.words)},
                targets=(lead.subject, *callees),
                intent=intent_of(lead, ("all steps", "their order", "their conditions")),
                score=0.75,
                rationale="Every function that is called on the way has to be found.",
            )

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """State the order of the calls, each call with its condition, and the message."""
        message = finding_at(code, intent, (Raises, Logs))
        callees = closed_callees(code.snapshot, intent.subject)
        entity = code.snapshot.entity(intent.subject)
        if message is None or not callees or entity is None:
            return None
        calls = [list(effects_of_call(code, intent.subject, callee)) for callee in callees]
        # A call inside a condition or an expression has no effect of its own to tell.
        if sum(map(bool, calls)) < FEWEST_STEPS:
            return None
        names = tuple(name_of(callee).rpartition(".")[2] for callee in callees)
        span = entity.spans[0]
        lines = FileRange(file=entity.path, start=span.first, end=span.last)
        order = Finding(CallOrder(name_of(intent.subject), names), intent.subject, lines)
        facts = [order, *(found[0] for found in calls if found), message]
        context: list[Finding] = list(descriptions(code, intent.subject))
        for callee in callees:
            context.extend(descriptions(code, callee))
        context.extend(near(code, intent.subject, intent.lines))
        place = f"`{name_of(intent.subject)}` is in `{path_of(intent.subject)}`."
        opening = f"{order.statement.sentence()} {place}"
        return AnswerPlan(
            parts=answer_parts(
                intent.subject, targets, subject_does="takes the steps", others_do="is a step"
            ),
            opening=opening,
            facts=tuple(facts),
            context=tuple(context),
            said_in_opening=1,
            neighbours=tuple(find_statements(code, intent.subject, (Raises, Logs))),
        )
