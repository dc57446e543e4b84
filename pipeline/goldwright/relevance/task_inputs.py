"""What functions can be called with: literals of calls in code and examples, and type hints."""

import ast
import doctest
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

# A longer argument makes a test that nobody reads.
_LONGEST_CALL: Final = 300

# By annotation, values that functions tend to tell apart: nothing, one, several, odd ones.
_VALUES: Final[Mapping[str, Sequence[str]]] = {
    "str": ("''", "'Hello World'", "'a-b_c'", "'--name=1'", "'path/to/file.txt'", "' x, y '"),
    "int": ("0", "1", "7", "-3", "255", "12"),
    "float": ("0.0", "1.5", "-2.25", "10.0", "0.5", "3.0"),
    "bool": ("True", "False", "True", "False", "False", "True"),
    "bytes": ("b''", "b'Hello World'", "b'a=1&b=2'", "b'\\x00\\x01'", "b'x'", "b'a b'"),
    "list": ("[]", "['a', 'b']", "['x']", "[1, 2, 3]", "[3, 1]", "['b', 'a', 'b']"),
    "dict": ("{}", "{'a': 1}", "{'b': 'x', 'a': 'y'}", "{'k': [1]}", "{'a': {}}", "{1: 2}"),
}
_ALIASES: Final = {
    "Sequence": "list",
    "Iterable": "list",
    "Collection": "list",
    "tuple": "list",
    "Tuple": "list",
    "List": "list",
    "Mapping": "dict",
    "MutableMapping": "dict",
    "Dict": "dict",
}
_TRIES: Final = 6


def literal_calls(sources: Iterable[str]) -> Mapping[str, Sequence[str]]:
    """Collect the calls whose arguments are literals, by the simple name of what is called.

    Args:
        sources: Texts of Python files; examples in their docstrings are read as well.

    Returns:
        By name, the argument lists as source, each once, in the order of the files.
    """
    arguments_by_name: dict[str, dict[str, None]] = defaultdict(dict)
    for source in sources:
        for tree in _trees(source):
            for node in ast.walk(tree):
                if isinstance(node, ast.Call) and (name := _called_name(node)):
                    arguments = _literal_arguments(node)
                    if arguments is not None:
                        arguments_by_name[name].setdefault(arguments)
    return {name: tuple(arguments) for name, arguments in arguments_by_name.items()}


def hinted_calls(function: ast.FunctionDef) -> list[str]:
    """Make argument lists from the type hints of a function's required parameters.

    A parameter without a hint gets texts, numbers and lists in turn, of which the function itself
    then refuses what does not fit.
    """
    names = [parameter.arg for parameter in _required(function)]
    if not names:
        return [""]
    hints = [_plain_hint(parameter.annotation) for parameter in _required(function)]
    kinds = [[hint] if hint else ["str", "int", "list"] for hint in hints]
    calls: dict[str, None] = {}
    for number in range(_TRIES):
        for turn in range(max(map(len, kinds))):
            values = []
            for place, kinds_of_one in enumerate(kinds):
                kind = kinds_of_one[turn % len(kinds_of_one)]
                # Another value for each parameter: equal ones hide which is which.
                value_number = (number + place) % _TRIES
                values.append(_VALUES[kind][value_number])
            calls.setdefault(", ".join(values))
    return list(calls)


def _trees(source: str) -> Iterator[ast.AST]:
    tree = _parse(source)
    if tree is None:
        return
    yield tree
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Module)):
            yield from _examples(ast.get_docstring(node) or "")


def _examples(docstring: str) -> Iterator[ast.AST]:
    if ">>>" not in docstring:
        return
    try:
        examples = doctest.DocTestParser().get_examples(docstring)
    except ValueError:
        return
    for example in examples:
        tree = _parse(example.source)
        if tree is not None:
            yield tree


def _parse(source: str) -> ast.AST | None:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _called_name(call: ast.Call) -> str:
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _literal_arguments(call: ast.Call) -> str | None:
    keyword_values = [keyword.value for keyword in call.keywords]
    values = [*call.args, *keyword_values]
    if any(keyword.arg is None for keyword in call.keywords):
        return None
    try:
        for value in values:
            ast.literal_eval(value)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None
    pieces = [ast.unparse(value) for value in call.args]
    pieces += [f"{keyword.arg}={ast.unparse(keyword.value)}" for keyword in call.keywords]
    text = ", ".join(pieces)
    return text if len(text) <= _LONGEST_CALL else None


def _required(function: ast.FunctionDef) -> list[ast.arg]:
    parameters = [*function.args.posonlyargs, *function.args.args]
    optional_count = len(function.args.defaults)
    return parameters[: len(parameters) - optional_count]


def _plain_hint(annotation: ast.expr | None) -> str:
    """Name the kind of values that an annotation asks for; empty where it is not known."""
    match annotation:
        case ast.Constant(value=str() as text):
            tree = _parse(text)
            match tree:
                case ast.Module(body=[ast.Expr(value=expression)]):
                    return _plain_hint(expression)
            return ""
        case ast.Name(id=name) | ast.Attribute(attr=name):
            kind = _ALIASES.get(name, name)
            return kind if kind in _VALUES else ""
        case ast.Subscript(value=value):
            return _plain_hint(value)
        case ast.BinOp(left=left, right=right, op=ast.BitOr()):
            return _plain_hint(left) or _plain_hint(right)
        case _:
            return ""
