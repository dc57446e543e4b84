"""Putting a mutant into a process that has loaded the product already.

A function gets the mutated code in place, so everything that holds the function has it. A constant
is computed again, with all that is made of it when its module is loaded.
"""

import ast
import gc
import sys
from collections.abc import Iterator
from types import CodeType, FunctionType

from benchmarks.mutants import FUNCTIONS, Mutant, constant_name

Binding = ast.Assign | ast.AnnAssign | ast.Expr


class InapplicableError(Exception):
    """The mutant cannot be put in place of the function that is already loaded."""


def seed_mutant(mutant: Mutant) -> None:
    """Put a fault into this process, for good.

    Raises:
        InapplicableError: Python does not let the loaded function take the mutated code.
    """
    mutant.site.put(mutant.substitute)
    if mutant.site.function is None:
        _replace_constants(mutant)
    elif mutant.site.is_default:
        _replace_defaults(mutant)
    else:
        _replace_code(mutant)


def constants_of(mutant: Mutant) -> frozenset[str]:
    """Name the constants of the module that a mutant changes; none where it is in a function."""
    if mutant.site.function is not None:
        return frozenset()
    statements = _dependent_statements(mutant.site.tree, mutant.site.unit.node)
    return frozenset(map(_bound_name, statements)) - {""}


def lines_that_read(tree: ast.Module, names: frozenset[str]) -> Iterator[int]:
    """Yield the lines of functions that read one of some names, also by a default."""
    for node in ast.walk(tree):
        if isinstance(node, FUNCTIONS):
            yield from (name.lineno for name in _names_in(node) if name.id in names)
            if any(name.id in names for name in _names_in(node.args)):
                yield from range(node.body[0].lineno, (node.body[-1].end_lineno or 0) + 1)


def _replace_code(mutant: Mutant) -> None:
    path = str(mutant.site.path)
    code = compile(mutant.site.tree, path, "exec", dont_inherit=True)
    codes = {(part.co_qualname, part.co_firstlineno): part for part in _parts(code)}
    try:
        for function in _loaded_functions(mutant):
            key = (function.__code__.co_qualname, function.__code__.co_firstlineno)
            function.__code__ = codes[key]
    except (KeyError, ValueError) as error:
        raise InapplicableError(str(error)) from error


def _replace_defaults(mutant: Mutant) -> None:
    arguments = mutant.site.unit.node
    assert isinstance(arguments, ast.arguments)
    for function in _loaded_functions(mutant):
        values = function.__globals__
        if arguments.defaults:
            defaults = [_evaluate(node, values) for node in arguments.defaults]
            function.__defaults__ = tuple(defaults)
        defaults_by_name = {}
        for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
            if default is not None:
                defaults_by_name[argument.arg] = _evaluate(default, values)
        function.__kwdefaults__ = defaults_by_name or None


def _loaded_functions(mutant: Mutant) -> list[FunctionType]:
    """Find the function of a mutant, and the inner ones that it left behind when it was called."""
    path, qualified_name = str(mutant.site.path), str(mutant.site.function)
    functions = []
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType) and thing.__code__.co_filename == path:
            name = thing.__code__.co_qualname
            if name == qualified_name or name.startswith(f"{qualified_name}.<locals>."):
                functions.append(thing)
    if not functions:
        raise InapplicableError(f"{path}: {qualified_name} is not loaded")
    return functions


def _replace_constants(mutant: Mutant) -> None:
    path = str(mutant.site.path)
    statements = _dependent_statements(mutant.site.tree, mutant.site.unit.node)
    for owner in tuple(sys.modules.values()):
        if getattr(owner, "__file__", None) != path:
            continue
        values = vars(owner)
        for statement in statements:
            value = _evaluate(statement.value, values)
            name = _bound_name(statement)
            if name:
                _replace_object(name, values[name], value)


def _replace_object(name: str, original: object, value: object) -> None:
    """Replace an object under its name in every module, and where it is a default."""
    # The same object under the same name was imported from its owner.
    for module in tuple(sys.modules.values()):
        if vars(module).get(name) is original:
            setattr(module, name, value)
    # Small integers and such are one object wherever they stand, so they tell nothing.
    if not isinstance(original, int | None):
        _replace_default(original, value)


def _replace_default(original: object, value: object) -> None:
    for function in gc.get_objects():
        if not isinstance(function, FunctionType):
            continue
        defaults = function.__defaults__ or ()
        if any(default is original for default in defaults):
            replaced = [value if default is original else default for default in defaults]
            function.__defaults__ = tuple(replaced)
        defaults_by_name = function.__kwdefaults__ or {}
        for argument, default in defaults_by_name.items():
            if default is original:
                defaults_by_name[argument] = value


def _dependent_statements(tree: ast.Module, first: ast.AST) -> list[Binding]:
    """List the statements of a module that a constant goes into, from its own on."""
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    statements: list[Binding] = []
    changed: set[str] = set()
    for statement in tree.body:
        if not isinstance(statement, Binding):
            continue
        read = {name.id for name in _names_in(statement)}
        for function_name in read & functions.keys():
            read |= {name.id for name in _names_in(functions[function_name])}
        if statement is first or read & changed:
            statements.append(statement)
            changed.add(_bound_name(statement))
    return statements


def _bound_name(statement: Binding) -> str:
    return "" if isinstance(statement, ast.Expr) else constant_name(statement)


def _names_in(node: ast.AST) -> Iterator[ast.Name]:
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
            yield part


def _parts(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _parts(constant)


def _evaluate(node: ast.expr | None, values: dict[str, object]) -> object:
    assert node is not None
    expression = compile(ast.Expression(node), "<mutant>", "eval", dont_inherit=True)
    return eval(expression, values)  # noqa: S307  # the source of the product itself
