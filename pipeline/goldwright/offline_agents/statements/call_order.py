"""Statement: what a function calls of its own codebase, and in which order."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from keyword import iskeyword
from typing import ClassVar, Final, Self

from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.lists import join_code, read_code_list
from goldwright.offline_agents.statements.statement import Example, Finding, Shown, Statement
from goldwright.offline_agents.token_reading.definitions import TokenCodebase, TokenDefinition
from goldwright.records import FileRange

FEWEST_CALLS: Final = 2

_SENTENCE: Final = re.compile(
    r"Of the project's own functions and classes, `(?P<function>[\w.]+)` calls "
    r"(?P<callees>`.+`), in this order and no others\."
)


@dataclass(frozen=True, slots=True)
class CallOrder(Statement):
    """A function calls these functions and classes of its codebase and no others.

    Found by two derivations that agree (``code_reading.call_order``).

    Attributes:
        function: The qualified name of the function.
        callees: The simple names of what it calls, two at least, by the lines of the first calls.
    """

    kind: ClassVar[str] = "call_order"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
def check(basket):
    return basket

def book(basket):
    return basket

def send(basket):
    return basket

def pay(basket):
    if check(basket):
        book(basket)
    send(check(basket))
""",
            holds=(
                (
                    "Of the project's own functions and classes, `pay` calls `check`, `book` and "
                    "`send`, in this order and no others."
                ),
            ),
            fails=(
                (
                    "Of the project's own functions and classes, `pay` calls `book`, `check` and "
                    "`send`, in this order and no others."
                ),
                (
                    "Of the project's own functions and classes, `pay` calls `check` and "
                    "`send`, in this order and no others."
                ),
            ),
        ),
    )

    function: str
    callees: tuple[str, ...]

    @property
    def subject(self) -> str:
        return self.function

    def sentence(self) -> str:
        callees = join_code(self.callees)
        return (
            f"Of the project's own functions and classes, `{self.function}` calls {callees}, "
            "in this order and no others."
        )

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        callees = read_code_list(match["callees"])
        if callees is None or len(callees) < FEWEST_CALLS:
            return None
        return cls(match["function"], callees)

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        yield from ()

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        for definition in code.named(self.function):
            first_lines = _first_calls(definition)
            places = [first_lines.pop(callee, 0) for callee in self.callees]
            if not all(places) or places != sorted(places):
                return "refuted", definition.range
            others = [code.has_product_definition(word) for word in first_lines]
            if True in others:
                return "refuted", definition.range
            return ("unclear" if None in others else "shown"), definition.range
        return "unclear", None

    def falsehoods(self, others: Sequence[Statement]) -> Iterator[Statement]:
        first, second, *behind = self.callees
        yield replace(self, callees=(second, first, *behind))
        if behind:
            yield replace(self, callees=(first, *reversed((second, *behind))))


def _first_calls(definition: TokenDefinition) -> dict[str, int]:
    """Give every word that is called in a definition, with the line of its first call."""
    first_lines: dict[str, int] = {}
    for line in definition.own_lines:
        if line.keyword in {"def", "class", "@"}:
            continue
        for word, following in pairwise(line.line.words()):
            if following == "(" and word.isidentifier() and not iskeyword(word):
                first_lines.setdefault(word, line.first)
    return first_lines
