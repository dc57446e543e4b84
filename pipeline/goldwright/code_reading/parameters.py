"""Parameters of functions by name, and where they are handed on under which name."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from goldwright.code_reading.child_nodes import own_nodes
from goldwright.code_reading.conditions import statements_of
from goldwright.code_reading.modules import Function, Module, open_module
from goldwright.code_reading.name_files import product_files_with
from goldwright.path_conditions import Path
from goldwright.snapshot import Snapshot

# Neighbouring questions ask for the same names.
_SEARCHES_IN_MEMORY: Final = 4096

# A name by itself, and no attribute of another one.
_NAME: Final = re.compile(r"(?<![\w.])[^\W\d]\w*")
_SIMPLE: Final = (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return)


@dataclass(frozen=True, slots=True)
class HandedOn:
    """A call that is given a parameter as it came in.

    Attributes:
        callee: What is called, as written.
        parameter: The parameter of the calling function.
        keyword: The name under which it is handed on; empty for its own, and for a place in the
            order.
        path: All the conditions of the statement.
        first, last: The lines of the call.
    """

    callee: str
    parameter: str
    keyword: str
    path: Path
    first: int
    last: int


def parameters_of(function: Function) -> tuple[str, ...]:
    """List the names of a function's parameters, without ``self`` and ``cls``."""
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return tuple(parameter.arg for parameter in every if parameter.arg not in {"self", "cls"})


@lru_cache(maxsize=_SEARCHES_IN_MEMORY)
def functions_taking(snapshot: Snapshot, parameter: str) -> tuple[str, ...] | None:
    """Give the ids of all functions of product code with a parameter of some name.

    Returns:
        None where the name stands in so many files that it means several things, and where a
        function gathers further arguments under it.
    """
    paths = product_files_with(snapshot, parameter)
    if paths is None:
        return None
    functions: list[str] = []
    for path in paths:
        module = open_module(snapshot, path)
        for name, node in module.definitions.items() if module is not None else ():
            if isinstance(node, ast.ClassDef):
                continue
            if parameter in _gathering(node):
                return None
            if parameter in parameters_of(node):
                functions.append(f"{path}::{name}")
    return tuple(functions)


def tests_replaced_parameter(function: Function, path: Path) -> bool:
    """Find out whether a test asks for a parameter that some branch above has given a new value.

    ``if isinstance(a, str): a = A(a)`` makes of ``isinstance(a, A)`` a test of something else than
    what was handed in: said of the parameter it would be wrong for every text.
    """
    replaced = _replaced_in_branches(function)
    for test in path if replaced else ():
        if test.kind not in {"if", "unless"}:
            continue
        for name in set(_NAME.findall(test.code)) & replaced.keys():
            if replaced[name] < test.first:
                return True
    return False


def _replaced_in_branches(function: Function) -> dict[str, int]:
    """Give the parameters that are assigned inside of a block, with the first line of that."""
    parameters = set(parameters_of(function))
    own_level = {id(statement) for statement in function.body}
    replaced: dict[str, int] = {}
    for node in own_nodes(function.body):
        if id(node) in own_level or not isinstance(node, ast.Assign | ast.AnnAssign):
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            if isinstance(target, ast.Name) and target.id in parameters:
                first_line = replaced.get(target.id, node.lineno)
                replaced[target.id] = min(first_line, node.lineno)
    return replaced


def _gathering(function: Function) -> frozenset[str]:
    """Give the names under which a function takes any number of arguments."""
    gathering = (function.args.vararg, function.args.kwarg)
    return frozenset(parameter.arg for parameter in gathering if parameter is not None)


def handed_on(module: Module, function: Function) -> Iterator[HandedOn]:
    """Yield the calls that are given a parameter of a function which nothing has changed."""
    constant = set(parameters_of(function)) - changed_names(function)
    for reached in statements_of(function, module.text):
        if reached.path is None or not isinstance(reached.node, _SIMPLE):
            continue
        for call in own_nodes([reached.node]):
            if isinstance(call, ast.Call):
                yield from _in_call(module, call, reached.path, constant)


def gives(function: Function, callee: str, parameter: str, place: int) -> bool | None:
    """Check whether a function gives a parameter to what it calls by some simple name.

    Args:
        function: The function that calls.
        callee: The simple name of what is called.
        parameter: The name of the parameter there.
        place: Its place in the order there, from 0.

    Returns:
        None where arguments are unpacked: nobody knows what is among them.
    """
    for call in own_nodes(function.body):
        if not isinstance(call, ast.Call) or _simple_name(call.func) != callee:
            continue
        if any(keyword.arg is None for keyword in call.keywords):
            return None
        if any(isinstance(argument, ast.Starred) for argument in call.args):
            return None
        if len(call.args) > place or parameter in {keyword.arg for keyword in call.keywords}:
            return True
    return False


def is_given_under_its_name(call: ast.Call, parameter: str, callee: Function) -> bool:
    """Check whether a parameter that is handed on by its place stands in the place of its name."""
    positional = [*callee.args.posonlyargs, *callee.args.args]
    names = [argument.arg for argument in positional if argument.arg not in {"self", "cls"}]
    for place, argument in enumerate(call.args):
        if isinstance(argument, ast.Name) and argument.id == parameter:
            return place < len(names) and names[place] == parameter
    return True


def _simple_name(called: ast.expr) -> str:
    match called:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _in_call(module: Module, call: ast.Call, path: Path, constant: set[str]) -> Iterator[HandedOn]:
    callee = module.text.of(call.func)
    if not re.fullmatch(r"[\w.]+", callee):
        return
    last = call.end_lineno or call.lineno
    for argument in call.args:
        if isinstance(argument, ast.Name) and argument.id in constant:
            yield HandedOn(callee, argument.id, "", path, call.lineno, last)
    for keyword in call.keywords:
        value = keyword.value
        if keyword.arg and isinstance(value, ast.Name) and value.id in constant:
            name = keyword.arg if keyword.arg != value.id else ""
            yield HandedOn(callee, value.id, name, path, call.lineno, last)


def changed_names(function: Function) -> set[str]:
    """Give the names that a function puts a value into, or deletes."""
    names = [node for node in own_nodes(function.body) if isinstance(node, ast.Name)]
    return {node.id for node in names if not isinstance(node.ctx, ast.Load)}
