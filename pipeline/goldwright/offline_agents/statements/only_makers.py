"""Statement: all the functions that make objects of a class; the set is closed."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar, Final

from goldwright.offline_agents.statements.closed_sets import ClosedSet
from goldwright.offline_agents.statements.lists import join_code
from goldwright.offline_agents.statements.statement import Example, Statement
from goldwright.offline_agents.token_reading.definitions import TokenCodebase, WordUse
from goldwright.records import FileRange

_SENTENCE: Final = re.compile(
    r"Objects of `(?P<name>[\w.]+)` are made by (?P<makers>`.+`), and by no other product code\."
)


@dataclass(frozen=True, slots=True)
class OnlyMakers(ClosedSet):
    """Objects of a class are made by these functions and by no other product code.

    Attributes:
        name: The qualified name of the class.
        makers: The qualified names of all the functions that call it, one at least.
    """

    kind: ClassVar[str] = "only_makers"
    set_field = "makers"
    pattern = _SENTENCE
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

    def place(self, code: TokenCodebase) -> FileRange | None:
        definitions = code.named(self.name)
        # The line of ``class`` alone: who makes its objects has nothing to do with the rest.
        if not definitions:
            return None
        definition = definitions[0]
        return definition.at(definition.lines[0])

    def seen_members(self, code: TokenCodebase) -> frozenset[str] | None:
        word = self.name.rpartition(".")[2]
        uses = code.uses_of(word)
        if uses is None:
            return None
        in_product = [use for use in uses if use.is_product_code]
        # A class that is kept under another name is made by whoever calls that.
        if any(_keeps(use, word) for use in in_product):
            return None
        return frozenset(use.owner for use in in_product if _makes(use, word))

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        yield from ClosedSet.falsehoods(self, alternatives)
        for alternative in alternatives:
            if isinstance(alternative, OnlyMakers) and alternative.makers != self.makers:
                yield replace(self, makers=alternative.makers)


def _keeps(use: WordUse, word: str) -> bool:
    words = use.line.line.words()
    following = [*words[1:], ""]
    behind = [*following[1:], ""]
    for sign, name, after in zip(words, following, behind, strict=True):
        if (sign, name) == ("=", word) and after not in {"(", "[", "."}:
            return True
    return False


def _makes(use: WordUse, word: str) -> bool:
    words = use.line.line.words()
    is_called = (word, "(") in pairwise(words)
    return is_called and use.line.keyword not in {"class", "def"}
