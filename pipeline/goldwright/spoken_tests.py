"""Tests of code in words, as a colleague says them: `x` is `None`, `name` starts with `"_"`.

Operands stand between code marks as in the source. What is said is read back to the same code, so
each form of code has one form of words, and none of them has a joint or a comma outside of code.
"""

import ast
import builtins
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_CODE: Final = r"`([^`]+)`"
# Operands that would need parentheses inside of a test, or are tests themselves.
_LOOSE: Final = (
    ast.NamedExpr,
    ast.BoolOp,
    ast.IfExp,
    ast.Lambda,
    ast.Compare,
    ast.UnaryOp,
    ast.Starred,
)
_SINGLES: Final = (None, True, False)
# Names in capitals alone are constants, which may hold several classes.
_CLASS_NAME: Final = re.compile(r"_*[A-Z]\w*[a-z]\w*")
_BUILT_IN_CLASSES: Final = frozenset(
    name for name, value in vars(builtins).items() if isinstance(value, type)
)
# Before a vowel, and before an acronym that begins with the sound of one: "an HTTPError".
_AN: Final = re.compile(r"_*(?:[aeioAEIO]|[FHLMNRSX][A-Z])")


@dataclass(frozen=True, slots=True)
class _Form:
    """A form of a test; ``{0}`` and ``{1}`` are its operands.

    Attributes:
        code: As it stands in the source.
        words: That it holds, in words.
        denied: That it does not hold; empty where another form says so.
    """

    code: str
    words: str
    denied: str = ""


_EQUALS: Final = _Form("{0} == {1}", "{0} equals {1}")
_DIFFERS: Final = _Form("{0} != {1}", "{0} differs from {1}")
# Of literals it is said that something "is" one: nobody compares them by identity.
_IS_LITERAL: Final = {
    _EQUALS.code: "{0} is {1}",
    _DIFFERS.code: "{0} is not {1}",
}
_OF_TWO_CLASSES: Final = "isinstance({0}, ({1}, {2}))"
# In the order of reading: "is not" before "is".
_FORMS: Final = (
    _Form("{0} is not {1}", "{0} is not {1}"),
    _Form("{0} is {1}", "{0} is {1}"),
    _Form("{0} not in {1}", "{0} is not in {1}"),
    _Form("{0} in {1}", "{0} is in {1}"),
    _EQUALS,
    _DIFFERS,
    _Form("{0} > {1}", "{0} exceeds {1}", "{0} does not exceed {1}"),
    _Form("{0} < {1}", "{0} is below {1}", "{0} is not below {1}"),
    _Form("{0} >= {1}", "{0} is at least {1}", "{0} is not at least {1}"),
    _Form("{0} <= {1}", "{0} is at most {1}", "{0} is not at most {1}"),
    _Form("isinstance({0}, {1})", "{0} is a {1}", "{0} is no {1}"),
    _Form(_OF_TWO_CLASSES, "", "{0} is neither a {1} nor a {2}"),
    _Form("hasattr({0}, {1})", "{0} has an attribute {1}", "{0} has no attribute {1}"),
    _Form("{0}.startswith({1})", "{0} starts with {1}", "{0} does not start with {1}"),
    _Form("{0}.endswith({1})", "{0} ends with {1}", "{0} does not end with {1}"),
    _Form("callable({0})", "{0} is callable", "{0} is not callable"),
)
_BEFORE_CLASS: Final = re.compile(r"(?<=` )(is|is neither|nor) a `(?=([^`]+)`)")
_OPERATORS: Final[dict[type[ast.cmpop], str]] = {
    ast.IsNot: "is not",
    ast.Is: "is",
    ast.NotIn: "not in",
    ast.In: "in",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Gt: ">",
    ast.Lt: "<",
    ast.GtE: ">=",
    ast.LtE: "<=",
}
_CALLED: Final = {"hasattr": 2, "callable": 1}
_METHODS: Final = frozenset({"startswith", "endswith"})
_EQUALITY_OF: Final = {words: code for code, words in _IS_LITERAL.items()}
# Texts and numbers, by their first characters.
_LITERAL: Final = re.compile(r"-?\d|[rRbBuU]{0,2}[\"']")
_FORM_OF_CODE: Final = {form.code: form for form in _FORMS}


def _pattern(words: str) -> str:
    # "A `str`", "an `int`".
    pattern = re.sub(r"\b(is|neither|nor) a ", r"\1 an? ", words)
    return re.sub(r"\{\d\}", lambda _: _CODE, pattern)


_READINGS: Final = tuple(
    (form, holds, re.compile(_pattern(words)))
    for form in _FORMS
    for words, holds in ((form.words, True), (form.denied, False))
    if words
)
# Where such words stand in a text.
_ANY: Final = re.compile("|".join(reading[2].pattern for reading in _READINGS))
_OPENING: Final = re.compile(r"\b(?:if|when|whenever|unless|provided)\s+(?=(?:not )?`)")
# One of a list of tests, in words or as code, with what joins the next one to it.
_SPOKEN: Final = re.sub(r"\((?!\?)", "(?:", _ANY.pattern)
_CODED: Final = r"(?:not )?`[^`]+`(?: (?:is|are) (?:truthy|falsy))?"
_OPERAND: Final = re.compile(
    rf"(?P<operand>{_SPOKEN}|{_CODED})(?P<joint>(?:,? and |,? or |, )(?=(?:not )?`))?"
)
_VERDICT: Final = re.compile(r"(?P<code>`[^`]+`) is (?:truthy|(?P<is_falsy>falsy))")
# What is compared by identity; who says of anything else that it "is" that may mean equality.
_SINGLE_TEXTS: Final = frozenset(map(str, _SINGLES))


def say_test(code: str, *, holds: bool = True) -> str:
    """Say in words how a test comes out; empty where its code is as good, or would be lost.

    Args:
        code: The test, an expression on one line.
        holds: Whether it is true.
    """
    expression = _parsed(code)
    form_and_operands = _form_and_operands(code, expression) if expression is not None else None
    if form_and_operands is None:
        return ""
    form, operands = form_and_operands
    # Spaced in another way, it would not come back as it stands.
    if form.code.format(*operands) != code:
        return ""
    words = form.words if holds else form.denied
    if words and _is_literal(operands[-1]):
        words = _IS_LITERAL.get(form.code, words)
    spoken = words.format(*(f"`{operand}`" for operand in operands))
    if " a {1}" not in words:
        return spoken
    return _BEFORE_CLASS.sub(_with_its_article, spoken)


def _with_its_article(match: re.Match[str]) -> str:
    """Put the article before a class that the name of the class wants."""
    article = "an" if _AN.match(match[2]) else "a"
    return f"{match[1]} {article} `"


def read_test(words: str) -> tuple[str, bool] | None:
    """Read a test back: its code, and whether it holds; None for other words."""
    for form, holds, pattern in _READINGS:
        match = pattern.fullmatch(words)
        if match is not None:
            code = form.code
            if _is_literal(match.groups()[-1]):
                code = _EQUALITY_OF.get(code, code)
            return code.format(*match.groups()), holds
    return None


def with_tests_as_code(text: str) -> str:
    """Write the tests that a text says in words behind "if", "when" or "unless" as their code.

    That one thing "is" another stays, but for ``None``, True, False and literals: it may mean that
    they are equal.
    """
    pieces: list[str] = []
    place = 0
    for test in _told_tests(text):
        pieces += (text[place : test.start("operand")], _as_code(test["operand"]))
        place = test.end("operand")
    return "".join((*pieces, text[place:]))


def operands_of_tests(text: str) -> Iterator[str]:
    """Yield the code of which a text says behind "if", "when" or "unless" how a test comes out."""
    for test in _told_tests(text):
        if read_test(test["operand"]) is not None:
            yield from re.findall(_CODE, test["operand"])


def _told_tests(text: str) -> Iterator[re.Match[str]]:
    """Yield the tests behind each word that opens a condition, in words or as code."""
    place = 0
    for opening in _OPENING.finditer(text):
        if opening.start() < place:
            continue
        place = opening.end()
        while (test := _OPERAND.match(text, place)) is not None:
            yield test
            place = test.end()
            if not test["joint"]:
                break


def _as_code(operand: str) -> str:
    verdict = _VERDICT.fullmatch(operand)
    if verdict is not None:
        return f"not {verdict['code']}" if verdict["is_falsy"] else verdict["code"]
    test = read_test(operand)
    if test is None:
        return operand
    code, holds = test
    _, is_identity, compared = code.partition(" is ")
    if is_identity and compared.removeprefix("not ") not in _SINGLE_TEXTS:
        return operand
    return f"`{code}`" if holds else f"not `{code}`"


def _form_and_operands(code: str, expression: ast.expr) -> tuple[_Form, tuple[str, ...]] | None:
    match expression:
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            is_identity = isinstance(operator, ast.Is | ast.IsNot)
            # "Equals `None`" would be taken for identity.
            if _is_single(right) and not is_identity:
                return None
            # Read back, that would be equality.
            if is_identity and _is_literal(ast.get_source_segment(code, right) or ""):
                return None
            template = f"{{0}} {_OPERATORS[type(operator)]} {{1}}"
            operands: list[ast.expr] = [left, right]
        case ast.Call(func=ast.Name(id="isinstance"), args=[value, classes], keywords=[]):
            template, operands = _of_classes(value, classes)
        case ast.Call(func=ast.Name(id=name), args=operands, keywords=[]) if _CALLED.get(
            name
        ) == len(operands):
            places = ", ".join(f"{{{number}}}" for number in range(len(operands)))
            template = f"{name}({places})"
        case ast.Call(func=ast.Attribute(value=owner, attr=name), args=[prefix], keywords=[]) if (
            name in _METHODS
        ):
            template = f"{{0}}.{name}({{1}})"
            operands = [owner, prefix]
        case _:
            return None
    if any(map(_is_loose, operands)) or not operands:
        return None
    texts = tuple(ast.get_source_segment(code, operand) or "" for operand in operands)
    return _FORM_OF_CODE[template], texts


def _of_classes(value: ast.expr, classes: ast.expr) -> tuple[str, list[ast.expr]]:
    """Take the two classes of a tuple apart, of which something is neither; none for a variable."""
    match classes:
        case ast.Tuple(elts=[first, second]) if _is_class(first) and _is_class(second):
            return _OF_TWO_CLASSES, [value, first, second]
        case _:
            return "isinstance({0}, {1})", [value, classes] if _is_class(classes) else []


def _is_literal(operand: str) -> bool:
    return _LITERAL.match(operand) is not None


def _is_class(operand: ast.expr) -> bool:
    """Find out whether an operand surely names one class: "a" would be said of several in vain."""
    match operand:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in _BUILT_IN_CLASSES or _CLASS_NAME.fullmatch(name) is not None
        case _:
            return False


def _is_loose(operand: ast.expr) -> bool:
    match operand:
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
            return False
        case _:
            return isinstance(operand, _LOOSE)


def _is_single(operand: ast.expr) -> bool:
    """Find out whether an operand is a constant that is compared by identity."""
    return isinstance(operand, ast.Constant) and any(operand.value is single for single in _SINGLES)


def _parsed(code: str) -> ast.expr | None:
    try:
        return ast.parse(code, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
