"""Who takes an error that a called function raises: a caller catches it, or lets it pass."""

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from goldwright.code_reading.child_nodes import contains, name_or_attribute, own_nodes, own_tries
from goldwright.code_reading.context_managers import is_kept_by_manager
from goldwright.code_reading.error_classes import error_class, is_kind_of
from goldwright.code_reading.errors import caught_names
from goldwright.code_reading.modules import Function, Module, open_function
from goldwright.code_reading.name_uses import uses_of
from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import split_entity_id

# A function is asked about for each of its errors and callers.
_FUNCTIONS_IN_MEMORY: Final = 128

# Decorators that leave open when a function runs, or what becomes of its errors, are all others.
_PLAIN_DECORATORS: Final = frozenset({"staticmethod", "classmethod", "property", "override"})


@dataclass(frozen=True, slots=True)
class ErrorStep:
    """What a caller does with an error of a function that it calls.

    Attributes:
        caller: The id of the caller.
        callee: The id of the function that the error comes out of.
        clause: What the ``except`` clause that takes it catches, as written; empty where the
            error passes through.
        first, last: The lines of the call.
        clause_first, clause_last: The lines of the clause; 0 where the error passes through.
        raises_again: Whether the clause raises the same error again, at least sometimes.
    """

    caller: str
    callee: str
    clause: str
    first: int
    last: int
    clause_first: int = 0
    clause_last: int = 0
    raises_again: bool = False


@lru_cache(maxsize=_FUNCTIONS_IN_MEMORY)
def raises_when_called(function: Function) -> bool:
    """Check whether errors of a function come up where it is called.

    Those of a generator come up later, and a decorator may do anything with them.
    """
    if is_generator(function):
        return False
    names = {ast.unparse(decorator) for decorator in function.decorator_list}
    return names <= _PLAIN_DECORATORS


def is_generator(function: Function) -> bool:
    """Check whether a function yields: what it returns, nobody gets who calls it."""
    return contains(function.body, ast.Yield, ast.YieldFrom)


def escapes(snapshot: Snapshot, entity_id: str, line: int, error: str) -> bool:
    """Check whether an error that is raised on a line surely leaves its function."""
    opened = open_function(snapshot, entity_id)
    if opened is None:
        return False
    module, function = opened
    for handler in _handlers_around(function, line):
        if _takes(snapshot, module, handler, error) is not False:
            return False
    return not is_kept_by_manager(snapshot, function, line)


def is_guarded(snapshot: Snapshot, entity_id: str, line: int) -> bool:
    """Check whether a clause of the same function may take an error that is raised on a line."""
    opened = open_function(snapshot, entity_id)
    if opened is None:
        return True
    _, function = opened
    return next(_handlers_around(function, line), None) is not None


def calls_of(snapshot: Snapshot, caller: str, callee: str) -> tuple[ast.Call, ...]:
    """List the calls by which a function calls another one, by its name; of coroutines as well."""
    opened = open_function(snapshot, caller)
    called = open_function(snapshot, callee)
    if opened is None or called is None:
        return ()
    name = _name_in_calls(callee)
    is_coroutine = isinstance(called[1], ast.AsyncFunctionDef)
    calls = _calls(opened[1], name, is_awaited=is_coroutine)
    return tuple(call for call in calls if call is not None)


def error_step(snapshot: Snapshot, caller: str, callee: str, error: str) -> ErrorStep | None:
    """Find out what a caller does with an error; None where its calls differ or it is unsure.

    Args:
        snapshot: The codebase.
        caller: The id of the caller.
        callee: The id of the function that the error comes out of.
        error: Its class, as ``error_class`` gives it.
    """
    opened = open_function(snapshot, caller)
    called = open_function(snapshot, callee)
    if opened is None or called is None or not raises_when_called(called[1]):
        return None
    module, function = opened
    if is_generator(function):
        # Whoever makes it does not get the error, but whoever takes its values.
        return None
    name = _name_in_calls(callee)
    is_coroutine = isinstance(called[1], ast.AsyncFunctionDef)
    steps: set[ErrorStep] = set()
    for call in _calls(function, name, is_awaited=is_coroutine):
        step = _step_at(snapshot, module, function, call, (caller, callee, error))
        if step is None:
            return None
        steps.add(step)
    clauses = {step.clause_first for step in steps}
    return min(steps, key=_first) if len(clauses) == 1 else None


def closed_catchers(
    snapshot: Snapshot, callee: str, error: str, files: Collection[str]
) -> tuple[ErrorStep, ...] | None:
    """Give every step that catches an error around a call; None where two derivations differ.

    The walk looks into every function that calls anything of the same name; the call graph must
    know each that may catch the error as a caller.

    Args:
        snapshot: The codebase.
        callee: The id of the function that the error comes out of.
        error: Its class, as ``error_class`` gives it.
        files: The files in which the simple name of the function stands.
    """
    callers = {site.entity_id for site in snapshot.graph.callers(callee)}
    steps: list[ErrorStep] = []
    for caller in _possible_catchers(snapshot, callee, error, files):
        if caller not in callers:
            return None
        step = error_step(snapshot, caller, callee, error)
        if step is None or step.raises_again or not step.clause:
            return None
        steps.append(step)
    return tuple(steps)


def _possible_catchers(
    snapshot: Snapshot, callee: str, error: str, files: Collection[str]
) -> tuple[str, ...]:
    _, qualified_name = split_entity_id(callee)
    name = qualified_name.rpartition(".")[2]
    catchers: dict[str, None] = {}
    for use in uses_of(snapshot, files, name):
        caller = use.owner_id
        if use.kind == "call" and _may_catch(snapshot, caller, use.line, error):
            catchers[caller] = None
    return tuple(catchers)


def _may_catch(snapshot: Snapshot, caller: str, line: int, error: str) -> bool:
    opened = open_function(snapshot, caller)
    if opened is None:
        # Of a function with overloads, and of code outside of functions, nobody knows.
        return True
    module, function = opened
    if is_kept_by_manager(snapshot, function, line):
        return True
    for handler in _handlers_around(function, line):
        if _takes(snapshot, module, handler, error) is not False:
            return True
    return False


def _step_at(
    snapshot: Snapshot,
    module: Module,
    function: Function,
    call: ast.Call | None,
    names: tuple[str, str, str],
) -> ErrorStep | None:
    caller, callee, error = names
    if call is None or is_kept_by_manager(snapshot, function, call.lineno):
        return None
    last = call.end_lineno or call.lineno
    for handler in _handlers_around(function, call.lineno):
        takes = _takes(snapshot, module, handler, error)
        if takes is None:
            return None
        if takes:
            clause = module.text.of(handler.type) if handler.type else "BaseException"
            return ErrorStep(
                caller,
                callee,
                clause,
                call.lineno,
                last,
                clause_first=handler.lineno,
                clause_last=handler.end_lineno or handler.lineno,
                raises_again=_has_bare_raise(handler),
            )
    return ErrorStep(caller, callee, "", call.lineno, last)


def _name_in_calls(callee: str) -> str:
    """Give the name by which a function is called: an ``__init__`` by that of its class."""
    _, name = split_entity_id(callee)
    return name.removesuffix(".__init__").rpartition(".")[2]


def _first(step: ErrorStep) -> int:
    return step.first


def _calls(function: Function, name: str, *, is_awaited: bool) -> Iterator[ast.Call | None]:
    """Yield the calls of a name; None for one whose errors may come up somewhere else."""
    nodes = list(own_nodes(function.body))
    awaited = {id(node.value) for node in nodes if isinstance(node, ast.Await)}
    for node in nodes:
        if not isinstance(node, ast.Call):
            continue
        if name_or_attribute(node.func) == name:
            yield node if (id(node) in awaited) == is_awaited else None


def _handlers_around(function: Function, line: int) -> Iterator[ast.ExceptHandler]:
    """Yield the clauses whose ``try`` body holds a line, those of the innermost first."""
    tries = own_tries(function.body)
    around = [node for node in tries if _has_in_body(node, line)]
    for node in sorted(around, key=_line, reverse=True):
        yield from node.handlers


def _has_in_body(node: ast.Try | ast.TryStar, line: int) -> bool:
    last = node.body[-1].end_lineno or line
    return node.body[0].lineno <= line <= last


def _line(node: ast.stmt) -> int:
    return node.lineno


def _takes(
    snapshot: Snapshot, module: Module, handler: ast.ExceptHandler, error: str
) -> bool | None:
    is_sure = True
    for name in caught_names(handler, module):
        caught = error_class(snapshot, module, name)
        takes = None if caught is None else is_kind_of(snapshot, error, caught)
        if takes:
            return True
        is_sure = is_sure and takes is not None
    return False if is_sure else None


def _has_bare_raise(handler: ast.ExceptHandler) -> bool:
    for node in own_nodes(handler.body):
        if not isinstance(node, ast.Raise):
            continue
        is_same = isinstance(node.exc, ast.Name) and node.exc.id == handler.name
        if node.exc is None or is_same:
            return True
    return False
