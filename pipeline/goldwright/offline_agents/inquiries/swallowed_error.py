"""Why asked: an error that is caught and does not come out. Asked: whether a failure gets lost."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from goldwright.code_reading.child_nodes import own_nodes
from goldwright.code_reading.errors import HandlerSite, handler_sites
from goldwright.code_reading.modules import Module
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.easy_conditions import is_easily_said
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan, Inquiry, Lead, Question
from goldwright.offline_agents.inquiries.surroundings import (
    answer_parts,
    find_statements,
    finding_at,
    intent_of,
)
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.catalog import DEEDS
from goldwright.offline_agents.statements.goes_on import GoesOn
from goldwright.offline_agents.statements.handles import Handles
from goldwright.offline_agents.statements.lists import join_code
from goldwright.offline_agents.statements.logs import Logs
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.statement import Finding
from goldwright.offline_agents.statements.tries import Tries
from goldwright.path_conditions import Path, split_tests
from goldwright.plan import Cell
from goldwright.records import Intent

_SWALLOWING: Final = frozenset({"ignored", "logged", "skipped", "left", "returned"})
# Values that come back where all went well, too.
_CLASS_NAME: Final = re.compile(r"(?:^|\.)_?[A-Z]\w*$")
_BLANK: Final = re.compile(r"None|True|False|-?\d+|\w?['\"]{2}|\[\]|\{\}|\(\)|")

# What is the same in more cases than these is said by none of them.
MOST_SAME: Final = 2

# All of them are asked so that "yes" means: the error is kept.
_GOES_ON: Final = (
    "Does `{name}` swallow `{caught}`? What does it do in that case?",
    "Reviewing `{name}`: does it swallow `{caught}`, and how does it go on after that?",
    "Is `{caught}` silently ignored in `{name}`? Which call can raise it?",
    "I suspect `{name}` swallows `{caught}`. Does it, and how does it continue?",
    "What happens to `{caught}` in `{name}`? Is it swallowed?",
    "How does `{name}` continue after it has caught `{caught}`? Is the error lost?",
)
_LOOKS_ALIKE: Final = (
    "Does `{name}` swallow `{caught}`, so that a failure looks like a normal result?",
    "Reviewing `{name}`: does it swallow `{caught}` without its callers noticing?",
    "Can `{name}` swallow `{caught}` without its caller noticing?",
    "I suspect `{name}` swallows `{caught}`. Does the result look normal then?",
    "Is `{caught}` swallowed in `{name}`, and would anybody notice?",
    "Do callers of `{name}` see nothing of a `{caught}` that is raised inside?",
    "Do callers of `{name}` get a normal result although `{caught}` was raised?",
    "Does a `{caught}` in `{name}` look like a normal result to its callers?",
)
_COMES_BACK: Final = (
    "Does `{name}` swallow `{caught}`? What does it return then?",
    "Reviewing `{name}`: does it swallow `{caught}`, and what does it return if nothing fails?",
    "I suspect `{name}` swallows `{caught}`. What does it return with and without the error?",
    "Is `{caught}` swallowed in `{name}`? What do callers get then?",
    "Can `{name}` swallow `{caught}`? What does it return in that case?",
    "Will `{caught}` in `{name}` be turned into a return value? Which one?",
    "When `{caught}` is raised in `{name}`, is it swallowed? What is returned?",
    "Are callers of `{name}` kept from seeing `{caught}`? What does it return instead?",
)
_LOGGED: Final = (
    "What happens to `{caught}` inside `{name}`? Is it only logged?",
    "Reviewing `{name}`: is `{caught}` only logged, or do the callers see it?",
    "Does `{name}` swallow `{caught}` after logging it?",
    "I suspect `{name}` swallows `{caught}`. Is it only logged?",
    "Does `{name}` only log `{caught}`, or does it raise it again?",
    "When a call in `{name}` raises `{caught}`, is that only logged?",
)


_LOGGED_AND_KEPT: Final = "It is logged, and the callers do not see it"


class SwallowedError(Inquiry):
    """Does a function keep an error to itself?"""

    kind: ClassVar[str] = "swallowed_error"
    cells: ClassVar[tuple[Cell, ...]] = (Cell("review", "easy"),)

    def leads(self, module: Module) -> Iterator[Lead]:
        """Yield the clauses that let no error out, where no other clause is for the same error."""
        for name in module.definitions:
            function = module.function(name)
            if function is None:
                continue
            sites = handler_sites(module, function)
            caught = [error for site in sites for error in site.caught]
            for site in sites:
                if len(site.caught) != 1:
                    continue
                (error,) = site.caught
                is_lost = site.outcome in _SWALLOWING and _tells_nothing(site)
                is_only = caught.count(error) == 1
                # A variable that holds the kinds of errors says nothing to who asks.
                is_class = _CLASS_NAME.search(error) is not None
                if is_lost and is_only and is_class and site.guarded_calls:
                    entity_id = f"{module.path}::{name}"
                    yield Lead(self.kind, entity_id, site.first, site.last, error, "")

    def questions(self, lead: Lead, code: CodeContext) -> Iterator[Question]:
        """Ask by name whether the error is lost, and what follows from that."""
        intent = intent_of(lead, ("the verdict", "what is tried", "what follows"))
        loss = _loss(code, intent)
        if loss is None:
            return
        slots = {"name": name_of(lead.subject), "caught": lead.detail}
        yield Question(
            cell=self.cells[0],
            phrasings=loss.phrasings,
            slots=slots,
            targets=(lead.subject,),
            intent=intent,
            score=0.6,
            rationale="The clause and what it guards stand in one function.",
        )

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """Give the verdict, what is caught, out of which steps, and what follows."""
        loss = _loss(code, intent)
        if loss is None:
            return None
        context = tuple(find_statements(code, intent.subject, (Returned, Raises, Assigned)))
        parts = answer_parts(
            intent.subject, targets, subject_does="catches the error", others_do="is involved"
        )
        return AnswerPlan(
            parts=parts,
            opening=loss.opening(),
            affirms=loss.is_only_logged(),
            facts=loss.facts(),
            context=context,
            neighbours=context,
            said_in_opening=loss.said_in_opening(),
        )


@dataclass(frozen=True, slots=True)
class _KeptError:
    """An error that is kept, with what a reviewer wants to know of it.

    Attributes:
        handled: What the clause does with it.
        tried: What stands in the ``try``.
        turned: Where the loop around it goes on; None where more is done in the same turn.
        follows: What is logged, or what comes back.
        phrasings: The questions that ask for just this.
    """

    handled: Finding
    tried: Finding
    turned: Finding | None
    follows: tuple[Finding, ...]
    phrasings: tuple[str, ...]

    @property
    def handles(self) -> Handles:
        """What ``handled`` says."""
        assert isinstance(self.handled.statement, Handles)  # noqa: S101  # that was looked for
        return self.handled.statement

    @property
    def tries(self) -> Tries:
        """What ``tried`` says."""
        assert isinstance(self.tried.statement, Tries)  # noqa: S101  # that was looked for
        return self.tried.statement

    def facts(self) -> tuple[Finding, ...]:
        """List what the answer has to say, what the opening says first."""
        turned = () if self.turned is None else (self.turned,)
        return (self.handled, self.tried, *turned, *self.follows)

    def said_in_opening(self) -> int:
        """Count the facts that the opening says."""
        return 2 + (self.turned is not None)

    def is_only_logged(self) -> bool:
        """Find out whether all that becomes of it is a line in a log: nothing else comes back."""
        return self.phrasings == _LOGGED and self.handles.outcome == "logged"

    def opening(self) -> str:
        """Give the verdict, and what is done about the error, in one sentence."""
        handles = self.handles
        path = path_of(self.handled.entity_id)
        place = f"`{handles.function}` in `{path}`"
        steps = join_code(self.tries.steps)
        catches = f"{place} catches `{handles.caught}` only around {steps}"
        turn = ""
        if self.turned is not None and isinstance(self.turned.statement, GoesOn):
            turn = f", and {self.turned.statement.deed()}"
        # The verdict says already that it is logged.
        if self.is_only_logged():
            return f"It is only logged: {catches}{turn}."
        # A question for one of two things is not answered by "yes".
        verdict = _LOGGED_AND_KEPT if self.phrasings == _LOGGED else "Yes"
        joint = "," if turn else " and"
        return f"{verdict}: {catches}{joint} {handles.deed()}{turn}."


def _loss(code: CodeContext, intent: Intent) -> _KeptError | None:
    """Find what belongs to a swallowed error; None where one part of it cannot be said."""
    handled = finding_at(code, intent, (Handles,))
    tried = _tried(code, intent)
    if handled is None or tried is None or not isinstance(handled.statement, Handles):
        return None
    if _raises_itself(code, intent.subject, handled.statement.caught):
        return None
    clauses = tuple(_clauses_above(code, intent, tried))
    # An error that a clause above it takes never comes here.
    handlers = find_statements(code, intent.subject, (Handles,))
    handlers_above = [handler for handler in handlers if handler.lines.start in clauses]
    if len(handlers_above) < len(clauses):
        return None
    # That the rest of a turn is skipped says so already.
    is_going_on = handled.statement.outcome in {"ignored", "logged"}
    turned = _turned(code, intent) if is_going_on else None
    follows, phrasings = _consequence(code, intent, handled)
    if turned is not None and phrasings == _GOES_ON:
        # What comes behind the loop is another question.
        follows = ()
    # Past the log, callers get nothing in place of a value: that may tell them after all.
    is_told = phrasings == _LOGGED and _ends_without_value(code, intent.subject)
    if is_told or not (follows or turned):
        return None
    return _KeptError(handled, tried, turned, follows, phrasings)


def _consequence(
    code: CodeContext, intent: Intent, handled: Finding
) -> tuple[tuple[Finding, ...], tuple[str, ...]]:
    """Find what is logged or comes back, with the questions that ask for just this."""
    assert isinstance(handled.statement, Handles)  # noqa: S101  # that is what was looked for
    logged = tuple(_logs_inside(code, intent))
    if handled.statement.outcome == "logged" or logged:
        return logged[:1], _LOGGED
    if handled.statement.outcome != "returned":
        is_left = handled.statement.outcome == "left"
        return _next_step(code, intent, is_left=is_left), _GOES_ON
    alike = _same_value(code, handled, intent)
    if alike:
        return alike, _LOOKS_ALIKE
    return _if_nothing_fails(code, intent), _COMES_BACK


def _turned(code: CodeContext, intent: Intent) -> Finding | None:
    """Find where the loop around the clause goes on behind it."""
    for turn in find_statements(code, intent.subject, (GoesOn,)):
        if turn.lines.start == intent.lines.start:
            return turn
    return None


def _raises_itself(code: CodeContext, subject: str, error: str) -> bool:
    """Find out whether a function raises such an error in the end: then it is not lost."""
    raised = find_statements(code, subject, (Raises,))
    raised_errors = (getattr(finding.statement, "error", "") for finding in raised)
    return error in raised_errors


def _ends_without_value(code: CodeContext, subject: str) -> bool:
    """Find out whether a function that gives back values may come to its end without one."""
    opened = code.function(subject)
    if opened is None or isinstance(opened[1].body[-1], ast.Return | ast.Raise):
        return False
    nodes = own_nodes(opened[1].body)
    returns = (node for node in nodes if isinstance(node, ast.Return))
    return any(node.value is not None for node in returns)


def _tells_nothing(site: HandlerSite) -> bool:
    """Find out whether a clause gives back something that says nothing of the error."""
    if site.outcome != "returned":
        return True
    return _BLANK.fullmatch(site.value) is not None


def _tried(code: CodeContext, intent: Intent) -> Finding | None:
    for attempt in find_statements(code, intent.subject, (Tries,)):
        if intent.lines.start in attempt.clauses:
            return attempt
    return None


def _clauses_above(code: CodeContext, intent: Intent, tried: Finding) -> Iterator[int]:
    """Yield the lines of the clauses that come before it in the same ``try``."""
    opened = code.function(intent.subject)
    for node in own_nodes(opened[1].body) if opened is not None else ():
        if isinstance(node, ast.Try | ast.TryStar) and node.lineno == tried.lines.start:
            lines = [handler.lineno for handler in node.handlers]
            yield from (line for line in lines if line < intent.lines.start)


def _logs_inside(code: CodeContext, intent: Intent) -> Iterator[Finding]:
    for finding in find_statements(code, intent.subject, (Logs,)):
        if intent.lines.contains(finding.lines):
            yield finding


def _same_value(code: CodeContext, handled: Finding, intent: Intent) -> tuple[Finding, ...]:
    """Find where the function returns the value of the clause although nothing was caught."""
    assert isinstance(handled.statement, Handles)  # noqa: S101  # that is what was looked for
    value = handled.statement.value
    returns = find_statements(code, intent.subject, (Returned,))
    equal_returns = [finding for finding in returns if _is_normal_return(finding, value)]
    return tuple(equal_returns) if len(equal_returns) <= MOST_SAME else ()


def _is_normal_return(finding: Finding, value: str) -> bool:
    """Find out whether a value is returned where nothing was caught, and it can be said when."""
    statement = finding.statement
    if not isinstance(statement, Returned) or statement.value != value:
        return False
    # What comes of another error is no normal result.
    is_after_error = any(condition.kind == "except" for condition in statement.path)
    return not is_after_error and is_easily_said(statement.path)


def _if_nothing_fails(code: CodeContext, intent: Intent) -> tuple[Finding, ...]:
    """Find what the function returns behind the ``try`` where nothing was caught there."""
    line = intent.lines.start
    returns = find_statements(code, intent.subject, (Returned,))
    without_error = [finding for finding in returns if _comes_without_error(finding, line)]
    return tuple(_first(without_error))


def _comes_without_error(finding: Finding, line: int) -> bool:
    """Find out whether something is done where the ``try`` of a clause on a line succeeds."""
    conditions = finding.statement.conditions
    if not conditions or not is_easily_said(conditions):
        return False
    last = conditions[-1]
    return last.kind == "no_error" and last.first == line


def _next_step(code: CodeContext, intent: Intent, *, is_left: bool) -> tuple[Finding, ...]:
    """Find what the function surely does behind the ``try``; what it returns says most."""
    opened = code.function(intent.subject)
    sites = handler_sites(*opened) if opened is not None else ()
    own_sites = (handler for handler in sites if handler.first == intent.lines.start)
    site = next(own_sites, None)
    if site is None or site.path is None:
        return ()
    effects = find_statements(code, intent.subject, DEEDS)
    last_line = intent.lines.end
    below = [effect for effect in effects if effect.lines.start > last_line]
    going_on = [effect for effect in below if _surely_follows(effect, site.path, is_left=is_left)]
    returned = [effect for effect in going_on if isinstance(effect.statement, Returned)]
    return tuple(_first(returned) or _first(going_on))


def _surely_follows(effect: Finding, tried: Path, *, is_left: bool) -> bool:
    """Find out whether something is surely done behind a ``try``, and can be said."""
    conditions = effect.statement.conditions
    if not is_easily_said(conditions) or not _is_behind(conditions, tried):
        return False
    # What comes of a loop that has run out does not tell what comes of one that was left.
    is_after_loop = any(step.kind == "loop_end" for step in conditions)
    return not (is_left and is_after_loop)


def _is_behind(path: Path, tried: Path) -> bool:
    """Find out whether what was so at the ``try``, or ends a loop around it, leads to a place."""
    tests = set(split_tests(tried))
    further_conditions = (condition for condition in path if condition not in tests)
    return all(condition.kind == "loop_end" for condition in further_conditions)


def _first(findings: Sequence[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda finding: finding.lines.start)[:1]
