"""Who has a parameter, and where one of them hands it on to another."""

import ast
from collections.abc import Iterator, Sequence
from typing import Final, TypeGuard

from goldwright.code_reading.child_nodes import own_nodes, walk
from goldwright.code_reading.name_files import product_files_with
from goldwright.code_reading.parameters import functions_taking, is_given_under_its_name
from goldwright.offline_agents.code_context import CodeContext, name_of
from goldwright.offline_agents.inquiries.bonds import are_joined
from goldwright.offline_agents.inquiries.surroundings import called_name, find_statements
from goldwright.offline_agents.statements.hands_on import HandsOn
from goldwright.offline_agents.statements.statement import Finding

# More of them would be a list.
MOST_TAKERS: Final = 6


def takers_of(code: CodeContext, parameter: str) -> tuple[str, ...]:
    """Give all functions with a parameter, in the order of the hops; empty for no such way."""
    takers = functions_taking(code.snapshot, parameter) or ()
    # First, so that what follows never compares thousands of functions with one another.
    if not 1 < len(takers) <= MOST_TAKERS:
        return ()
    names = {name_of(taker) for taker in takers}
    # What is defined inside another one sees its names anyway.
    is_nested = any(taker.startswith(f"{outer}.") for taker in takers for outer in takers)
    is_unreadable = any(code.function(taker) is None for taker in takers)
    if len(names) < len(takers) or is_nested or is_unreadable:
        return ()
    if not are_joined(code, takers, by_calls=True):
        return ()
    hops = {
        (hop.entity_id, callee)
        for hop in hops_between(code, takers, parameter)
        for callee in takers
        if leads_to(hop, callee)
    }
    if not hops or not _calls_between(code, takers) <= hops:
        return ()
    reached = {callee for _, callee in hops}
    starts = [taker for taker in takers if taker not in reached]
    # Several beginnings would be several ways.
    if len(starts) != 1:
        return ()
    ordered = list(starts)
    for taker in ordered:
        ordered.extend(
            callee for caller, callee in sorted(hops) if caller == taker and callee not in ordered
        )
    goes_back = any(ordered.index(caller) > ordered.index(callee) for caller, callee in hops)
    return () if goes_back else tuple(ordered)


def _calls_between(code: CodeContext, takers: Sequence[str]) -> set[tuple[str, str]]:
    """Give which of the functions call which: a call that hands nothing on leaves the way open."""
    return {
        (taker, site.entity_id)
        for taker in takers
        for site in code.snapshot.graph.callees(taker)
        if site.entity_id != taker and site.entity_id in takers
    }


def hops_between(code: CodeContext, takers: Sequence[str], parameter: str) -> Iterator[Finding]:
    """Find where one of the functions hands the parameter on to another one of them."""
    for taker in takers:
        for finding in find_statements(code, taker, (HandsOn,)):
            statement = finding.statement
            if not isinstance(statement, HandsOn) or statement.parameter != parameter:
                continue
            callees = [
                callee
                for callee in takers
                if callee != taker
                and leads_to(finding, callee)
                and _keeps_its_name(code, finding, callee)
            ]
            if callees:
                yield finding


def _keeps_its_name(code: CodeContext, hop: Finding, callee: str) -> bool:
    """Find out whether a parameter does not arrive as another one, by its place in a call."""
    assert isinstance(hop.statement, HandsOn)  # noqa: S101  # hops are nothing else
    caller, called = code.function(hop.entity_id), code.function(callee)
    if caller is None or called is None:
        return False
    calls = [
        node
        for node in own_nodes(caller[1].body)
        if isinstance(node, ast.Call) and hop.lines.start <= node.lineno <= hop.lines.end
    ]
    return all(
        is_given_under_its_name(call, hop.statement.parameter, called[1])
        for call in calls
        if caller[0].text.of(call.func) == hop.statement.callee
    )


def leads_to(hop: Finding, taker: str) -> bool:
    """Find out whether a function is what a parameter is handed on to."""
    assert isinstance(hop.statement, HandsOn)  # noqa: S101  # hops are nothing else
    called = hop.statement.callee.rpartition(".")[2]
    name = name_of(taker)
    if name.endswith(".__init__"):
        name = name.removesuffix(".__init__")
    return taker != hop.entity_id and name.rpartition(".")[2] == called


def is_given_in_other_ways(code: CodeContext, takers: Sequence[str], parameter: str) -> bool:
    """Find out whether a call of something else gives it by its name, as ``functools.partial``
    does: whoever makes that call would have to be changed as well.
    """
    names = {called_name(taker) for taker in takers}
    for path in product_files_with(code.snapshot, parameter) or ():
        module = code.module(path)
        calls = () if module is None else filter(_is_call, walk(module.tree))
        if module is None or any(
            module.text.of(call.func).rpartition(".")[2] not in names
            for call in calls
            if any(keyword.arg == parameter for keyword in call.keywords)
        ):
            return True
    return False


def _is_call(node: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call)
