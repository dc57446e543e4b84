"""Conditions in words: what a test in code comes to, said as a colleague says it.

Only forms that every Python developer reads alike are put into words. Of a path with any other test
nothing is said.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.path_conditions import Condition, Path

IN_OTHER_WORDS: Final = "In other words,"
_NO_INSTANCE: Final = re.compile(r"isinstance\((?P<value>[\w.]+), (?P<kind>[\w.]+)\)")
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


def gloss(path: Path) -> str:
    """Say in words what the tests of a path come to.

    Returns:
        A sentence; empty where the code says it as well, or where a condition has no plain wording.
    """
    tests = [condition for condition in path if condition.kind in {"if", "unless"}]
    is_plain = not any(_has_parts(test.code) for test in tests)
    if len(tests) < len(path) or is_plain:
        return ""
    phrases = [
        outcome_in_words(test.code, holds=test.kind == "if") for test in _with_joined_kinds(tests)
    ]
    # A choice stands last, where nothing behind it can be taken for a part of it.
    phrases.sort(key=_is_choice)
    if "" in phrases or sum(map(_is_choice, phrases)) > 1:
        return ""
    *first, last = phrases
    phrase_list = f"{', '.join(first)} and {last}" if first else last
    return f"{IN_OTHER_WORDS} it happens where {phrase_list}."


def _has_parts(code: str) -> bool:
    """Find out whether a test is made of several, or denies one: such code has to be worked out."""
    try:
        expression = ast.parse(code, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    is_denial = isinstance(expression, ast.UnaryOp) and isinstance(expression.op, ast.Not)
    return is_denial or isinstance(expression, ast.BoolOp)


def _with_joined_kinds(tests: Sequence[Condition]) -> Iterator[Condition]:
    """Put tests together that one value is of neither of some classes."""
    kinds: dict[str, list[str]] = {}
    for test in tests:
        match = _NO_INSTANCE.fullmatch(test.code)
        if match is None or test.kind == "if":
            yield test
        else:
            kinds.setdefault(match["value"], []).append(match["kind"])
    for value, classes in kinds.items():
        kind = classes[0] if len(classes) == 1 else f"({', '.join(classes)})"
        yield Condition("unless", f"isinstance({value}, {kind})")


def _is_choice(phrase: str) -> bool:
    return phrase.startswith(_EITHER)


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
