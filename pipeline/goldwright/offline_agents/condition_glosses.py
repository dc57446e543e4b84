"""Conditions in words: what a test in code comes to, said as a colleague says it.

Only forms that every Python developer reads alike are put into words. Of a path with any other test
nothing is said.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_EITHER: Final = "either "

_COMPARISONS: Final[dict[type[ast.cmpop], tuple[str, str]]] = {
    ast.Eq: ("equals", "differs from"),
    ast.NotEq: ("differs from", "equals"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("is in", "is not in"),
    ast.NotIn: ("is not in", "is in"),
    ast.Lt: ("is less than", "is not less than"),
    ast.LtE: ("is at most", "is not at most"),
    ast.Gt: ("is greater than", "is not greater than"),
    ast.GtE: ("is at least", "is not at least"),
}
_METHODS: Final = {
    "startswith": ("begins with", "does not begin with"),
    "endswith": ("ends with", "does not end with"),
}


def outcome_in_words(code: str, *, holds: bool) -> str:
    """Say how a test comes out, as in "`count` is at most `3`"; empty where no words are plain."""
    try:
        expression = ast.parse(code, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    return _Wording(code).of(expression, holds=holds)


@dataclass(frozen=True, slots=True)
class _Wording:
    """Puts a test into words; what cannot be put gives the empty text.

    Attributes:
        code: The test, from which pieces are quoted as they stand.
    """

    code: str

    def of(self, expression: ast.expr, *, holds: bool) -> str:
        match expression:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self.of(operand, holds=not holds)
            case ast.BoolOp(op=operator, values=values):
                is_choice = isinstance(operator, ast.Or) == holds
                return self._either(values, holds=holds) if is_choice else ""
            case ast.Compare(left=left, ops=[operator], comparators=[right]):
                words = _COMPARISONS[type(operator)][not holds]
                return f"{self._quoted(left)} {words} {self._quoted(right)}"
            case ast.Call():
                return self._call(expression, holds=holds)
            case ast.Name() | ast.Attribute() | ast.Subscript():
                return self._truth(expression, holds=holds)
            case _:
                return ""

    def _call(self, call: ast.Call, *, holds: bool) -> str:
        match call:
            case ast.Call(func=ast.Name(id="isinstance"), args=[value, kind], keywords=[]):
                return self._instance(value, kind, holds=holds)
            case ast.Call(func=ast.Name(id="callable"), args=[value], keywords=[]):
                return f"{self._quoted(value)} {'is' if holds else 'is not'} callable"
            case ast.Call(func=ast.Name(id="hasattr"), args=[value, name], keywords=[]):
                verb = "has" if holds else "lacks"
                return f"{self._quoted(value)} {verb} the attribute {self._quoted(name)}"
            case ast.Call(
                func=ast.Attribute(value=value, attr=method), args=[ast.Constant() as text]
            ) if method in _METHODS:
                return f"{self._quoted(value)} {_METHODS[method][not holds]} {self._quoted(text)}"
            case _:
                return self._truth(call, holds=holds)

    def _truth(self, expression: ast.expr, *, holds: bool) -> str:
        return f"{self._quoted(expression)} is {'truthy' if holds else 'falsy'}"

    def _either(self, values: list[ast.expr], *, holds: bool) -> str:
        """Say that one of some tests comes out so; a choice inside would be read in two ways."""
        phrases = [self.of(value, holds=holds) for value in values]
        is_nested = any(isinstance(value, ast.BoolOp) for value in values)
        return "" if is_nested or "" in phrases else f"{_EITHER}{' or '.join(phrases)}"

    def _instance(self, value: ast.expr, kind: ast.expr, *, holds: bool) -> str:
        kinds = [self._quoted(alternative) for alternative in _alternatives(kind)]
        if holds:
            return f"{self._quoted(value)} is an instance of {' or '.join(kinds)}"
        if len(kinds) == 1:
            return f"{self._quoted(value)} is no instance of {kinds[0]}"
        return f"{self._quoted(value)} is an instance of neither {' nor '.join(kinds)}"

    def _quoted(self, expression: ast.expr) -> str:
        return f"`{ast.get_source_segment(self.code, expression)}`"


def _alternatives(kind: ast.expr) -> Iterator[ast.expr]:
    match kind:
        case ast.Tuple(elts=kinds):
            yield from kinds
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            yield from _alternatives(left)
            yield from _alternatives(right)
        case _:
            yield kind
