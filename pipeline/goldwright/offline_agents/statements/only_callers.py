"""Statement: all the functions that call a function; the set is closed."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar, Final, Self

from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.lists import join_code, read_code_list
from goldwright.offline_agents.statements.statement import Example, Finding, Shown, Statement
from goldwright.offline_agents.token_reading.definitions import TokenCodebase, WordUse
from goldwright.records import FileRange
from goldwright.snapshot.product_code import is_product_code

_SENTENCE: Final = re.compile(
    r"`(?P<callee>[\w.]+)` is called by (?P<callers>`.+`), and by no other product code\."
)
_NOBODY: Final = re.compile(r"No product code calls `(?P<callee>[\w.]+)`\.")


@dataclass(frozen=True, slots=True)
class OnlyCallers(Statement):
    """A function is called by these functions and by no other product code.

    Found by two derivations that agree (``code_reading.callers``), which needs the whole codebase:
    a single function does not show it.

    Attributes:
        callee: The qualified name of the function.
        callers: The qualified names of all the functions that call it; empty for none.
    """

    kind: ClassVar[str] = "only_callers"
    set_field = "callers"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
def book(basket):
    return len(basket)

def pay(basket):
    return book(basket)

def refund(basket):
    return -book(basket)
""",
            holds=("`book` is called by `pay` and `refund`, and by no other product code.",),
            fails=("`book` is called by `pay`, and by no other product code.",),
        ),
    )

    callee: str
    callers: tuple[str, ...]

    @property
    def subject(self) -> str:
        return self.callee

    def sentence(self) -> str:
        if not self.callers:
            return f"No product code calls `{self.callee}`."
        callers = join_code(self.callers)
        return f"`{self.callee}` is called by {callers}, and by no other product code."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        if match := _NOBODY.fullmatch(sentence):
            return cls(match["callee"], ())
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        callers = read_code_list(match["callers"])
        return None if callers is None else cls(match["callee"], callers)

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        yield from ()

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        definitions = code.named(self.callee)
        if not definitions:
            return "unclear", None
        callers = self.seen_members(code)
        if callers is None:
            return "unclear", definitions[0].range
        return ("shown" if callers == set(self.callers) else "refuted"), definitions[0].range

    def seen_members(self, code: TokenCodebase) -> frozenset[str] | None:
        word = self.callee.rpartition(".")[2]
        if word == "__init__":
            word = self.callee.split(".")[-2]
        uses = code.uses_of(word)
        if uses is None:
            return None
        is_class = self.callee.endswith(".__init__")
        owners = {use.owner for use in uses if _is_product_use(use, word, is_class=is_class)}
        return frozenset(owners - {self.callee})

    def falsehoods(self, others: Sequence[Statement]) -> Iterator[Statement]:
        if len(self.callers) > 1:
            yield replace(self, callers=self.callers[:-1])
            yield replace(self, callers=self.callers[1:])


def _is_product_use(use: WordUse, word: str, *, is_class: bool) -> bool:
    """Find out whether a line of product code uses the name.

    A definition, an import or a list of exports does not; of a class, only a call does.
    """
    words = use.line.line.words()
    if not is_product_code(use.path) or words[0] in {"from", "import", "__all__"}:
        return False
    if is_class:
        is_called = any(pair == (word, "(") for pair in pairwise(words))
        return is_called and use.line.keyword not in {"class", "def"}
    place = words.index(word) if word in words else 0
    return place == 0 or words[place - 1] not in {"def", "class"}
