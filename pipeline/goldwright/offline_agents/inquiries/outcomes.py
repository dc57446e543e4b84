"""Why asked: a function that gives back different things. Asked: which of them, and when."""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from goldwright.code_reading.child_nodes import own_nodes, walk
from goldwright.code_reading.conditions import statements_of
from goldwright.code_reading.given_names import names_in
from goldwright.code_reading.modules import Function, Module
from goldwright.code_reading.state_changes import changed_names
from goldwright.offline_agents.answer_limits import MOST_FACTS
from goldwright.offline_agents.code_context import CodeContext, name_of
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan, Inquiry, Lead, Question
from goldwright.offline_agents.inquiries.surroundings import (
    answer_parts,
    find_statements,
    intent_of,
    lead_of_definition,
    origins,
    sources_of,
    with_its_file,
)
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.condition_phrases import describe_conditions
from goldwright.offline_agents.statements.deed import predicate_of
from goldwright.offline_agents.statements.parameter import ParameterDefault
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.statement import Finding, Statement
from goldwright.path_conditions import Condition, Path
from goldwright.plan import Cell
from goldwright.records import Intent

FEWEST_OUTCOMES: Final = 3
# Each of more cases is told by all that is not so in the others.
MOST_OUTCOMES: Final = 6
MOST_TESTS: Final = 4

_DENIAL: Final = re.compile(r"\bnot\b|!=")

_RETURNS: Final = (
    "What does `{name}` return, and when?",
    "What can `{name}` return, and what does that depend on?",
    "Which values can `{name}` return, and under which conditions?",
    "What do I get back from `{name}`, and when?",
    "What does `{name}` return in which case?",
)
_RETURNS_OR_RAISES: Final = (
    # What it calls may raise errors as well, of which nothing is said.
    "When does `{name}` itself raise an error, and what does it return otherwise?",
    "Which errors does `{name}` itself raise, and what does it return otherwise?",
    "What does `{name}` return, and when does it raise an error itself?",
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
            if ways_out is not None and FEWEST_OUTCOMES <= ways_out <= MOST_OUTCOMES:
                entity_id = f"{module.path}::{name}"
                nodes = own_nodes(function.body)
                raises = any(isinstance(node, ast.Raise) for node in nodes)
                detail = "raises" if raises else ""
                yield lead_of_definition(self.kind, entity_id, function, detail)

    def questions(
        self,
        lead: Lead,
        code: CodeContext,  # noqa: ARG002  # one function says it all
    ) -> Iterator[Question]:
        """Ask by name: the question is about the cases, and not about where they are."""
        subject = lead.subject
        phrasings = _RETURNS_OR_RAISES if lead.detail else _RETURNS
        intent = intent_of(lead, ("every result and every error", "the condition of each"))
        yield Question(
            cell=self.cells[0],
            phrasings=phrasings,
            slots={"name": name_of(subject)},
            targets=(subject,),
            intent=intent,
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
        ends_of_ways = find_statements(code, intent.subject, (Raises, Returned))
        outcomes = sorted(ends_of_ways, key=_place)
        if ways_out is None or len({outcome.statement for outcome in outcomes}) != ways_out:
            return None
        # Of two ways to the same end the later is told "unless" the earlier: in words, as if it did
        # not end so there.
        ends = {predicate_of(outcome.statement) for outcome in outcomes}
        if len(ends) < ways_out:
            return None
        sources = list(sources_of(code, outcomes))
        # A result or a test that is a mere name says little without what the name stands for.
        if len(outcomes) + len(sources) > MOST_FACTS:
            sources = []
        context: list[Finding] = []
        for outcome in outcomes:
            path = outcome.statement.conditions
            context.extend(origins(code, intent.subject, path, outcome.lines))
        context.extend(find_statements(code, intent.subject, (Assigned, ParameterDefault)))
        # What is asked for comes before what the names in it stand for.
        facts = [*outcomes, *sorted(sources, key=_place)]
        parts = answer_parts(
            intent.subject, targets, subject_does="decides between them", others_do="helps"
        )
        opening = _opening(intent.subject, facts[0].statement)
        return AnswerPlan(
            parts=parts,
            opening=opening,
            facts=tuple(facts),
            context=tuple(context),
            neighbours=tuple(outcomes),
            said_in_opening=1,
        )


def _place(finding: Finding) -> int:
    return finding.lines.start


def _opening(subject: str, first: Statement) -> str:
    """Say what comes of the first case."""
    conditions = describe_conditions(first.conditions)
    when = f" {conditions}" if conditions else ""
    place = with_its_file(subject)
    deed = predicate_of(first)
    return f"{place} {deed}{when}."


def _ways_out(module: Module, function: Function) -> int | None:
    """Count the ways out of a function; None where one of them cannot be said plainly.

    A function whose end can be reached, or that makes values one by one, has ways out that no
    statement shows.
    """
    if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in walk(function)):
        return None
    if not isinstance(function.body[-1], ast.Return | ast.Raise | ast.If | ast.Try):
        return None
    if _can_end(function.body):
        return None
    count = 0
    tested: set[str] = set()
    for reached in statements_of(function, module.text):
        node = reached.node
        if isinstance(node, ast.Return | ast.Raise):
            is_bare = isinstance(node, ast.Raise) and node.exc is None
            if reached.path is None or is_bare or not _is_plain(reached.path):
                return None
            count += 1
            tested.update(*(names_in(condition.code) for condition in reached.path))
    names = _returned_names(function) | tested
    return None if _changing_names(function) & names else count


def _can_end(body: Sequence[ast.stmt]) -> bool:
    """Find out whether the end of a block may be reached, as far as its last statement shows."""
    match body[-1] if body else None:
        case ast.Return() | ast.Raise():
            return False
        case ast.If(body=inner, orelse=others):
            return _can_end(inner) or _can_end(others)
        case ast.Try(body=inner, handlers=handlers, orelse=others):
            is_left = not _can_end(others or inner)
            return not is_left or any(_can_end(handler.body) for handler in handlers)
        case ast.With(body=inner) | ast.AsyncWith(body=inner):
            return _can_end(inner)
        case _:
            return True


def _is_plain(path: Path) -> bool:
    """Find out whether conditions can be read at once: few, and nothing is denied twice."""
    if len(path) > MOST_TESTS:
        return False
    return not any(_is_denied_twice(condition) for condition in path)


def _is_denied_twice(condition: Condition) -> bool:
    if condition.kind != "unless":
        return False
    return _DENIAL.search(condition.code) is not None


def _returned_names(function: Function) -> set[str]:
    names: set[str] = set()
    for node in own_nodes(function.body):
        match node:
            case ast.Return(value=ast.Name(id=name)):
                names.add(name)
            case _:
                continue
    return names


def _changing_names(function: Function) -> set[str]:
    """Give the names that get several values: what they hold depends on the way."""
    nodes = list(own_nodes(function.body))
    names = [node for node in nodes if isinstance(node, ast.Name)]
    stored_names = [node for node in names if isinstance(node.ctx, ast.Store)]
    assignments = Counter(node.id for node in stored_names)
    # What is filled after it was made is no longer what it was made as.
    assignments.update(name for node in nodes for name in changed_names(node))
    return {name for name, times in assignments.items() if times > 1}
