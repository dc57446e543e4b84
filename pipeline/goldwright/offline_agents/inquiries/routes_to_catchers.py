"""The way of an error up to the functions that catch it, where these are all known."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.code_reading.error_routes import (
    ErrorStep,
    closed_catchers,
    error_step,
    escapes,
)
from goldwright.code_reading.name_files import product_files_with
from goldwright.code_reading.word_lines import is_on_few_lines
from goldwright.offline_agents.code_context import CodeContext, name_of
from goldwright.offline_agents.inquiries.routes import (
    error_named,
    may_be_caught_above,
    never_meets,
    raised_on,
    steps_out_of,
)
from goldwright.offline_agents.statements.statement import Finding

_MOST_CATCHERS: Final = 3
# More calls between raiser and clause than this are not followed by anybody in their head.
_MOST_LEVELS: Final = 3


@dataclass(frozen=True, slots=True)
class RouteToCatchers:
    """The way of an error up to the functions that take it.

    Attributes:
        passing: The steps through functions that let it pass, from the raiser upwards.
        ends: What each caller at the end of the way does with it.
    """

    passing: tuple[ErrorStep, ...]
    ends: tuple[ErrorStep, ...]

    @property
    def functions(self) -> tuple[str, ...]:
        """The callers on the way, from below."""
        steps = (*self.passing, *self.ends)
        return tuple(dict.fromkeys(step.caller for step in steps))


def route_to_catchers(
    code: CodeContext, subject: str, line: int, error_name: str
) -> RouteToCatchers | None:
    """Follow an error upwards to the first functions that catch it; None where not all are known.

    Args:
        code: The codebase.
        subject: The function that raises it.
        line: Where it does.
        error_name: Its class, as written there.
    """
    error = error_named(code, subject, error_name)
    if error is None or not escapes(code.snapshot, subject, line, error):
        return None
    raised = raised_on(code, subject, line)
    callee = subject
    passing: list[ErrorStep] = []
    for _ in range(_MOST_LEVELS):
        files = _product_files(code, callee)
        catchers = closed_catchers(code.snapshot, callee, error, files)
        if catchers is None or not _can_all_meet(code, catchers, raised):
            return None
        if catchers and is_on_few_lines(code.snapshot, name_of(callee).rpartition(".")[2]):
            route = RouteToCatchers(tuple(passing), catchers)
            return None if _may_others_catch(code, route, subject, error_name) else route
        callers = code.closed_callers(callee) if not catchers else None
        if callers is None or len(callers) != 1:
            return None
        step = error_step(code.snapshot, callers[0], callee, error)
        if step is None:
            return None
        passing.append(step)
        callee = callers[0]
    return None


def _may_others_catch(
    code: CodeContext, route: RouteToCatchers, subject: str, error_name: str
) -> bool:
    """Find out whether somebody further up may catch what some callers let through."""
    if is_caught_by_all(code, route):
        return False
    error = error_named(code, subject, error_name)
    if error is None:
        return True
    steps = steps_out_of(code, route.ends[0].callee, error)
    return not steps or may_be_caught_above(code, steps, subject, error_name)


def _can_all_meet(code: CodeContext, catchers: Sequence[ErrorStep], raised: Finding | None) -> bool:
    """Find out whether whoever is said to catch an error can run into it; too many are none."""
    if len(catchers) > _MOST_CATCHERS:
        return False
    # Of a function further up, the conditions of the error say nothing.
    if raised is None:
        return True
    direct_steps = (step for step in catchers if step.callee == raised.entity_id)
    return not any(never_meets(code, step, raised) for step in direct_steps)


def _product_files(code: CodeContext, entity_id: str) -> tuple[str, ...]:
    simple_name = name_of(entity_id).rpartition(".")[2]
    return product_files_with(code.snapshot, simple_name) or ()


def is_caught_by_all(code: CodeContext, route: RouteToCatchers) -> bool:
    """Find out whether every known caller at the end of the way catches the error."""
    callee = route.ends[0].callee
    callers = code.closed_callers(callee)
    if callers is None:
        sites = code.snapshot.graph.callers(callee)
        callers = tuple(site.entity_id for site in sites)
    return set(callers) <= {step.caller for step in route.ends}
