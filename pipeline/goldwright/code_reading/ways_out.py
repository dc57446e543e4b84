"""The ways in which a statement leaves the block that it stands in, with their conditions."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from goldwright.code_reading.child_nodes import contains
from goldwright.code_reading.context_managers import suppressed_error
from goldwright.code_reading.header_conditions import HeaderConditions
from goldwright.code_reading.process_ends import is_end, leaves_function
from goldwright.path_conditions import BROAD_ERRORS, Condition, Path

# The ways out of a block: one path each, relative to the block. An empty path always leads out.
WaysOut = tuple[Path, ...]
ALWAYS: Final[WaysOut] = ((),)
_NEVER: Final[WaysOut] = ()
# Stands for a way out under conditions that cannot be put into words; nothing negates it.
_UNCLEAR: Final[Path] = (Condition("while", "?"), Condition("while", "?"))

# In conditions, and in ways out of one statement. With more, nothing is said of what follows:
# a sentence states six. A ladder of a thousand ``elif`` would otherwise have a thousand ways out,
# with half a million conditions, at each of its steps.
LONGEST_WAY: Final = 48


@dataclass(frozen=True, slots=True)
class WaysOutOfBlocks:
    """Finds the ways out of the statements of one function.

    Attributes:
        headers: Puts the headers of compound statements into conditions.
    """

    headers: HeaderConditions
    _ways: dict[ast.stmt, WaysOut] = field(default_factory=dict)

    def of_statement(self, node: ast.stmt) -> WaysOut:
        """Give the ways in which a statement leaves the block that it stands in."""
        ways = self._ways.get(node)
        if ways is None:
            ways = ALWAYS if is_end(node) else self._find_ways_out(node)
            self._ways[node] = ways
        return ways

    def _find_ways_out(self, node: ast.stmt) -> WaysOut:  # noqa: PLR0911  # one arm a statement
        match node:
            case ast.Return() | ast.Raise() | ast.Continue() | ast.Break():
                return ALWAYS
            case ast.If():
                return self._of_if(node)
            case ast.With() | ast.AsyncWith():
                return self._of_with(node)
            case ast.For() | ast.AsyncFor():
                return self._of_for(node)
            case ast.While():
                return self._of_while(node)
            case ast.Try() | ast.TryStar():
                return self._of_try(node)
            case ast.Match():
                leaves = any(self.of_block(case.body) for case in node.cases)
                return (_UNCLEAR,) if leaves else _NEVER
            case _:
                return _NEVER

    def of_block(self, body: Sequence[ast.stmt]) -> WaysOut:
        """Give the ways in which any of some statements leaves the block that they stand in."""
        ways: list[Path] = []
        for statement in body:
            ways_out = self.of_statement(statement)
            if ways_out == ALWAYS:
                return ALWAYS
            ways.extend(ways_out)
        return tuple(ways)

    def _of_if(self, node: ast.If) -> WaysOut:
        in_body = self.of_block(node.body)
        in_else = self.of_block(node.orelse)
        if in_body == ALWAYS == in_else:
            return ALWAYS
        by_body = _prefixed(self.headers.test_holds(node), in_body)
        by_else = _prefixed(self.headers.test_fails(node), in_else)
        return (*by_body, *by_else)

    def _of_with(self, node: ast.With | ast.AsyncWith) -> WaysOut:
        ways = self.of_block(node.body)
        suppressed = suppressed_error(node)
        if suppressed is None or not ways:
            return ways
        if ways != ALWAYS:
            return (_UNCLEAR,)
        # The statements behind are reached by an error that the ``with`` keeps to itself.
        condition = self.headers.no_suppressed_error(suppressed)
        return (_UNCLEAR,) if condition is None else ((condition,),)

    def _of_for(self, node: ast.For | ast.AsyncFor) -> WaysOut:
        """A loop leaves the block around it where its body returns or raises, not by a break."""
        if not leaves_function(node.body):
            in_else = self.of_block(node.orelse)
            # A break passes the ``else`` by, so what leaves there leaves only now and then.
            return (_UNCLEAR,) if in_else and contains(node.body, ast.Break) else in_else
        condition = self.headers.in_loop(node)
        if node.orelse or condition is None:
            return (_UNCLEAR,)
        return ((condition,),)

    def _of_while(self, node: ast.While) -> WaysOut:
        is_endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
        if is_endless and not contains(node.body, ast.Break):
            return ALWAYS
        return (_UNCLEAR,) if leaves_function(node.body) or node.orelse else _NEVER

    def _of_try(self, node: ast.Try | ast.TryStar) -> WaysOut:
        if self.of_block(node.finalbody):
            return (_UNCLEAR,)
        in_body = self.of_block([*node.body, *node.orelse])
        in_handlers: list[WaysOut] = [self.of_block(handler.body) for handler in node.handlers]
        if in_body == ALWAYS:
            ways_by_handler = zip(node.handlers, in_handlers, strict=True)
            going_on = [handler for handler, ways in ways_by_handler if ways != ALWAYS]
            return self._left_unless_caught(going_on, in_handlers)
        goes_on = any(handler_ways != ALWAYS for handler_ways in in_handlers)
        if in_body and goes_on:
            # Past an error that a clause lets go on, nobody knows how a test would have come out.
            return (_UNCLEAR,)
        if _has_broad_clause_behind(node.handlers, in_handlers):
            # "If no Exception was caught" would be false of what an earlier clause let go on.
            return (_UNCLEAR,)
        ways = list(in_body)
        for handler, handler_ways in zip(node.handlers, in_handlers, strict=True):
            ways.extend(_prefixed(self.headers.error_caught(handler), handler_ways))
        return tuple(ways)

    def _left_unless_caught(
        self, going_on: Sequence[ast.ExceptHandler], in_handlers: Sequence[WaysOut]
    ) -> WaysOut:
        """The body of a ``try`` always leaves: only a handler that goes on leads behind it."""
        if not going_on:
            return ALWAYS
        leaves_sometimes = any(ways not in (ALWAYS, _NEVER) for ways in in_handlers)
        if len(going_on) > 1 or leaves_sometimes:
            return (_UNCLEAR,)
        condition = self.headers.no_error(going_on[0])
        return (_UNCLEAR,) if condition is None else ((condition,),)


def _has_broad_clause_behind(
    handlers: Sequence[ast.ExceptHandler], ways: Sequence[WaysOut]
) -> bool:
    """Check whether a clause for any error leaves behind one that goes on."""
    goes_on = False
    for handler, handler_ways in zip(handlers, ways, strict=True):
        if goes_on and _is_broad(handler) and handler_ways:
            return True
        goes_on = goes_on or handler_ways != ALWAYS
    return False


def _is_broad(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    return isinstance(handler.type, ast.Name) and handler.type.id in BROAD_ERRORS


def _prefixed(condition: Condition | None, ways: WaysOut) -> WaysOut:
    if condition is None:
        return (_UNCLEAR,) if ways else _NEVER
    if len(ways) > LONGEST_WAY:
        return (_UNCLEAR,)
    return tuple((condition, *exit_path) for exit_path in ways)
