"""What a call decides by the arguments that it leaves out: which tests cannot come out true."""

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from goldwright.code_reading.child_nodes import own_nodes
from goldwright.code_reading.modules import Function
from goldwright.path_conditions import Path

# A value that nothing is known of.
_UNKNOWN: Final = object()
# What a call puts before its first argument.
_BOUND: Final = frozenset({"self", "cls"})
_COMPARISONS: Final[Mapping[type[ast.cmpop], Callable[[object, object], bool]]] = {
    ast.Is: lambda left, right: left is right,
    ast.IsNot: lambda left, right: left is not right,
    ast.Eq: lambda left, right: left == right,
    ast.NotEq: lambda left, right: left != right,
}


def rules_out(call: ast.Call, function: Function, path: Path) -> bool:
    """Check whether a call never leads to a statement, since a default decides a test before it.

    Args:
        call: A call of the function.
        function: What is called.
        path: The conditions of the statement.

    Returns:
        False as well where nothing can be said, such as of a call that unpacks its arguments.
    """
    values = _defaults_left(call, function)
    for condition in path if values else ():
        # Of a name that is given another value before the test, the default says nothing.
        if condition.kind not in {"if", "unless"} or condition.is_past:
            continue
        outcome = _outcome(ast.parse(f"({condition.code})", mode="eval").body, values)
        if outcome is not _UNKNOWN and bool(outcome) is not (condition.kind == "if"):
            return True
    return False


def _defaults_left(call: ast.Call, function: Function) -> dict[str, object]:
    """Give the plain defaults of the parameters that a call does not give and nothing changes."""
    is_unpacked = any(isinstance(argument, ast.Starred) for argument in call.args)
    if is_unpacked or any(keyword.arg is None for keyword in call.keywords):
        return {}
    parameters = function.args
    positional = [*parameters.posonlyargs, *parameters.args]
    padding: list[ast.expr | None] = [None] * (len(positional) - len(parameters.defaults))
    defaults = dict(zip(positional, [*padding, *parameters.defaults], strict=True))
    defaults.update(zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True))
    is_bound = positional[:1] != [] and positional[0].arg in _BOUND
    # Called on a class, a method is given its object as an argument like others.
    given = {parameter.arg for parameter in positional[: len(call.args) + is_bound]}
    given.update(keyword.arg for keyword in call.keywords if keyword.arg is not None)
    given.update(
        node.id
        for node in own_nodes(function.body)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del)
    )
    return {
        parameter.arg: default.value
        for parameter, default in defaults.items()
        if isinstance(default, ast.Constant) and parameter.arg not in given
    }


def _outcome(expression: ast.expr, values: Mapping[str, object]) -> object:
    """Give the value of a test, as far as known values and plain operators tell it."""
    match expression:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name):
            return values.get(name, _UNKNOWN)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _denied(_outcome(operand, values))
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            return _compared(operator, _outcome(left, values), _outcome(right, values))
        case ast.BoolOp(op=operator, values=operands):
            outcomes = [_outcome(operand, values) for operand in operands]
            return _joined(outcomes, decides=isinstance(operator, ast.Or))
        case _:
            return _UNKNOWN


def _denied(outcome: object) -> object:
    return outcome if outcome is _UNKNOWN else not outcome


def _compared(operator: ast.cmpop, left: object, right: object) -> object:
    compare = _COMPARISONS.get(type(operator))
    if compare is None or left is _UNKNOWN or right is _UNKNOWN:
        return _UNKNOWN
    return compare(left, right)


def _joined(outcomes: Sequence[object], *, decides: bool) -> object:
    """Join the operands of ``or``, where a true one decides, or of ``and``, where a false one does.

    One that decides does so whatever the unknown ones are.
    """
    known = [bool(outcome) for outcome in outcomes if outcome is not _UNKNOWN]
    if decides in known:
        return decides
    return _UNKNOWN if len(known) < len(outcomes) else not decides
