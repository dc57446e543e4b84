"""Who has a parameter, and where one of them hands it on to another."""

import ast
from collections.abc import Collection, Iterator, Sequence
from typing import Final, TypeGuard

from goldwright.code_reading.child_nodes import own_nodes, walk
from goldwright.code_reading.modules import Module
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
    takers = _telling_takers(code, parameter)
    if not takers or not are_joined(code, takers, by_calls=True):
        return ()
    hops: set[tuple[str, str]] = set()
    for hop in hops_between(code, takers, parameter):
        callees = [taker for taker in takers if leads_to(hop, taker)]
        hops.update((hop.entity_id, callee) for callee in callees)
    if not hops or not _calls_between(code, takers) <= hops:
        return ()
    return _in_order(takers, hops)


def _telling_takers(code: CodeContext, parameter: str) -> tuple[str, ...]:
    """Give all functions with a parameter, if each can be told from the others."""
    takers = functions_taking(code.snapshot, parameter) or ()
    # First, so that what follows never compares thousands of functions with one another.
    if not 1 < len(takers) <= MOST_TAKERS:
        return ()
    names = {name_of(taker) for taker in takers}
    # What is defined inside another one sees its names anyway.
    prefixes = tuple(f"{taker}." for taker in takers)
    is_nested = any(taker.startswith(prefixes) for taker in takers)
    is_unreadable = None in map(code.function, takers)
    if len(names) < len(takers) or is_nested or is_unreadable:
        return ()
    return tuple(takers)


def _in_order(takers: Sequence[str], hops: Collection[tuple[str, str]]) -> tuple[str, ...]:
    """Put functions in the order of their hops; nothing where these make no single way."""
    reached = {callee for _, callee in hops}
    starts = [taker for taker in takers if taker not in reached]
    # Several beginnings would be several ways.
    if len(starts) != 1:
        return ()
    ordered = list(starts)
    for taker in ordered:
        callees = [callee for caller, callee in sorted(hops) if caller == taker]
        ordered.extend(callee for callee in callees if callee not in ordered)
    goes_back = any(ordered.index(caller) > ordered.index(callee) for caller, callee in hops)
    return () if goes_back else tuple(ordered)


def _calls_between(code: CodeContext, takers: Sequence[str]) -> set[tuple[str, str]]:
    """Give which of the functions call which: a call that hands nothing on leaves the way open."""
    calls: set[tuple[str, str]] = set()
    for taker in takers:
        sites = code.snapshot.graph.callees(taker)
        called_ids = {site.entity_id for site in sites}
        callees = called_ids.intersection(takers) - {taker}
        calls.update((taker, callee) for callee in callees)
    return calls


def hops_between(code: CodeContext, takers: Sequence[str], parameter: str) -> Iterator[Finding]:
    """Find where one of the functions hands the parameter on to another one of them."""
    for taker in takers:
        for finding in find_statements(code, taker, (HandsOn,)):
            statement = finding.statement
            if not isinstance(statement, HandsOn) or statement.parameter != parameter:
                continue
            other_takers = (other for other in takers if other != taker)
            callees = (callee for callee in other_takers if leads_to(finding, callee))
            if any(_keeps_its_name(code, finding, callee) for callee in callees):
                yield finding


def _keeps_its_name(code: CodeContext, hop: Finding, callee: str) -> bool:
    """Find out whether a parameter does not arrive as another one, by its place in a call."""
    assert isinstance(hop.statement, HandsOn)  # noqa: S101  # hops are nothing else
    caller = code.function(hop.entity_id)
    called = code.function(callee)
    if caller is None or called is None:
        return False
    module, function = caller
    for node in own_nodes(function.body):
        if not isinstance(node, ast.Call) or not hop.lines.start <= node.lineno <= hop.lines.end:
            continue
        is_hop = module.text.of(node.func) == hop.statement.callee
        if is_hop and not is_given_under_its_name(node, hop.statement.parameter, called[1]):
            return False
    return True


def leads_to(hop: Finding, taker: str) -> bool:
    """Find out whether a function is what a parameter is handed on to."""
    assert isinstance(hop.statement, HandsOn)  # noqa: S101  # hops are nothing else
    called = hop.statement.callee.rpartition(".")[2]
    name = name_of(taker)
    if name.endswith(".__init__"):
        name = name.removesuffix(".__init__")
    simple_name = name.rpartition(".")[2]
    return taker != hop.entity_id and simple_name == called


def is_given_in_other_ways(code: CodeContext, takers: Sequence[str], parameter: str) -> bool:
    """Find out whether a call of something else gives it by its name, as ``functools.partial``
    does: whoever makes that call would have to be changed as well.
    """
    names = {called_name(taker) for taker in takers}
    for path in product_files_with(code.snapshot, parameter) or ():
        module = code.module(path)
        if module is None or _is_given_to_others(module, parameter, names):
            return True
    return False


def _is_given_to_others(module: Module, parameter: str, names: Collection[str]) -> bool:
    """Find out whether a file gives a parameter by its name in a call of something else."""
    for call in filter(_is_call, walk(module.tree)):
        given_names = [keyword.arg for keyword in call.keywords]
        is_giving = parameter in given_names
        if is_giving and module.text.of(call.func).rpartition(".")[2] not in names:
            return True
    return False


def _is_call(node: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call)
