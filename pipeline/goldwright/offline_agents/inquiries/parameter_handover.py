"""How a parameter travels: who gives it, who hands it on, and what the last ones do with it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.code_reading.name_files import product_files_with
from goldwright.code_reading.parameters import gives, parameters_of
from goldwright.code_reading.word_lines import is_on_few_lines
from goldwright.offline_agents.answer_limits import MOST_FACTS
from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.effects import (
    effects_of_call,
)
from goldwright.offline_agents.inquiries.parameter_hops import (
    hops_between,
    is_given_in_other_ways,
    takers_of,
)
from goldwright.offline_agents.inquiries.parameter_uses import (
    last_uses,
    uses_of_parameter,
)
from goldwright.offline_agents.inquiries.surroundings import (
    called_name,
    each_once,
    find_statements,
)
from goldwright.offline_agents.statements.passes import Passes
from goldwright.offline_agents.statements.statement import Finding

_MOST_SUPPLIERS: Final = 2


@dataclass(frozen=True, slots=True)
class Handover:
    """How a parameter travels.

    Attributes:
        takers: All functions that have it, in the order of the hops.
        suppliers: The functions that call the first one and give it; none where nobody in the
            product does.
        supply: What each of these gives.
        hops: Where it is handed on.
        ends: What the last ones do with it.
        on_the_way: What the others do with it beside handing it on.
        is_whole: Whether it is known who gives it to the first one.
    """

    takers: tuple[str, ...]
    suppliers: tuple[str, ...]
    supply: tuple[Finding, ...]
    hops: tuple[Finding, ...]
    ends: tuple[Finding, ...]
    on_the_way: tuple[Finding, ...]
    is_whole: bool


def handover_of(code: CodeContext, parameter: str) -> Handover | None:
    """Follow a parameter from who gives it to who uses it; None where that cannot be told whole."""
    takers = takers_of(code, parameter)
    # Who checks that these are all has one search for the name.
    if not takers or not is_on_few_lines(code.snapshot, parameter):
        return None
    if is_given_in_other_ways(code, takers, parameter):
        return None
    known_supply = _supply(code, takers[0], parameter)
    supply = known_supply or ()
    hops = tuple(hops_between(code, takers, parameter))
    handing = {hop.entity_id for hop in hops}
    ends: list[Finding] = []
    on_the_way: list[Finding] = []
    for taker in takers:
        uses = uses_of_parameter(code, taker, parameter)
        if taker in handing:
            other_uses = [use for use in uses if not _is_hop(use, hops)]
            on_the_way.extend(other_uses)
        elif uses:
            ends.extend(last_uses(code, uses))
        else:
            return None
    if 1 + len(supply) + len(hops) + len(ends) + len(on_the_way) > MOST_FACTS:
        return None
    suppliers = each_once(hop.entity_id for hop in supply)
    if any(_is_called_elsewhere(code, taker, (*takers, *suppliers)) for taker in takers[1:]):
        return None
    return Handover(
        takers, suppliers, supply, hops, tuple(ends), tuple(on_the_way), known_supply is not None
    )


def _is_called_elsewhere(code: CodeContext, taker: str, others: Sequence[str]) -> bool:
    """Find out whether a function further down is called by others that give it the argument too.

    They would have to be changed as well.
    """
    callers = code.closed_callers(taker) or ()
    return not set(callers) <= set(others)


def _is_hop(use: Finding, hops: Sequence[Finding]) -> bool:
    for hop in hops:
        is_of_same = use.entity_id == hop.entity_id
        if is_of_same and (use.lines.contains(hop.lines) or hop.lines.contains(use.lines)):
            return True
    return False


def _supply(code: CodeContext, first: str, parameter: str) -> tuple[Finding, ...] | None:
    """Find what the callers of the first function give; None where they are not known or many."""
    callers = code.closed_callers(first)
    # Where the product itself never names it, the way begins outside; a function that is handed on
    # as a value, to a thread, say, gets its arguments there.
    if callers is None and _is_never_named(code, first):
        callers = ()
    opened = code.function(first)
    if callers is None or opened is None or len(callers) > _MOST_SUPPLIERS:
        return None
    place = parameters_of(opened[1]).index(parameter)
    supply: list[Finding] = []
    for caller in callers:
        calling = code.function(caller)
        if calling is None:
            return None
        is_given = gives(calling[1], called_name(first), parameter, place)
        arguments = _given(code, caller, first, parameter) if is_given else []
        if is_given is None or (is_given and not arguments):
            return None
        supply.extend(arguments)
    return tuple(supply)


def _is_never_named(code: CodeContext, function: str) -> bool:
    """Find out whether product code has the name of a function in its definition alone."""
    name = called_name(function)
    paths = product_files_with(code.snapshot, name)
    if paths is None or code.snapshot.graph.callers(function):
        return False
    named = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    texts = (code.snapshot.source(path).text for path in paths)
    counts = (len(named.findall(text)) for text in texts)
    return sum(counts) == 1


def _given(code: CodeContext, caller: str, first: str, parameter: str) -> list[Finding]:
    """Find what a function gives as a parameter: by its name, or else in the whole calls."""
    called = called_name(first)
    by_name: list[Finding] = []
    for finding in find_statements(code, caller, (Passes,)):
        statement = finding.statement
        if not isinstance(statement, Passes) or statement.keyword != parameter:
            continue
        if statement.callee.rpartition(".")[2] == called:
            by_name.append(finding)
    return by_name or list(effects_of_call(code, caller, first))
