"""Small faults that can be put into a module: what ``mutation_testing.py`` seeds, one at a time.

Mutated are the bodies and defaults of functions, and constants of modules. Left alone are tables
in the bodies of classes, annotations, decorators, and what an exception says.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

_COMPARISONS: Final[dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_ARITHMETIC: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
_EMPTY_VALUES: Final = {
    "tuple": "()",
    "list": "[]",
    "dict": "{}",
    "set": "set()",
    "frozenset": "frozenset()",
    "str": "''",
    "bytes": "b''",
    "int": "0",
    "float": "0.0",
}
_ENCODINGS: Final = frozenset({"ascii", "utf-8"})
_UNMUTATED_FIELDS: Final = ("annotation", "returns", "decorator_list", "format_spec", "bases")
FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_BEHIND_A_CONDITION: Final = (ast.Compare, ast.BoolOp, ast.UnaryOp, ast.Constant)


@dataclass(frozen=True)
class Unit:
    """The statement, or the head of a statement with a body, that a mutant stands in.

    Attributes:
        node: The statement, the case of a match, or the arguments of a function.
        first_line: The first of its lines whose execution makes a test concerned.
        last_line: The last of them.
    """

    node: ast.AST
    first_line: int
    last_line: int

    @property
    def text(self) -> str:
        """Its source in one line, as far as it has one."""
        return ast.unparse(self.node).partition("\n")[0]


@dataclass(frozen=True)
class Site:
    """A node of a module's tree, with what is needed to put another in its place."""

    path: Path
    tree: ast.Module
    node: ast.AST
    parent: ast.AST
    field: str
    index: int | None
    unit: Unit
    function: str | None
    returns: str = ""
    is_default: bool = False

    def put(self, node: ast.AST) -> None:
        """Put a node in this place of the tree."""
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


@dataclass(frozen=True)
class Mutant:
    """One fault: a node in place of another.

    Attributes:
        site: Where.
        kind: The name of the operator that made it.
        substitute: The other node.
        before: The statement as it is.
        after: The statement with the fault.
    """

    site: Site
    kind: str
    substitute: ast.AST
    before: str
    after: str

    @property
    def line(self) -> int:
        """The line of the mutated node."""
        return getattr(self.site.node, "lineno", self.site.unit.first_line)


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Make every mutant of a module, in the order of its lines."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for site in _module_sites(path, tree):
        for kind, substitute in _substitutes(site):
            ast.copy_location(substitute, site.node)
            ast.fix_missing_locations(substitute)
            before = site.unit.text
            site.put(substitute)
            is_whole = site.node is site.unit.node
            after = ast.unparse(substitute) if is_whole else site.unit.text
            site.put(site.node)
            yield Mutant(site, kind, substitute, before, after)


def _module_sites(path: Path, tree: ast.Module) -> Iterator[Site]:
    for index, statement in enumerate(tree.body):
        unit = _unit(statement)
        assert unit is not None
        site = Site(path, tree, statement, tree, "body", index, unit, None)
        if isinstance(statement, ast.ClassDef):
            yield from _class_sites(site, statement.name)
        elif isinstance(statement, FUNCTIONS):
            yield from _function_sites(site, statement.name)
        elif _is_constant(statement):
            yield from _sites_below(site)


def _is_constant(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.Assign | ast.AnnAssign) or not constant_name(statement):
        return False
    # A subscript stands for a type, such as ``Literal["a"]``.
    return not isinstance(statement.value, ast.Subscript)


def _class_sites(site: Site, name: str) -> Iterator[Site]:
    assert isinstance(site.node, ast.ClassDef)
    for index, statement in enumerate(site.node.body):
        inner = replace(site, node=statement, parent=site.node, field="body", index=index)
        if isinstance(statement, FUNCTIONS):
            yield from _function_sites(inner, f"{name}.{statement.name}")
        elif isinstance(statement, ast.ClassDef):
            yield from _class_sites(inner, f"{name}.{statement.name}")


def _function_sites(site: Site, qualified_name: str) -> Iterator[Site]:
    function = site.node
    assert isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
    first_line, last_line = function.body[0].lineno, function.body[-1].end_lineno or 0
    arguments = replace(
        site,
        node=function.args,
        unit=Unit(function.args, first_line, last_line),
        function=qualified_name,
        is_default=True,
    )
    yield from _sites_below(arguments)
    returns = ast.unparse(function.returns) if function.returns else ""
    in_body = replace(site, function=qualified_name, returns=returns)
    yield from _sites_below(in_body)


def _sites_below(site: Site) -> Iterator[Site]:
    """Yield the nodes below a node that may be mutated."""
    if isinstance(site.node, ast.Raise) or _is_unmutated_call(site.node):
        return
    for field, value in ast.iter_fields(site.node):
        if field in _UNMUTATED_FIELDS or (field == "args" and isinstance(site.node, FUNCTIONS)):
            continue
        children = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
        for index, child in children:
            if isinstance(child, ast.AST):
                below = replace(site, node=child, parent=site.node, field=field, index=index)
                below = replace(below, unit=_unit(child) or site.unit)
                yield below
                yield from _sites_below(below)


def _unit(node: ast.AST) -> Unit | None:
    if isinstance(node, ast.match_case):
        last_node = node.guard or node.pattern
        return Unit(node, node.pattern.lineno, last_node.end_lineno or 0)
    if not isinstance(node, ast.stmt | ast.ExceptHandler):
        return None
    body = getattr(node, "body", None)
    if not body:
        return Unit(node, node.lineno, node.end_lineno or node.lineno)
    return Unit(node, node.lineno, max(node.lineno, body[0].lineno - 1))


def _is_unmutated_call(node: ast.AST) -> bool:
    """Whether a node makes an exception, is for type checkers, or asserts equal lengths."""
    if isinstance(node, ast.keyword):
        return node.arg == "strict"
    if not isinstance(node, ast.Call):
        return False
    name = ast.unparse(node.func)
    return name in {"cast", "TypeVar"} or name.endswith(("Error", "Fault", "Warning"))


def constant_name(statement: ast.Assign | ast.AnnAssign | ast.Expr) -> str:
    """Name what a statement binds; empty where it binds nothing that is mutated."""
    if isinstance(statement, ast.Expr):
        return ""
    target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
    is_constant = isinstance(target, ast.Name) and target.id != "__all__"
    return ast.unparse(target) if is_constant else ""


def _substitutes(site: Site) -> Iterator[tuple[str, ast.AST]]:
    """Yield what may stand in place of a node, with the name of the operator."""
    node = site.node
    match node:
        case ast.Compare():
            yield from _comparisons(node)
        case ast.BoolOp() | ast.UnaryOp() | ast.BinOp() | ast.AugAssign():
            yield from _operations(node)
        case ast.Constant() if not isinstance(site.parent, ast.JoinedStr | ast.Expr):
            yield from _constants(node)
        case ast.Return(value=ast.expr()):
            yield from _returns(node, site.returns)
    if _is_condition(site):
        assert isinstance(node, ast.expr)
        yield "condition", ast.UnaryOp(ast.Not(), node)
    if _is_removable(node):
        yield "statement removed", ast.Pass()


def _operations(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    match node:
        case ast.BoolOp(op=ast.And()):
            yield "and or", ast.BoolOp(ast.Or(), node.values)
        case ast.BoolOp():
            yield "and or", ast.BoolOp(ast.And(), node.values)
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield "operator removed", node.operand
        case ast.BinOp() if type(node.op) in _ARITHMETIC:
            yield "arithmetic", ast.BinOp(node.left, _ARITHMETIC[type(node.op)](), node.right)
        case ast.AugAssign() if type(node.op) in _ARITHMETIC:
            operator_type = _ARITHMETIC[type(node.op)]
            yield "arithmetic", ast.AugAssign(node.target, operator_type(), node.value)


def _comparisons(node: ast.Compare) -> Iterator[tuple[str, ast.AST]]:
    for index, operator in enumerate(node.ops):
        for operator_type in _COMPARISONS[type(operator)]:
            operators = [*node.ops[:index], operator_type(), *node.ops[index + 1 :]]
            yield "comparison", ast.Compare(node.left, operators, node.comparators)


def _constants(node: ast.Constant) -> Iterator[tuple[str, ast.AST]]:
    value = node.value
    match value:
        case bool():
            yield "constant", ast.Constant(not value)
        case int():
            yield "constant", ast.Constant(value + 1)
            yield "constant", ast.Constant(value - 1)
        case float():
            # A tenth more or less stays plausible where one more would be absurd.
            yield "constant", ast.Constant(value * 1.1 if value else 1.0)
            yield "constant", ast.Constant(value * 0.9 if value else -1.0)
        case str() if _is_word(value):
            yield "word", ast.Constant(f"{value}_")


def _is_word(text: str) -> bool:
    """Whether a text is a name or a mark, and not prose."""
    # Python reads the name of an encoding with an underscore at its end like the name itself.
    return bool(text) and text not in _ENCODINGS and not any(map(str.isspace, text))


def _returns(node: ast.Return, returns: str) -> Iterator[tuple[str, ast.AST]]:
    assert node.value is not None
    empty_value = _EMPTY_VALUES.get(returns.partition("[")[0], "None")
    if ast.unparse(node.value) != empty_value and returns != "bool":
        yield "empty result", ast.parse(f"return {empty_value}").body[0]


def _is_condition(site: Site) -> bool:
    """Whether a node is a condition that no other operator turns round."""
    if isinstance(site.node, _BEHIND_A_CONDITION) or not isinstance(site.node, ast.expr):
        return False
    if isinstance(site.parent, ast.comprehension):
        return site.field == "ifs"
    return site.field in ("test", "guard")


def _is_removable(node: ast.AST) -> bool:
    match node:
        case ast.Expr(value=ast.Constant()):
            return False
        case (
            ast.Expr() | ast.AugAssign() | ast.Raise() | ast.Break() | ast.Continue() | ast.Delete()
        ):
            return True
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            return True
        case _:
            return False
