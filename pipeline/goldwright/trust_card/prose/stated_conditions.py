"""The conditions in code marks that a sentence states, as tests."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.trust_card.prose.sentences import code_marks, without_code_marks
from goldwright.trust_card.source.conditions import CodeTest, plain_tests, whole_test
from goldwright.trust_card.source.modules import parse_source

# Words that open a condition, and the first code in code marks.
_OPENING: Final = re.compile(
    r"\b(?P<opening>when(?:ever)?|if|unless|as long as|because|since|for which|and)\s+"
    r"(?=(?:not\s+)?`)",
    re.IGNORECASE,
)
# Code in code marks, what is said of it, and what joins the next one to it.
_ITEM: Final = re.compile(
    r"""
    (?P<denied> not \s+ )? `(?P<code>[^`]+)`
    (?P<said> \s+ (?: (?:is|are)\ (?:truthy|true|set|falsy|false|not\ set|unset|empty)
        | holds | hold | (?:does|do)\ not\ hold | is\ (?:not\ )?callable
        | (?: equals | differs\ from | exceeds | does\ not\ exceed
            | is\ (?:not\ )?(?:below|at\ least|at\ most) | has\ (?:an|no)\ attribute
            | (?:starts|ends|does\ not\ (?:start|end))\ with
            | is\ (?:(?:an?|no|not\ an?)\ instance\ of | an? | no | not\ in | in | not)
            | is ) \s+ `[^`]+` )
    )?
    (?P<joint> (?: , | ,?\s+and | ,?\s+or ) \s+ (?=(?:not\s+)?`) )?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_ARTICLE: Final = re.compile(r"\ban\b")
# What is said of an expression, without articles before vowels, and the same as code.
_SAID_AS_CODE: Final = {
    "is": "{0} is {1}",
    "is not": "{0} is not {1}",
    "is in": "{0} in {1}",
    "is not in": "{0} not in {1}",
    "equals": "{0} == {1}",
    "differs from": "{0} != {1}",
    "exceeds": "{0} > {1}",
    "does not exceed": "not {0} > {1}",
    "is below": "{0} < {1}",
    "is not below": "not {0} < {1}",
    "is at least": "{0} >= {1}",
    "is not at least": "not {0} >= {1}",
    "is at most": "{0} <= {1}",
    "is not at most": "not {0} <= {1}",
    "is a instance of": "isinstance({0}, {1})",
    "is a": "isinstance({0}, {1})",
    "is no instance of": "not isinstance({0}, {1})",
    "is not a instance of": "not isinstance({0}, {1})",
    "is no": "not isinstance({0}, {1})",
    "has a attribute": "hasattr({0}, {1})",
    "has no attribute": "not hasattr({0}, {1})",
    "starts with": "{0}.startswith({1})",
    "does not start with": "not {0}.startswith({1})",
    "ends with": "{0}.endswith({1})",
    "does not end with": "not {0}.endswith({1})",
    "is callable": "callable({0})",
    "is not callable": "not callable({0})",
}
# Of a text or a number, it is equality that "is" means.
_EQUALITY: Final = {"is": "{0} == {1}", "is not": "{0} != {1}"}
_LITERAL: Final = re.compile(r"-?\d|[rRbBuU]{0,2}[\"']")
# What is said of all that stands before it.
_SHARED: Final = re.compile(r"\s+(?:are|hold|do)\b", re.IGNORECASE)
# What may follow a list of conditions; behind other words its last member may be something else.
_END: Final = re.compile(
    r"(?:[.,;:)]|$|\s+(?:unless|in|after|while|if|once|when|because|since|and|but|as)\b)",
    re.IGNORECASE,
)
_FALSE: Final = re.compile(r"falsy|false|not hold|not set|unset|empty")


@dataclass(frozen=True, slots=True)
class StatedCondition:
    """A condition of a sentence.

    Attributes:
        tests: The tests that must all be as it says, the condition as a whole among them.
        code: Its code marks, one after the other.
    """

    tests: frozenset[CodeTest]
    code: str


def stated_conditions(text: str) -> Iterator[StatedCondition]:
    """Yield the conditions of a text that can be read for sure.

    ``if `a` or `b` `` states neither of the two, so both are left out.
    """
    end = 0
    for match in _OPENING.finditer(text):
        if match.start() < end:
            continue
        items, end = _items(text, match.end())
        opening = match["opening"].lower()
        stated_joints = [item["joint"] or "" for item in items[:-1]]
        plain_joints = {joint.strip(" ,").lower() for joint in stated_joints}
        joints = plain_joints - {""}
        if not joints <= {"or" if opening == "unless" else "and"}:
            continue
        is_clear = opening != "and"
        if len(items) > 1:
            is_clear = _END.match(text, end) is not None
        for item, condition_text in _with_what_is_said(items):
            is_last = item is items[-1]
            if condition_text or not is_last or is_clear:
                is_denied = (item["denied"] is not None) != (opening == "unless")
                yield from _read_condition(item["code"], condition_text, is_denied=is_denied)


def tests_said_in_words(text: str) -> Iterator[str]:
    """Yield the code of each test that a text says in words, as in "`n` exceeds `3`"."""
    for item in _ITEM.finditer(text):
        template = _template(item["said"] or "").removeprefix("not ")
        if template:
            marks = code_marks(item["said"])
            yield template.format(item["code"], *marks)


def _items(text: str, start: int) -> tuple[list[re.Match[str]], int]:
    """Read a list of conditions, and where it ends."""
    items: list[re.Match[str]] = []
    while (item := _ITEM.match(text, start)) is not None:
        items.append(item)
        start = item.end()
        if not item["joint"]:
            break
    return items, start


def _with_what_is_said(items: Sequence[re.Match[str]]) -> Iterator[tuple[re.Match[str], str]]:
    """Yield each condition with what is said of it, be it at the end for several at once."""
    shared = ""
    condition_texts: list[str] = []
    for item in reversed(items):
        condition_text = item["said"] or ""
        if condition_text:
            shared = condition_text if _SHARED.match(condition_text) else ""
        condition_texts.append(condition_text or shared)
    yield from zip(items, reversed(condition_texts), strict=True)


def _read_condition(
    code_text: str, condition_text: str, *, is_denied: bool
) -> Iterator[StatedCondition]:
    code = _as_code(code_text, condition_text)
    expression = _parse(code)
    if expression is None:
        return
    holds = _FALSE.search(without_code_marks(condition_text)) is None
    if is_denied:
        holds = not holds
    tests = {*plain_tests(expression, holds=holds), whole_test(expression, holds=holds)}
    yield StatedCondition(frozenset(tests), code)


def _as_code(code: str, condition_text: str) -> str:
    """Write an expression and what is said of it as one expression."""
    template = _template(condition_text)
    operands = [f"({operand})" for operand in (code, *code_marks(condition_text))]
    return template.format(*operands) if template else code


def _template(condition_text: str) -> str:
    """Give the form of code for what is said of an expression; empty for a bare verdict."""
    plain_text = without_code_marks(condition_text).lower()
    words = " ".join(plain_text.split())
    operands = code_marks(condition_text)
    if words in _EQUALITY and operands and _LITERAL.match(operands[0]):
        return _EQUALITY[words]
    return _SAID_AS_CODE.get(_ARTICLE.sub("a", words), "")


def _parse(code: str) -> ast.expr | None:
    tree = parse_source(f"({code})")
    if tree is None or len(tree.body) != 1:
        return None
    statement = tree.body[0]
    if not isinstance(statement, ast.Expr):
        return None
    return statement.value
