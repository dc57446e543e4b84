"""The condition that one header states: a test, a loop, an ``except`` clause, a case.

Each is None where its code is too long to be said, or cannot be shown.
"""

import ast
from dataclasses import dataclass, replace

from goldwright.code_reading.child_nodes import breaks_of, contains
from goldwright.code_reading.source_text import NodeText
from goldwright.path_conditions import LONGEST_CONDITION, Condition, ConditionKind
from goldwright.snapshot.entities import Span


@dataclass(frozen=True, slots=True)
class HeaderConditions:
    """Puts the headers of compound statements into conditions.

    Attributes:
        text: Writes nodes as they stand in the source.
    """

    text: NodeText

    def test_holds(self, node: ast.If) -> Condition | None:
        """The test of an ``if`` comes out true."""
        return _tested(node.test, self.text, is_true=True)

    def test_fails(self, node: ast.If) -> Condition | None:
        """The test of an ``if`` comes out false."""
        return _tested(node.test, self.text, is_true=False)

    def while_holds(self, node: ast.While) -> Condition | None:
        """The test of a ``while`` comes out true."""
        test = self.text.of(node.test)
        return sayable_condition("while", test, "", _lines_of(node.test))

    def in_loop(self, node: ast.For | ast.AsyncFor) -> Condition | None:
        """A ``for`` loop is at one of its items."""
        iterated = self.text.of(node.iter)
        variable = self.text.of(node.target)
        condition = sayable_condition("for", iterated, variable, _header_of(node))
        if condition is None or not _may_be_left(node):
            return condition
        return replace(condition, is_left=True)

    def loop_ended(self, node: ast.For | ast.AsyncFor) -> Condition | None:
        """A ``for`` loop has gone through all its items."""
        iterated = self.text.of(node.iter)
        variable = self.text.of(node.target)
        return sayable_condition("loop_end", iterated, variable, _header_of(node))

    def error_caught(self, handler: ast.ExceptHandler) -> Condition | None:
        """The clause of a ``try`` catches an error."""
        caught = self._caught(handler)
        return sayable_condition("except", caught, "", _clause_of(handler))

    def no_error(self, handler: ast.ExceptHandler) -> Condition | None:
        """No error comes up that the clause of a ``try`` would catch."""
        caught = self._caught(handler)
        return sayable_condition("no_error", caught, "", _clause_of(handler))

    def case_matches(self, node: ast.Match, case: ast.match_case) -> Condition | None:
        """The value of a ``match`` fits the pattern of a case."""
        subject = self.text.of(node.subject)
        pattern = self.text.of(case.pattern)
        lines = Span(node.lineno, case.pattern.end_lineno)
        return sayable_condition("case", subject, pattern, lines)

    def no_suppressed_error(self, error: ast.expr) -> Condition | None:
        """No error comes up that a ``with`` would keep to itself."""
        suppressed = self.text.of(error)
        return sayable_condition("no_error", suppressed, "", _lines_of(error))

    def _caught(self, handler: ast.ExceptHandler) -> str:
        # A bare ``except`` catches what this class and its children are.
        if handler.type is None:
            return "BaseException"
        return self.text.of(handler.type)


def sayable_condition(kind: ConditionKind, code: str, detail: str, lines: Span) -> Condition | None:
    """Make a condition; None where its code is too long to be said, or cannot be shown."""
    if not code or "`" in code or len(code) + len(detail) > LONGEST_CONDITION:
        return None
    return Condition(kind, code, detail, lines.first, lines.last)


def _may_be_left(loop: ast.For | ast.AsyncFor) -> bool:
    """Check whether a ``return`` or a ``break`` of its own may end a loop before its last item."""
    is_broken = any(True for _ in breaks_of(loop.body))
    return is_broken or contains(loop.body, ast.Return)


def _lines_of(node: ast.expr) -> Span:
    return Span(node.lineno, node.end_lineno or node.lineno)


def _header_of(loop: ast.For | ast.AsyncFor) -> Span:
    return Span(loop.lineno, _lines_of(loop.iter).last)


def _clause_of(handler: ast.ExceptHandler) -> Span:
    last = handler.lineno
    if handler.type is not None:
        last = _lines_of(handler.type).last
    return Span(handler.lineno, last)


def _tested(node: ast.expr, text: NodeText, *, is_true: bool) -> Condition | None:
    """Make the condition that an expression is true, or false; a ``not`` around it is taken off."""
    while isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        node, is_true = node.operand, not is_true
    kind: ConditionKind = "if" if is_true else "unless"
    test = text.of(node)
    return sayable_condition(kind, test, "", _lines_of(node))
