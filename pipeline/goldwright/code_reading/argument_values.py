"""What a call decides by its arguments: which tests in the function cannot come out true."""

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from goldwright.code_reading.modules import Function
from goldwright.code_reading.parameters import changed_names
from goldwright.path_conditions import Condition, Path, split_tests

# A value that nothing is known of.
_UNKNOWN: Final = object()
# A value of which nothing is known but that it is not None.
_SOMETHING: Final = object()
# What a call puts before its first argument.
_BOUND: Final = frozenset({"self", "cls"})
_COMPARISONS: Final[Mapping[type[ast.cmpop], Callable[[object, object], bool]]] = {
    ast.Is: lambda left, right: left is right,
    ast.IsNot: lambda left, right: left is not right,
    ast.Eq: lambda left, right: left == right,
    ast.NotEq: lambda left, right: left != right,
}


def rules_out(call: ast.Call, function: Function, path: Path, before: Path = ()) -> bool:
    """Check whether a call never leads to a statement, since its arguments decide a test before it.

    An argument is known where it is left out and has a plain default, where it is a plain value,
    and where the caller has tested it just before.

    Args:
        call: A call of the function.
        function: What is called.
        path: The conditions of the statement.
        before: The conditions under which the caller makes the call.

    Returns:
        False as well where nothing can be said, such as of a call that unpacks its arguments.
    """
    values = _known_arguments(call, function, split_tests(before))
    for condition in path if values else ():
        # Of a name that is given another value before the test, the argument says nothing.
        if condition.kind not in {"if", "unless"} or condition.is_past:
            continue
        test = ast.parse(f"({condition.code})", mode="eval")
        outcome = _outcome(test.body, values)
        if not _is_open(outcome) and bool(outcome) is not (condition.kind == "if"):
            return True
    return False


def _known_arguments(call: ast.Call, function: Function, before: Path) -> dict[str, object]:
    """Give what is known of the parameters that nothing changes inside of the function."""
    is_unpacked = any(isinstance(argument, ast.Starred) for argument in call.args)
    if is_unpacked or any(keyword.arg is None for keyword in call.keywords):
        return {}
    parameters = function.args
    positional = [*parameters.posonlyargs, *parameters.args]
    without_default = len(positional) - len(parameters.defaults)
    padding: list[ast.expr | None] = [None] * without_default
    positional_defaults = [*padding, *parameters.defaults]
    defaults = dict(zip(positional, positional_defaults, strict=True))
    defaults.update(zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True))
    arguments = {parameter.arg: default for parameter, default in defaults.items()}
    is_bound = positional[:1] != [] and positional[0].arg in _BOUND
    # Called on a class, a method is given its object as an argument like others.
    for place, parameter in enumerate(positional[: len(call.args) + is_bound]):
        arguments[parameter.arg] = None if is_bound else call.args[place]
    arguments.update({keyword.arg: keyword.value for keyword in call.keywords if keyword.arg})
    changed = changed_names(function)
    unchanged = [name for name in arguments if name not in changed]
    values = {name: _value(arguments[name], before) for name in unchanged}
    return {name: value for name, value in values.items() if value is not _UNKNOWN}


def _value(argument: ast.expr | None, before: Path) -> object:
    """Give the value of a constant; of a name, that it is something where this was tested."""
    match argument:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name) if any(_tells_something(test, name) for test in before):
            return _SOMETHING
        case _:
            return _UNKNOWN


def _tells_something(test: Condition, name: str) -> bool:
    """Check whether a condition says that a name is not None."""
    if test.is_past:
        return False
    if test.kind == "if":
        return test.code in {name, f"{name} is not None"}
    denials = {f"not {name}", f"{name} is None"}
    return test.kind == "unless" and test.code in denials


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
            if isinstance(operator, ast.In | ast.NotIn):
                is_in = isinstance(operator, ast.In)
                return _contained(_outcome(left, values), right, is_in=is_in)
            return _compared(operator, _outcome(left, values), _outcome(right, values))
        case _:
            operands, decides = _operands(expression)
            outcomes = [_outcome(operand, values) for operand in operands]
            return _joined(outcomes, decides=decides) if outcomes else _UNKNOWN


def _operands(expression: ast.expr) -> tuple[Sequence[ast.expr], bool]:
    """Give what a test joins, and whether one that is true decides; nothing for any other code."""
    match expression:
        case ast.BoolOp(op=operator, values=operands):
            return operands, isinstance(operator, ast.Or)
        case ast.Call(func=ast.Name(id="any" | "all" as name), args=[elements], keywords=[]):
            return _elements(elements), name == "any"
        case _:
            return (), False


def _elements(expression: ast.expr) -> Sequence[ast.expr]:
    """Give the elements of a list, a tuple or a set that is written down whole; else none."""
    match expression:
        case ast.List(elts=elements) | ast.Tuple(elts=elements) | ast.Set(elts=elements):
            has_unpacked = any(isinstance(element, ast.Starred) for element in elements)
            return [] if has_unpacked else elements
        case _:
            return []


def _contained(left: object, right: ast.expr, *, is_in: bool) -> object:
    elements = _elements(right)
    constants = [node.value for node in elements if isinstance(node, ast.Constant)]
    if _is_open(left) or not constants or len(constants) < len(elements):
        return _UNKNOWN
    return (left in constants) is is_in


def _denied(outcome: object) -> object:
    return _UNKNOWN if _is_open(outcome) else not outcome


def _is_open(value: object) -> bool:
    """Check whether a value may be true or false."""
    return value is _UNKNOWN or value is _SOMETHING


def _compared(operator: ast.cmpop, left: object, right: object) -> object:
    compare = _COMPARISONS.get(type(operator))
    is_of_none = isinstance(operator, ast.Is | ast.IsNot) and right is None
    if compare is None or left is _UNKNOWN or _is_open(right):
        return _UNKNOWN
    return compare(left, right) if is_of_none or left is not _SOMETHING else _UNKNOWN


def _joined(outcomes: Sequence[object], *, decides: bool) -> object:
    """Join the operands of ``or``, where a true one decides, or of ``and``, where a false one does.

    One that decides does so whatever the unknown ones are.
    """
    known = [bool(outcome) for outcome in outcomes if not _is_open(outcome)]
    if decides in known:
        return decides
    return _UNKNOWN if len(known) < len(outcomes) else not decides
