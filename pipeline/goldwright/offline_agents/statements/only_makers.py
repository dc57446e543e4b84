"""Statement: all the functions that make objects of a class; the set is closed."""

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
    r"Objects of `(?P<name>[\w.]+)` are made by (?P<makers>`.+`), and by no other product code\."
)


@dataclass(frozen=True, slots=True)
class OnlyMakers(Statement):
    """Objects of a class are made by these functions and by no other product code.

    Attributes:
        name: The qualified name of the class.
        makers: The qualified names of all the functions that call it, one at least.
    """

    kind: ClassVar[str] = "only_makers"
    set_field = "makers"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
class Basket:
    pass

def start() -> Basket:
    return Basket()

def join(first: Basket, second: Basket):
    assert isinstance(first, Basket)
    return Basket()
""",
            holds=(
                "Objects of `Basket` are made by `start` and `join`, and by no other product code.",
            ),
            fails=("Objects of `Basket` are made by `start`, and by no other product code.",),
        ),
    )

    name: str
    makers: tuple[str, ...]

    @property
    def subject(self) -> str:
        return self.name

    def sentence(self) -> str:
        makers = join_code(self.makers)
        return f"Objects of `{self.name}` are made by {makers}, and by no other product code."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        makers = read_code_list(match["makers"]) if match is not None else None
        return None if match is None or makers is None else cls(match["name"], makers)

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        yield from ()

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        definitions = code.named(self.name)
        if not definitions:
            return "unclear", None
        place = definitions[0].at(definitions[0].lines[0])
        makers = self.seen_members(code)
        if makers is None:
            return "unclear", place
        return ("shown" if makers == set(self.makers) else "refuted"), place

    def seen_members(self, code: TokenCodebase) -> frozenset[str] | None:
        word = self.name.rpartition(".")[2]
        uses = code.uses_of(word)
        if uses is None:
            return None
        in_product = [use for use in uses if is_product_code(use.path)]
        return frozenset(use.owner for use in in_product if _makes(use, word))

    def falsehoods(self, others: Sequence[Statement]) -> Iterator[Statement]:
        if len(self.makers) > 1:
            yield replace(self, makers=self.makers[:-1])
            yield replace(self, makers=self.makers[1:])
        for other in others:
            if isinstance(other, OnlyMakers) and other.makers != self.makers:
                yield replace(self, makers=other.makers)


def _makes(use: WordUse, word: str) -> bool:
    words = use.line.line.words()
    is_called = any(name == word and following == "(" for name, following in pairwise(words))
    return is_called and use.line.keyword not in {"class", "def"}
