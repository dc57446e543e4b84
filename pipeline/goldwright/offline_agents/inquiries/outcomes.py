"""Why asked: a function that gives back different things. Asked: which of them, and when."""

import ast
from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from goldwright.code_reading.child_nodes import walk
from goldwright.code_reading.conditions import statements_of
from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.answer_limits import MOST_FACTS
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan, Inquiry, Lead, Question
from goldwright.offline_agents.inquiries.surroundings import (
    answer_parts,
    find_statements,
    intent_of,
)
from goldwright.offline_agents.prose import predicate_of
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.parameter import ParameterDefault
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.statement import Finding
from goldwright.plan import Cell
from goldwright.records import Intent

FEWEST_OUTCOMES: Final = 3

_PHRASINGS: Final = (
    "What can come back from `{name}`, and when?",
    "Which results does `{name}` have, and what decides between them?",
    "When does `{name}` return what?",
    "Explain the possible outcomes of `{name}`, please.",
    "Under which condition does `{name}` give which result?",
    "I call `{name}`: what are all the ways in which that can end?",
    "How does `{name}` decide what to return?",
    "What should a caller of `{name}` be ready for?",
    "Could you walk me through the cases that `{name}` tells apart?",
    "List every way out of `{name}` with its condition.",
)


class Outcomes(Inquiry):
    """What can a function give back, and when?"""

    kind: ClassVar[str] = "outcomes"
    cells: ClassVar[tuple[Cell, ...]] = (Cell("explain", "easy"),)

    def leads(self, module: Module) -> Iterator[Lead]:
        """Yield functions with several ways out, all of which can be said."""
        for name in module.definitions:
            function = module.function(name)
            if function is None or name.rpartition(".")[2].startswith("__"):
                continue
            ways_out = _ways_out(module, function)
            if ways_out is not None and FEWEST_OUTCOMES <= ways_out <= MOST_FACTS:
                last = function.end_lineno or function.lineno
                entity_id = f"{module.path}::{name}"
                yield Lead(self.kind, entity_id, function.lineno, last, "", "")

    def questions(
        self,
        lead: Lead,
        code: CodeContext,  # noqa: ARG002  # one function says it all
    ) -> Iterator[Question]:
        """Ask by name: the question is about the cases, and not about where they are."""
        yield Question(
            cell=self.cells[0],
            phrasings=_PHRASINGS,
            slots={"name": name_of(lead.subject)},
            targets=(lead.subject,),
            intent=intent_of(lead, ("every result and every error", "the condition of each")),
            score=0.6,
            rationale="All cases stand in one short function.",
        )

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """State every way out with its condition."""
        opened = code.function(intent.subject)
        if opened is None:
            return None
        ways_out = _ways_out(*opened)
        outcomes = sorted(
            find_statements(code, intent.subject, (Raises, Returned)),
            key=lambda found: found.lines.start,
        )
        if ways_out is None or len({found.statement for found in outcomes}) != ways_out:
            return None
        name = name_of(intent.subject)
        opening = f"`{name}` in `{path_of(intent.subject)}` {_listed(outcomes)}."
        context = tuple(find_statements(code, intent.subject, (Assigned, ParameterDefault)))
        return AnswerPlan(
            parts=answer_parts(
                intent.subject, targets, subject_does="decides between them", others_do="helps"
            ),
            opening=opening,
            facts=tuple(outcomes),
            context=context,
            neighbours=tuple(outcomes),
        )


def _listed(outcomes: Sequence[Finding]) -> str:
    """Say what can come out, each thing once: the conditions follow."""
    ends = list(dict.fromkeys(predicate_of(found.statement) for found in outcomes))
    return ends[0] if len(ends) == 1 else f"{', '.join(ends[:-1])} or {ends[-1]}"


def _ways_out(module: Module, function: Function) -> int | None:
    """Count the ways out of a function; None where one of them cannot be said.

    A function whose end can be reached, or that makes values one by one, has ways out that no
    statement shows.
    """
    if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in walk(function)):
        return None
    if not isinstance(function.body[-1], ast.Return | ast.Raise):
        return None
    count = 0
    for reached in statements_of(function, module.text):
        node = reached.node
        if isinstance(node, ast.Return | ast.Raise):
            if reached.path is None or (isinstance(node, ast.Raise) and node.exc is None):
                return None
            count += 1
    return count
