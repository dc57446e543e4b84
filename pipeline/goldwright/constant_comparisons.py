"""Comparisons of one expression with constants, and which of them settles which."""

import ast
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, cast

# How comparisons with constants are read: their plain sign, and whether they say it or deny it.
_SIGNS: Final[dict[type[ast.cmpop], tuple[str, bool]]] = {
    ast.Eq: ("==", True),
    ast.NotEq: ("==", False),
    ast.In: ("in", True),
    ast.NotIn: ("in", False),
    # Of the constants, this is compared by identity.
    ast.Is: ("==", True),
    ast.IsNot: ("==", False),
    ast.Lt: ("<", True),
    ast.LtE: ("<=", True),
    ast.Gt: (">", True),
    ast.GtE: (">=", True),
}
_ORDERS: Final[dict[str, Callable[[Any, Any], object]]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_OPPOSITE_ORDERS: Final = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
# What nothing is known of.
_UNKNOWN: Final = object()
# That an expression is truthy, as a test of its own.
_TRUTH: Final = "bool"
_IS_INSTANCE: Final = "isinstance"
# Classes of which no object is one of two, but for ``bool``, which is an ``int``.
_CONCRETE_CLASSES: Final[dict[str, type]] = {
    concrete.__name__: concrete
    for concrete in (bool, bytes, complex, dict, float, frozenset, int, list, set, str, tuple)
}
_COLLECTIONS: Final = (ast.Tuple, ast.List, ast.Set)
# As members of enumerations are read: ``Color.RED.value``.
_OF_MEMBERS: Final = frozenset({"name", "value"})
_DOTTED: Final = re.compile(r"\w+(?:\.\w+)*")
# The first word tells what a constant of a module is one of: ``FLAG_PING`` and ``FLAG_DONE``.
_KIND_OF_CONSTANT: Final = re.compile(r"_?([A-Z][A-Z0-9]*_)[A-Z0-9_]+")


@dataclass(frozen=True, slots=True)
class NamedConstant:
    """A member of a class, or a constant of a module: another one of its kind has another value.

    Attributes:
        kind: The class, or the module with the first word of the name.
        name: The whole name.
    """

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class ConstantComparison:
    """What a test says of one expression and constants.

    Attributes:
        left: The expression, as its source.
        operator: ``==``, ``in``, ``<``, ``<=``, ``>`` or ``>=``; ``bool`` for whether it is truthy,
            ``isinstance`` for its class.
        values: The constants; one but for ``in``, none for ``bool``; the class for ``isinstance``.
        holds: Whether the comparison is true.
    """

    left: str
    operator: str
    values: tuple[object, ...]
    holds: bool

    def implies(self, other_comparison: "ConstantComparison") -> bool:
        """Find out whether another comparison of the same expression comes out as it says."""
        if self.holds and self.operator in {"==", "in"}:
            return all(other_comparison.is_right_of(value) for value in self.values)
        if not other_comparison.holds and other_comparison.operator in {"==", "in"}:
            return all(self.excludes(value) for value in other_comparison.values)
        if self.holds and self.operator == other_comparison.operator == _IS_INSTANCE:
            return other_comparison.holds is False and self._is_another_class(other_comparison)
        # Of what is not ordered, such as NaN, a comparison that fails says nothing.
        is_bound = self.holds and self.operator in _ORDERS and other_comparison.operator in _ORDERS
        return is_bound and self._is_within(other_comparison)

    def _is_within(self, other_comparison: "ConstantComparison") -> bool:
        """Find out whether a bound lies inside the one that another comparison comes to."""
        bound = (
            other_comparison.operator
            if other_comparison.holds
            else _OPPOSITE_ORDERS[other_comparison.operator]
        )
        own_value, other_value = self.values[0], other_comparison.values[0]
        if bound[0] != self.operator[0] or not self._is_comparable(other_value):
            return False
        if own_value == other_value:
            return bound == self.operator or bound.endswith("=")
        return bool(_ORDERS[bound](own_value, other_value))

    def _is_another_class(self, other_comparison: "ConstantComparison") -> bool:
        own_class, other_class = self.values[0], other_comparison.values[0]
        return {own_class, other_class} != {bool, int} and own_class is not other_class

    def is_right_of(self, value: object) -> bool:
        """Find out whether it comes out as it says where the expression has a value."""
        return self._compared_with(value) is self.holds

    def excludes(self, value: object) -> bool:
        """Find out whether it cannot come out as it says where the expression has a value."""
        return self._compared_with(value) is not self.holds and self._is_comparable(value)

    def _compared_with(self, value: object) -> bool | None:
        """Compare a value with the constants; None where they are of different kinds."""
        if not self._is_comparable(value):
            return None
        if self.operator == _TRUTH:
            return bool(value)
        if self.operator == _IS_INSTANCE:
            return isinstance(value, cast("type", self.values[0]))
        if self.operator in {"==", "in"}:
            return value in self.values
        return bool(_ORDERS[self.operator](value, self.values[0]))

    def _is_comparable(self, value: object) -> bool:
        # Nobody knows whether a named constant is nothing, or of which class it is.
        if self.operator == _TRUTH:
            return not isinstance(value, NamedConstant)
        if self.operator == _IS_INSTANCE:
            # Numbers of several classes are equal.
            return not isinstance(value, complex | float | int | NamedConstant)
        is_equality = self.operator in {"==", "in"}
        return all(
            _are_comparable(constant, value, is_equality=is_equality) for constant in self.values
        )


def _are_comparable(constant: object, value: object, *, is_equality: bool) -> bool:
    match constant, value:
        case NamedConstant(kind=kind), NamedConstant(kind=other_kind):
            return kind == other_kind
        case (NamedConstant(), _) | (_, NamedConstant()):
            return False
        case (None, _) | (_, None):
            # Nothing else equals ``None``, while 1 equals True, and 1.0 equals 1.
            return is_equality or constant is value
        case _:
            return type(constant) is type(value)


def constant_comparison(test: ast.expr | None, *, holds: bool) -> ConstantComparison | None:
    """Read a test of one expression against constants, its truth or its class; None for any other.

    Args:
        test: The test.
        holds: Whether it is true.
    """
    match test:
        case ast.Compare(left=left, ops=[compared], comparators=[right]) if is_steady(left):
            sign, is_plain = _SIGNS.get(type(compared), ("", True))
            elements = right.elts if isinstance(right, _COLLECTIONS) else [right]
            is_collection = sign == "in"
            if not sign or is_collection is not isinstance(right, _COLLECTIONS):
                return None
            values = tuple(map(_value_of, elements))
            if _UNKNOWN in values or (sign in _ORDERS and not all(map(_is_literal, elements))):
                return None
            return ConstantComparison(ast.unparse(left), sign, values, holds is is_plain)
        case ast.Call(
            func=ast.Name(id="isinstance"), args=[tested, ast.Name(id=class_name)], keywords=[]
        ) if is_steady(tested) and class_name in _CONCRETE_CLASSES:
            concrete = _CONCRETE_CLASSES[class_name]
            return ConstantComparison(ast.unparse(tested), _IS_INSTANCE, (concrete,), holds)
        case ast.expr() if is_steady(test):
            return ConstantComparison(ast.unparse(test), _TRUTH, (), holds)
        case _:
            return None


def _value_of(element: ast.expr) -> object:
    """Give the value of a literal, or what is known of a named constant."""
    if _is_literal(element):
        return ast.literal_eval(element)
    dotted = ast.unparse(element)
    if not _DOTTED.fullmatch(dotted):
        return _UNKNOWN
    *owner, name = dotted.split(".")
    if name in _OF_MEMBERS and owner:
        *owner, name = owner
    if owner and owner[-1][:1].isupper():
        return NamedConstant(".".join(owner), name)
    kind = _KIND_OF_CONSTANT.fullmatch(name)
    if kind is None:
        return _UNKNOWN
    owner_name = ".".join([*owner, kind[1]])
    return NamedConstant(owner_name, name)


def _is_literal(element: ast.expr) -> bool:
    match element:
        case ast.Constant():
            return True
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=number)):
            # True is a number to Python, and nobody negates it.
            return type(number) in {int, float}
        case _:
            return False


def is_steady(expression: ast.expr | None) -> bool:
    """Find out whether an expression gives the same when it is read again: names, and lengths."""
    match expression:
        case ast.Name():
            return True
        case ast.Attribute(value=value):
            return is_steady(value)
        case ast.Call(func=ast.Name(id="len"), args=[argument], keywords=[]):
            return is_steady(argument)
        case _:
            return False
