"""The conditions under which a statement of a function is reached.

The reading is conservative: it lists conditions that surely hold at the statement, and may miss
some, such as what an earlier loop or an earlier ``try`` leaves behind.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from goldwright.trust_card.source.modules import FunctionNode

ConditionKind = Literal["if", "else", "fall_through", "while", "handler", "try_else"]

# An operator and the one that says the opposite; the first of a pair is the plain form.
_OPPOSITES: Final[tuple[tuple[type[ast.cmpop], type[ast.cmpop]], ...]] = (
    (ast.Eq, ast.NotEq),
    (ast.Is, ast.IsNot),
    (ast.In, ast.NotIn),
    (ast.Lt, ast.GtE),
    (ast.Gt, ast.LtE),
)
# Calls after which nothing comes.
_ENDS_PROCESS: Final = re.compile(
    r"sys\.exit|os\._exit|os\.abort|([a-z_]+\.)*[a-z_]*parser\.(error|exit)"
)


@dataclass(frozen=True, slots=True)
class ReachingCondition:
    """One condition on the way to a statement.

    Attributes:
        kind: How the statement comes under it.
        node: The tested expression, or the caught types of a handler; None for ``try/else`` and for
            a handler of everything.
        holds: Whether the expression is true there, or false.
    """

    kind: ConditionKind
    node: ast.expr | None
    holds: bool


_ConditionedBlock: TypeAlias = tuple[ReachingCondition | None, Sequence[ast.stmt]]


@dataclass(frozen=True, slots=True)
class CodeTest:
    """An expression in its plain form, with ``not`` taken into the polarity.

    Attributes:
        source: The expression as ``ast.unparse`` writes it.
        holds: Whether it is true, or false.
    """

    source: str
    holds: bool

    @property
    def opposite(self) -> "CodeTest":
        """The same expression with the other polarity."""
        return CodeTest(self.source, not self.holds)


def conditions_at(function: FunctionNode, target: ast.stmt) -> tuple[ReachingCondition, ...] | None:
    """List the conditions that surely hold where a statement of a function is reached.

    Returns:
        The conditions, outermost first; None where the statement is not in the function itself,
        but in one inside it, or not at all.
    """
    return _in_block(function.body, target)


def plain_tests(expression: ast.expr, *, holds: bool) -> Iterator[CodeTest]:
    """Split a condition into tests that must all be as it says.

    ``a and not b`` gives ``a`` true and ``b`` false; ``not (a or b)`` gives both false. An ``or``
    that holds, or an ``and`` that does not, is one test as a whole.
    """
    match expression:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from plain_tests(operand, holds=not holds)
        case ast.BoolOp(op=ast.And(), values=values) if holds:
            for value in values:
                yield from plain_tests(value, holds=True)
        case ast.BoolOp(op=ast.Or(), values=values) if not holds:
            for value in values:
                yield from plain_tests(value, holds=False)
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            yield _comparison(left, operator, right, holds=holds)
        case _:
            yield CodeTest(source_of(expression), holds)


def whole_test(expression: ast.expr, *, holds: bool) -> CodeTest:
    """A condition as one test, with ``not`` before it taken into the polarity."""
    while isinstance(expression, ast.UnaryOp) and isinstance(expression.op, ast.Not):
        expression = expression.operand
        holds = not holds
    return CodeTest(source_of(expression), holds)


def names_in(expression: ast.expr) -> frozenset[str]:
    """The names and attributes that an expression uses, builtins and ``self`` among them."""
    names = set()
    for node in ast.walk(expression):
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.Attribute):
            names.add(node.attr)
    return frozenset(names)


def source_of(expression: ast.expr) -> str:
    """The code of an expression, in one form for all ways to write it."""
    try:
        return ast.unparse(expression)
    except RecursionError:
        # A thousand operands; nothing that a sentence quotes.
        return ""


def always_leaves(block: Sequence[ast.stmt]) -> bool:
    """Whether the end of a block is surely never reached: every path leaves it before."""
    if not block:
        return False
    match block[-1]:
        case ast.Return() | ast.Raise() | ast.Continue() | ast.Break():
            return True
        case ast.Expr(value=ast.Call(func=called)):
            return _ENDS_PROCESS.fullmatch(source_of(called)) is not None
        case ast.If() as last:
            return always_leaves(last.body) and always_leaves(last.orelse)
        case ast.With() | ast.AsyncWith() as last:
            return always_leaves(last.body)
        case _:
            return False


def _in_block(
    statements: Sequence[ast.stmt], target: ast.stmt
) -> tuple[ReachingCondition, ...] | None:
    conditions: list[ReachingCondition] = []
    for statement in statements:
        if statement is target:
            return tuple(conditions)
        inner = _inside(statement, target)
        if inner is not None:
            return (*conditions, *inner)
        conditions.extend(_after(statement))
    return None


def _inside(statement: ast.stmt, target: ast.stmt) -> tuple[ReachingCondition, ...] | None:
    """The conditions on the way from the start of a statement to a target inside it."""
    for condition, block in _blocks(statement):
        inner = _in_block(block, target)
        if inner is None:
            continue
        if condition is None:
            return inner
        return (condition, *inner)
    return None


def _blocks(statement: ast.stmt) -> Iterator[_ConditionedBlock]:
    """Yield the blocks of a compound statement, each with the condition that leads into it."""
    match statement:
        case ast.If(test=test):
            yield ReachingCondition("if", test, holds=True), statement.body
            yield ReachingCondition("else", test, holds=False), statement.orelse
        case ast.While(test=test):
            yield ReachingCondition("while", test, holds=True), statement.body
            yield None, statement.orelse
        case ast.For() | ast.AsyncFor():
            yield None, statement.body
            yield None, statement.orelse
        case ast.With() | ast.AsyncWith():
            yield None, statement.body
        case ast.Try() | ast.TryStar():
            yield from _blocks_of_try(statement)
        case ast.Match(cases=cases):
            yield from ((None, case.body) for case in cases)


def _blocks_of_try(statement: ast.Try | ast.TryStar) -> Iterator[_ConditionedBlock]:
    yield None, statement.body
    for handler in statement.handlers:
        yield ReachingCondition("handler", handler.type, holds=True), handler.body
    yield ReachingCondition("try_else", None, holds=True), statement.orelse
    yield None, statement.finalbody


def _after(statement: ast.stmt) -> Iterator[ReachingCondition]:
    """Yield what surely holds behind a statement, because the other paths have ended in it."""
    match statement:
        case ast.If(test=test):
            if always_leaves(statement.body):
                yield ReachingCondition("fall_through", test, holds=False)
                for inner in statement.orelse:
                    yield from _after(inner)
            elif statement.orelse and always_leaves(statement.orelse):
                yield ReachingCondition("fall_through", test, holds=True)
        case ast.With() | ast.AsyncWith():
            for inner in statement.body:
                yield from _after(inner)


def _comparison(
    left_operand: ast.expr, operator: ast.cmpop, right: ast.expr, *, holds: bool
) -> CodeTest:
    for plain, opposite in _OPPOSITES:
        if isinstance(operator, opposite):
            comparison = ast.Compare(left_operand, [plain()], [right])
            return CodeTest(source_of(comparison), not holds)
    comparison = ast.Compare(left_operand, [operator], [right])
    return CodeTest(source_of(comparison), holds)
