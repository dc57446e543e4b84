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
    r"`(?P<function>[\w.]+)` calls (?P<callees>`.+`), in this order; of the project's own code "
    r"it calls nothing else by bare name or on `self`\."
)


@dataclass(frozen=True, slots=True)
class CallOrder(Statement):
    """A function calls these functions and classes of its codebase and no others.

    What it calls on other objects than ``self`` and ``cls`` does not count.

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
        send(basket.check())
""",
            holds=(
                (
                    "`pay` calls `check`, `book` and `send`, in this order; "
                    "of the project's own code it calls nothing else by bare name or on `self`."
                ),
                (
                    "`Shop.close` calls `lock` and `send`, in this order; "
                    "of the project's own code it calls nothing else by bare name or on `self`."
                ),
            ),
            fails=(
                (
                    "`pay` calls `book`, `check` and `send`, in this order; "
                    "of the project's own code it calls nothing else by bare name or on `self`."
                ),
                (
                    "`pay` calls `check` and `send`, in this order; "
                    "of the project's own code it calls nothing else by bare name or on `self`."
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
            f"`{self.function}` calls {callees}, in this order; of the project's own code "
            "it calls nothing else by bare name or on `self`."
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
            calls = _first_calls(definition)
            named = [calls.pop(callee, None) for callee in self.callees]
            places = [call.line for call in named if call is not None]
            if len(places) < len(self.callees) or places != sorted(places):
                return "refuted", definition.range
            others = [
                code.has_product_definition(word, is_method=call.is_own)
                for word, call in calls.items()
            ]
            if True in others:
                return "refuted", definition.range
            return ("unclear" if None in others else "shown"), definition.range
        return "unclear", None

    def falsehoods(self, others: Sequence[Statement]) -> Iterator[Statement]:
        first, second, *behind = self.callees
        yield replace(self, callees=(second, first, *behind))
        if behind:
            yield replace(self, callees=(first, *reversed((second, *behind))))


@dataclass(frozen=True, slots=True)
class _Call:
    """The line of a call, and whether it is one on ``self`` or ``cls``."""

    line: int
    is_own: bool


def _first_calls(definition: TokenDefinition) -> dict[str, _Call]:
    """Give every word that is called by itself or on ``self``, with its first call."""
    calls: dict[str, _Call] = {}
    for line in definition.own_lines:
        if line.keyword in {"def", "class", "@"}:
            continue
        words = ["", "", *line.line.words()]
        for place, (word, following) in enumerate(pairwise(words)):
            if following != "(" or not word.isidentifier() or iskeyword(word):
                continue
            is_own = words[place - 1] == "." and _is_self(words, place - 2)
            if is_own or words[place - 1] != ".":
                calls.setdefault(word, _Call(line.first, is_own))
    return calls


def _is_self(words: Sequence[str], place: int) -> bool:
    return words[place] in {"self", "cls"} and words[place - 1] != "."
