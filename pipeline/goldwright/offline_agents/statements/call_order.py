"""Statement: what a function calls of its own codebase, and in which order."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar, Final, Self

from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.lists import join_code, read_code_list
from goldwright.offline_agents.statements.statement import Example, Finding, Shown, Statement
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.records import FileRange

FEWEST_CALLS: Final = 2

_SENTENCE: Final = re.compile(
    r"The first calls of (?P<callees>`.+`) in `(?P<function>[\w.]+)` stand in this order\."
)


@dataclass(frozen=True, slots=True)
class CallOrder(Statement):
    """The calls of some functions stand in a function in this order, from top to bottom.

    Attributes:
        function: The qualified name of the function.
        callees: The simple names of what it calls, two at least, by the places of the first calls.
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
                "The first calls of `check`, `book` and `send` in `pay` stand in this order.",
                "The first calls of `check` and `send` in `pay` stand in this order.",
            ),
            fails=(
                "The first calls of `book` and `check` in `pay` stand in this order.",
                "The first calls of `check` and `pay` in `pay` stand in this order.",
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
        return f"The first calls of {callees} in `{self.function}` stand in this order."

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
            first_lines: dict[str, int] = {}
            for line in definition.own_lines:
                if line.keyword in {"def", "class", "@"}:
                    continue
                for word, following in pairwise(line.line.words()):
                    if following == "(":
                        first_lines.setdefault(word, line.first)
            places = [first_lines.get(callee, 0) for callee in self.callees]
            is_ordered = all(place > 0 for place in places) and places == sorted(places)
            return ("shown" if is_ordered else "refuted"), definition.range
        return "unclear", None

    def falsehoods(self, others: Sequence[Statement]) -> Iterator[Statement]:
        first, second, *behind = self.callees
        yield replace(self, callees=(second, first, *behind))
        if behind:
            yield replace(self, callees=(first, *reversed((second, *behind))))
