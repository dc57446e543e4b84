"""The conditions in code marks that a sentence states, as tests."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from goldwright.trust_card.prose.sentences import code_marks, without_code_marks
from goldwright.trust_card.source.conditions import CodeTest, plain_tests, whole_test
from goldwright.trust_card.source.modules import parse_source

# Words that open a condition, the condition in code marks, and what is said of it. Behind ``and``
# something must be said of it: what follows may be another part of the sentence.
_CONDITION: Final = re.compile(
    r"""
    \b(?P<opening> when(?:ever)? | if | unless | as\ long\ as | because | since | and )\s+
    `(?P<code>[^`]+)`
    (?P<said> \s+ (?: is\ truthy | is\ true | holds | is\ set | is\ falsy | is\ false
        | does\ not\ hold | is\ not\ set | is\ unset | is\ empty
        | (?: is\ (?:an?|no|not\ an?)\ instance\ of | equals | differs\ from
            | is\ not\ in | is\ in | is\ not | is ) \s+ `[^`]+` )
    )?
    (?= (?P<next> \s+ \w+ )? )
    """,
    re.VERBOSE | re.IGNORECASE,
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
    for match in _CONDITION.finditer(text):
        condition_text = match["said"] or ""
        opening = match["opening"].lower()
        following = (match["next"] or "").strip().lower()
        if following == "or" or (opening == "and" and not condition_text):
            continue
        code = _as_code(match["code"], condition_text)
        expression = _parse(code)
        if expression is None:
            continue
        holds = _FALSE.search(without_code_marks(condition_text)) is None
        if opening == "unless":
            holds = not holds
        tests = {*plain_tests(expression, holds=holds), whole_test(expression, holds=holds)}
        yield StatedCondition(frozenset(tests), code)


def _as_code(code: str, condition_text: str) -> str:
    """Write an expression and what is said of it as one expression."""
    operands = code_marks(condition_text)
    if not operands:
        return code
    said_words = without_code_marks(condition_text).split()
    negation = ""
    if {"no", "not"}.intersection(said_words):
        negation = "not "
    if "instance" in said_words:
        return f"{negation}isinstance({code}, {operands[0]})"
    if "equals" in said_words:
        return f"({code}) == ({operands[0]})"
    if "differs" in said_words:
        return f"({code}) != ({operands[0]})"
    if "in" in said_words:
        return f"({code}) {negation}in ({operands[0]})"
    return f"({code}) is {negation}({operands[0]})"


def _parse(code: str) -> ast.expr | None:
    tree = parse_source(f"({code})")
    if tree is None or len(tree.body) != 1:
        return None
    statement = tree.body[0]
    if not isinstance(statement, ast.Expr):
        return None
    return statement.value
