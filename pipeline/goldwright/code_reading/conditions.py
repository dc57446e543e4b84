"""The whole condition under which a statement is reached.

A guard around a statement is only half of it. What stands before it may leave the function, the
loop or the block (an early ``return``, a ``continue``, a handler that raises again), and then its
negation is part of the way too. Where the way cannot be put into a few conditions, nothing is
claimed about it.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from goldwright.code_reading.child_nodes import breaks_of, contains
from goldwright.code_reading.given_names import names_in
from goldwright.code_reading.header_conditions import HeaderConditions, sayable_condition
from goldwright.code_reading.past_conditions import (
    behind_catches,
    behind_changes,
    marked,
    may_be_same_error,
    reads_changed_name,
)
from goldwright.code_reading.source_text import NodeText
from goldwright.code_reading.ways_out import ALWAYS, LONGEST_WAY, WaysOut, WaysOutOfBlocks
from goldwright.path_conditions import Condition, ConditionKind, Path, sayable
from goldwright.snapshot.entities import Span


@dataclass(frozen=True, slots=True)
class ReachedStatement:
    """A statement of a function, and the whole condition under which it is reached.

    Attributes:
        node: The statement, or the header of a compound one.
        path: The conditions, from the outside in and from top to bottom; None where they are
            unclear.
    """

    node: ast.stmt
    path: Path | None


# Every kind of inquiry asks for the statements of the same functions, file by file. More would keep
# the trees of files in memory that nobody needs any more.
_FUNCTIONS_IN_MEMORY: Final = 128

# What binds less than ``not`` and ``and``.
_LOOSE: Final = re.compile(r"\b(?:or|and|if|lambda)\b|:=")

_OPPOSITES: Final[dict[ConditionKind, ConditionKind]] = {
    "if": "unless",
    "unless": "if",
    "except": "no_error",
    "no_error": "except",
}


@lru_cache(maxsize=_FUNCTIONS_IN_MEMORY)
def statements_of(
    function: ast.FunctionDef | ast.AsyncFunctionDef, text: NodeText
) -> tuple[ReachedStatement, ...]:
    """List the statements of a function with their conditions, in the order of their lines.

    Functions and classes inside it are statements of their own; what stands in them is not.
    """
    headers = HeaderConditions(text)
    paths = _Paths(headers, WaysOutOfBlocks(headers))
    return tuple(paths.block(function.body, ()))


@dataclass(frozen=True, slots=True)
class _Paths:
    """Walks through blocks and keeps account of the conditions."""

    headers: HeaderConditions
    ways_out: WaysOutOfBlocks

    def block(self, body: Sequence[ast.stmt], path: Path | None) -> Iterator[ReachedStatement]:
        header = path[-1] if path else None
        for statement in body:
            is_misread = path is not None and reads_changed_name(path, statement)
            yield ReachedStatement(statement, None if is_misread else sayable(path))
            yield from self._inside(statement, path)
            ways_out = self.ways_out.of_statement(statement)
            if ways_out == ALWAYS:
                # What follows in this block is never reached.
                return
            known = behind_catches(behind_changes(path, statement, header), [statement])
            behind = self._behind(path, ways_out, statement)
            path = None
            if known is not None and behind is not None:
                added = behind[len(known) :]
                path = (*known, *marked(added, statement))

    def _inside(self, node: ast.stmt, path: Path | None) -> Iterator[ReachedStatement]:
        match node:
            case ast.If():
                in_body = _extended(path, self.headers.test_holds(node))
                yield from self.block(node.body, in_body)
                in_else = _extended(path, self._in_else(node))
                yield from self.block(node.orelse, in_else)
            case ast.For() | ast.AsyncFor():
                # What a round changes is no longer as it was when the next one begins.
                path = behind_changes(path, node, None)
                in_body = _extended(path, self.headers.in_loop(node))
                yield from self.block(node.body, in_body)
                in_else = _extended(path, self.headers.loop_ended(node))
                yield from self.block(node.orelse, in_else)
            case ast.While():
                path = behind_changes(path, node, None)
                in_body = _extended(path, self.headers.while_holds(node))
                yield from self.block(node.body, in_body)
                yield from self.block(node.orelse, None)
            case ast.With() | ast.AsyncWith():
                yield from self.block(node.body, path)
            case ast.Try() | ast.TryStar():
                yield from self._inside_try(node, path)
            case ast.Match():
                yield from self._inside_match(node, path)
            case _:
                return

    def _in_else(self, node: ast.If) -> Condition | None:
        """Give the condition of an ``else``; of an ``elif`` it only says that others come first."""
        test_fails = self.headers.test_fails(node)
        match node.orelse:
            case [ast.If()] if test_fails is not None:
                return replace(test_fails, is_passed=True)
            case _:
                return test_fails

    def _inside_try(
        self, node: ast.Try | ast.TryStar, path: Path | None
    ) -> Iterator[ReachedStatement]:
        yield from self.block(node.body, path)
        for handler in node.handlers:
            in_handler = _extended(path, self.headers.error_caught(handler))
            yield from self.block(handler.body, in_handler)
        no_errors = [self.headers.no_error(handler) for handler in node.handlers]
        in_body = self.ways_out.of_block(node.body)
        behind_body = self._behind(path, in_body, node) if in_body else path
        yield from self.block(node.orelse, _extended(behind_body, *no_errors))
        yield from self.block(node.finalbody, behind_catches(path, [node]))

    def _inside_match(self, node: ast.Match, path: Path | None) -> Iterator[ReachedStatement]:
        for number, case in enumerate(node.cases):
            # A later case is reached only where the earlier ones fail: plain values exclude one
            # another by themselves, other patterns and guards would have to be said.
            tried = node.cases[: number + 1]
            is_plain = all(_is_value(earlier.pattern) for earlier in tried)
            is_guarded = any(earlier.guard is not None for earlier in tried)
            is_sayable = not is_guarded and (number == 0 or is_plain)
            inner: Path | None = None
            if is_sayable:
                inner = _extended(path, self.headers.case_matches(node, case))
            yield from self.block(case.body, inner)

    def _behind(self, path: Path | None, ways_out: WaysOut, statement: ast.stmt) -> Path | None:
        """Give the conditions behind a statement that leaves its block in some ways."""
        # "For each" item would be false of what stops at the first one that fits.
        behind = None if ways_out and _ends_loop_over_items(statement, path) else path
        for exit_path in ways_out:
            if behind is None:
                return None
            # What holds already need not be negated: the ``elif`` behind an ``if`` that left.
            remaining = tuple(condition for condition in exit_path if not _holds(condition, behind))
            negation = self._negation(remaining, statement)
            if negation is not None:
                goes_on = contains([statement], ast.Return, ast.Continue, ast.Break)
                negation = replace(negation, is_guard=not goes_on, is_passed=True)
            behind = _extended(behind, negation)
        return behind

    def _negation(self, exit_path: Path, statement: ast.stmt) -> Condition | None:
        """Put the negation of a way out into one condition; None where that takes more."""
        if len(exit_path) == 1 and exit_path[0].kind in _OPPOSITES:
            only = exit_path[0]
            return replace(only, kind=_OPPOSITES[only.kind])
        if exit_path and all(condition.kind in {"if", "unless"} for condition in exit_path):
            parts = [_as_operand(condition, len(exit_path)) for condition in exit_path]
            lines = Span(exit_path[0].first, exit_path[-1].last)
            return sayable_condition("unless", " and ".join(parts), "", lines)
        if isinstance(statement, ast.For | ast.AsyncFor) and len(exit_path) == 1:
            is_of_loop = exit_path[0].kind == "for"
            return self.headers.loop_ended(statement) if is_of_loop else None
        return None


def _ends_loop_over_items(statement: ast.stmt, path: Path | None) -> bool:
    """Check whether a statement may break out of the ``for`` that it stands in."""
    kinds = [condition.kind for condition in path or ()]
    loops = [kind for kind in kinds if kind in {"for", "while"}]
    if loops[-1:] != ["for"]:
        return False
    return any(True for _ in breaks_of([statement]))


def _is_value(pattern: ast.pattern) -> bool:
    return isinstance(pattern, ast.MatchValue | ast.MatchSingleton)


def _extended(path: Path | None, *conditions: Condition | None) -> Path | None:
    """Add conditions to a path; None where the path or one of them is unclear."""
    if path is None:
        return None
    if len(path) > LONGEST_WAY:
        return None
    for condition in conditions:
        if condition is None or any(_clashes(condition, earlier) for earlier in path):
            return None
        path = (*path, condition)
    return path


def _clashes(condition: Condition, earlier: Condition) -> bool:
    """Check whether two conditions would be taken for one another in a sentence.

    The same name had another value when the earlier one was tested; or the same error is spoken of
    twice, and nobody knows of which ``try``.
    """
    if {condition.kind, earlier.kind} <= {"except", "no_error"}:
        is_denied = condition.kind != earlier.kind
        is_same = condition.code == earlier.code
        return is_same or (is_denied and may_be_same_error(condition.code, earlier.code))
    if not earlier.is_past:
        return False
    return not names_in(condition.code).isdisjoint(names_in(earlier.code))


def _holds(condition: Condition, path: Path) -> bool:
    """Check whether a test is known to come out so; of errors and loops each is another one."""
    if condition.kind not in {"if", "unless"}:
        return False
    return any(earlier == condition and not earlier.is_past for earlier in path)


def _as_operand(condition: Condition, parts: int) -> str:
    """Write a condition as one operand of an ``and``, in brackets where it would fall apart."""
    is_compound = _LOOSE.search(condition.code) is not None
    bracketed = f"({condition.code})" if is_compound else condition.code
    if condition.kind == "unless":
        return f"not {bracketed}"
    return bracketed if parts > 1 else condition.code
