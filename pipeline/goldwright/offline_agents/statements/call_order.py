"""Statement: several things that a function calls, in the order in which it calls them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from keyword import iskeyword
from typing import ClassVar, Final, Self

from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.statement import Example, Finding, Shown, Statement
from goldwright.offline_agents.token_reading.definitions import TokenCodebase, TokenDefinition
from goldwright.records import FileRange

_SENTENCE: Final = re.compile(
    r"`(?P<function>[\w.]+)` calls `(?P<first>\w+)`(?P<between>(?:, then `\w+`)*) "
    r"and then `(?P<last>\w+)`\."
)


@dataclass(frozen=True, slots=True)
class CallOrder(Statement):
    """A function calls these one after the other, where it calls all of them.

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
    basket.lock()

class Shop:
    def lock(self):
        return None

    def close(self, basket):
        self.lock()
        send(basket)
""",
            holds=(
                "`pay` calls `check`, then `book`, then `send` and then `lock`.",
                "`pay` calls `check` and then `send`.",
                "`Shop.close` calls `lock` and then `send`.",
            ),
            fails=(
                "`pay` calls `book`, then `check` and then `send`.",
                "`pay` calls `send` and then `check`.",
                "`Shop.close` calls `check` and then `send`.",
            ),
        ),
    )

    function: str
    callees: tuple[str, ...]

    @property
    def subject(self) -> str:
        return self.function

    def sentence(self) -> str:
        first, *between, last = self.callees
        steps = "".join(f", then `{callee}`" for callee in between)
        return f"`{self.function}` calls `{first}`{steps} and then `{last}`."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        between = re.findall(r"`(\w+)`", match["between"])
        callees = (match["first"], *between, match["last"])
        return cls(match["function"], callees)

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        yield from ()

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        for definition in code.named(self.function):
            first_lines = _first_lines(definition)
            places = [first_lines[callee] for callee in self.callees if callee in first_lines]
            is_whole = len(places) == len(self.callees)
            # Two on one line are in no order that lines could show.
            is_ordered = all(before < behind for before, behind in pairwise(places))
            return ("shown" if is_whole and is_ordered else "refuted"), definition.range
        return "unclear", None

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        first, second, *behind = self.callees
        yield replace(self, callees=(second, first, *behind))
        if behind:
            turned_round = reversed((second, *behind))
            yield replace(self, callees=(first, *turned_round))


def _first_lines(definition: TokenDefinition) -> dict[str, int]:
    """Give every word that is called, with the line of its first call."""
    lines: dict[str, int] = {}
    for line in definition.own_lines:
        if line.keyword in {"def", "class", "@"}:
            continue
        for word, following in pairwise(line.line.words()):
            if following == "(" and word.isidentifier() and not iskeyword(word):
                lines.setdefault(word, line.first)
    return lines
