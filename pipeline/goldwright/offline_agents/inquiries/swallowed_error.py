"""Why asked: an error that is caught and does not come out. Asked: whether a failure gets lost."""

import re
from collections.abc import Iterator
from typing import ClassVar, Final

from goldwright.code_reading.errors import HandlerSite, handler_sites
from goldwright.code_reading.modules import Module
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan, Inquiry, Lead, Question
from goldwright.offline_agents.inquiries.surroundings import (
    answer_parts,
    callers_of,
    find_statements,
    finding_at,
    intent_of,
)
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.call_handling import CallHandling
from goldwright.offline_agents.statements.handles import Handles
from goldwright.offline_agents.statements.logs import Logs
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.statement import Finding
from goldwright.plan import Cell
from goldwright.records import Intent

_SWALLOWING: Final = frozenset({"ignored", "logged", "skipped", "returned"})
MOST_CALLS: Final = 2
# Values that come back where all went well, too.
_BLANK: Final = re.compile(r"None|True|False|-?\d+|\w?['\"]{2}|\[\]|\{\}|\(\)|")

# All of them are asked so that "yes" means: the error is kept.
_PHRASINGS: Final = (
    "Does `{name}` hide a failure from its callers?",
    "Can something go wrong inside `{name}` without anybody noticing?",
    "Reviewing `{name}`: does it swallow `{caught}`?",
    "What becomes of `{caught}` inside `{name}`? I worry that it is swallowed.",
    "Does `{name}` keep `{caught}` to itself?",
    "Could `{name}` fail inside and its caller be none the wiser?",
    "Is there an error that never leaves `{name}`?",
    "I suspect that `{name}` eats `{caught}`. Does it?",
)


class SwallowedError(Inquiry):
    """Does a function keep an error to itself?"""

    kind: ClassVar[str] = "swallowed_error"
    cells: ClassVar[tuple[Cell, ...]] = (Cell("review", "easy"),)

    def leads(self, module: Module) -> Iterator[Lead]:
        """Yield the clauses that let no error out."""
        for name in module.definitions:
            function = module.function(name)
            if function is None:
                continue
            for site in handler_sites(module, function):
                is_lost = site.outcome in _SWALLOWING and _tells_nothing(site)
                if is_lost and site.guarded_calls and len(site.caught) == 1:
                    entity_id = f"{module.path}::{name}"
                    caught = site.caught[0]
                    yield Lead(self.kind, entity_id, site.first, site.last, caught, "")

    def questions(
        self,
        lead: Lead,
        code: CodeContext,  # noqa: ARG002  # one function says it all
    ) -> Iterator[Question]:
        """Ask by name whether the error is lost."""
        yield Question(
            cell=self.cells[0],
            phrasings=_PHRASINGS,
            slots={"name": name_of(lead.subject), "caught": lead.detail},
            targets=(lead.subject,),
            intent=intent_of(lead, ("the verdict", "what is caught", "what is guarded")),
            score=0.6,
            rationale="The clause and what it guards stand in one function.",
        )

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """Give the verdict, what is caught, and which calls it guards."""
        handled = finding_at(code, intent, (Handles,))
        if handled is None or not isinstance(handled.statement, Handles):
            return None
        guarded = list(_guarded_calls(code, intent, handled.statement))[:MOST_CALLS]
        logged = list(_logs_inside(code, intent))[:1]
        callers = callers_of(code, intent.subject, targets)
        facts = [handled, *guarded, *logged, *([callers] if callers is not None else [])]
        verdict = "Yes" if not logged else "Callers do not learn of it, but the log does"
        sentence = handled.statement.sentence()
        opening = (
            f"{verdict}. {sentence} That is in `{path_of(intent.subject)}`, "
            f"on lines {intent.lines.start} to {intent.lines.end}, and no error leaves it there."
        )
        context = tuple(find_statements(code, intent.subject, (Returned, Raises, Assigned)))
        return AnswerPlan(
            parts=answer_parts(
                intent.subject, targets, subject_does="catches the error", others_do="is involved"
            ),
            opening=opening,
            facts=tuple(facts),
            context=context,
            neighbours=context,
            said_in_opening=1,
        )


def _tells_nothing(site: HandlerSite) -> bool:
    """Find out whether a clause gives back something that says nothing of the error."""
    return site.outcome != "returned" or _BLANK.fullmatch(site.value) is not None


def _guarded_calls(code: CodeContext, intent: Intent, handled: Handles) -> Iterator[Finding]:
    for finding in find_statements(code, intent.subject, (CallHandling,)):
        statement = finding.statement
        is_above = finding.lines.end < intent.lines.start
        if isinstance(statement, CallHandling) and is_above and handled.caught in statement.caught:
            yield finding


def _logs_inside(code: CodeContext, intent: Intent) -> Iterator[Finding]:
    for finding in find_statements(code, intent.subject, (Logs,)):
        if intent.lines.contains(finding.lines):
            yield finding
