"""What a function calls of its own codebase, in which order: closed by two derivations."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from goldwright.code_reading.callers import NamedCall, called_names, end_of
from goldwright.code_reading.child_nodes import child_nodes, own_nodes
from goldwright.code_reading.modules import Definition, Function, open_function
from goldwright.path_conditions import Condition
from goldwright.snapshot import Snapshot
from goldwright.snapshot.product_code import is_product_code

_FILE_AND_LOG_METHODS: Final = frozenset(
    "read write close flush send put debug info warning error exception log".split()
)
_BUILT_IN_NAMES: Final = frozenset[str]().union(
    *map(dir, (dict, list, set, str, bytes, tuple, int))
)
# What objects of Python itself answer to: on another object than ``self`` it is no step.
COMMON_METHODS: Final = _FILE_AND_LOG_METHODS.union(
    name for name in _BUILT_IN_NAMES if not name.startswith("_")
)


@dataclass(frozen=True, slots=True)
class CallSequence:
    """What a function calls of the product.

    Attributes:
        callees: The ids of what it calls, by the first calls.
        in_order: The simple names of these, one of each statement, that are called in the same
            cases as the first one, two at least; else empty.
        calls: All these calls.
    """

    callees: tuple[str, ...]
    in_order: tuple[str, ...]
    calls: tuple[NamedCall, ...]


def call_sequence(snapshot: Snapshot, entity_id: str) -> CallSequence | None:
    """Give what a function calls of the product, by its first calls.

    The call graph resolves names. The walk resolves none: every name called that the product
    defines has to be known to the graph. The error that a ``raise`` makes is no step.

    Returns:
        None where the derivations differ, or where the conditions of a call cannot be said.
    """
    opened = open_function(snapshot, entity_id)
    # What is defined inside would be called by bare name too, and has no place of its own.
    if opened is None or any(isinstance(node, Definition) for node in own_nodes(opened[1].body)):
        return None
    module, function = opened
    if _calls_inherited(function):
        return None
    raised = set(_raised_calls(function))
    calls = [call for call in called_names(module, function) if call.end not in raised]
    of_product = [call for call in calls if _may_be_product(snapshot, call)]
    by_name: dict[str, str] = {}
    for site in snapshot.graph.callees(entity_id):
        entity = snapshot.entity(site.entity_id)
        if entity is None or entity.simple_name not in {call.name for call in of_product}:
            continue
        if by_name.setdefault(entity.simple_name, site.entity_id) != site.entity_id:
            return None
    if {call.name for call in of_product} != set(by_name):
        return None
    if any(call.path is None for call in of_product) or _has_choices(function, of_product):
        return None
    ordered = sorted(of_product, key=lambda call: (call.statement, call.end))
    callees = dict.fromkeys(by_name[call.name] for call in ordered)
    return CallSequence(tuple(callees), _in_order(ordered), tuple(ordered))


def _calls_inherited(function: Function) -> bool:
    """Check whether a step is done by a class above, of which no name here tells the method."""
    for node in own_nodes(function.body):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=name)):
                if not name.startswith("__"):
                    return True
    return False


def _raised_calls(function: Function) -> Iterator[tuple[int, int]]:
    for node in own_nodes(function.body):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            yield end_of(node.exc)


def _has_choices(function: Function, calls: Sequence[NamedCall]) -> bool:
    """Check whether a call stands in a branch of an expression: no statement tells when."""
    ends = {call.end for call in calls}
    branches: list[ast.expr] = []
    for node in own_nodes(function.body):
        if isinstance(node, ast.IfExp):
            branches += [node.body, node.orelse]
        elif isinstance(node, ast.BoolOp):
            branches += node.values[1:]
    return any(end_of(call) in ends for call in _calls_below(branches))


def _calls_below(expressions: Iterable[ast.expr]) -> Iterator[ast.Call]:
    """Yield the calls in some expressions, each once, however often one stands in another."""
    visited: set[ast.AST] = set()
    pending: list[ast.AST] = list(expressions)
    while pending:
        node = pending.pop()
        if node in visited:
            continue
        visited.add(node)
        if isinstance(node, ast.Call):
            yield node
        pending.extend(child_nodes(node))


def _in_order(ordered: Sequence[NamedCall]) -> tuple[str, ...]:
    """Name what is called one after the other, the call that is made first in each statement."""
    by_statement: dict[int, NamedCall] = {}
    called: set[str] = set()
    for call in ordered:
        # The name of a special method says nothing.
        if call.name not in called and not call.name.startswith("__"):
            by_statement.setdefault(call.statement, call)
            called.add(call.name)
    groups = list(by_statement.values())
    # "It calls one and then the other" is false wherever one is passed by and the other is not.
    # That errors end it anywhere is understood.
    alike = [call for call in groups if _cases(call) == _cases(groups[0])]
    names = tuple(call.name for call in alike)
    return names if len(names) > 1 else ()


def _cases(call: NamedCall) -> tuple[Condition, ...]:
    conditions = [condition for condition in call.path or () if not condition.is_guard]
    return tuple(condition for condition in conditions if condition.kind != "no_error")


def _may_be_product(snapshot: Snapshot, call: NamedCall) -> bool:
    names = _product_names(snapshot)
    # An object of an error does nothing by being made.
    if call.name.endswith(("Error", "Exception", "Warning")):
        return False
    if call.reach == "name":
        return call.name in names.outer
    if call.reach == "self":
        return call.name in names.methods
    is_known = call.name in names.methods or call.name in names.outer
    return is_known and call.name not in COMMON_METHODS


@dataclass(frozen=True, slots=True)
class _ProductNames:
    """The simple names of the functions and classes of product code.

    Attributes:
        outer: Those at the level of a module.
        methods: Those inside classes or functions.
    """

    outer: frozenset[str]
    methods: frozenset[str]


@lru_cache(maxsize=2)
def _product_names(snapshot: Snapshot) -> _ProductNames:
    outer: set[str] = set()
    methods: set[str] = set()
    for entity in snapshot.entities():
        if entity.kind == "variable" or not is_product_code(snapshot, entity.path):
            continue
        owner, _, simple_name = entity.name.rpartition(".")
        names = methods if owner else outer
        names.add(simple_name)
    return _ProductNames(frozenset(outer), frozenset(methods))
