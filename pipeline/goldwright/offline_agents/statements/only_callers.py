"""Statement: all the functions that call a function; the set is closed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, starmap
from typing import ClassVar, Final

from goldwright.offline_agents.statements.closed_sets import ClosedSet
from goldwright.offline_agents.statements.lists import join_code
from goldwright.offline_agents.statements.statement import Example
from goldwright.offline_agents.token_reading.definitions import TokenCodebase, WordUse
from goldwright.records import FileRange

_SENTENCE: Final = re.compile(
    r"`(?P<callee>[\w.]+)` is called by (?P<callers>`.+`), and by no other product code\."
)
_NOBODY: Final = re.compile(r"No product code calls `(?P<callee>[\w.]+)`\.")


@dataclass(frozen=True, slots=True)
class OnlyCallers(ClosedSet):
    """A function is called by these functions and by no other product code.

    Found by two derivations that agree (``code_reading.callers``), which needs the whole codebase:
    a single function does not show it.

    Attributes:
        callee: The qualified name of the function.
        callers: The qualified names of all the functions that call it; empty for none.
    """

    kind: ClassVar[str] = "only_callers"
    set_field = "callers"
    pattern = _SENTENCE
    empty_pattern = _NOBODY
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
        Example(
            code="""
class Shop:
    def book(self):
        return len(self.basket)

    def pay(self):
        return self.book()

    def close(self):
        self.book = self.basket = None
""",
            holds=("`Shop.book` is called by `Shop.pay`, and by no other product code.",),
            fails=("`Shop.book` is called by `Shop.close`, and by no other product code.",),
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

    @property
    def word(self) -> str:
        """The name by which it is called: an ``__init__`` by that of its class."""
        *outer, name = self.callee.split(".")
        return outer[-1] if name == "__init__" and outer else name

    def place(self, code: TokenCodebase) -> FileRange | None:
        place = ClosedSet.place(self, code)
        if place is not None or not self.callers:
            return place
        # A function that the question names is not read itself: the first call that was read shows
        # who calls it. Where there is no call to see, it was handed on by its name.
        for holds in (_calls, _names):
            for definition in (*code.named(self.callers[0]), *code.definitions):
                for line in definition.own_lines:
                    if holds(line.line.words(), self.word):
                        return definition.at(line)
        return None

    def seen_members(self, code: TokenCodebase) -> frozenset[str] | None:
        word = self.word
        uses = code.uses_of(word)
        if uses is None:
            return None
        is_class = self.callee.endswith(".__init__")
        owners = {use.owner for use in uses if _is_product_use(use, word, is_class=is_class)}
        return frozenset(owners - {self.callee})


def _calls(words: Sequence[str], word: str) -> bool:
    """Find out whether a line calls what goes by a name, and does not define or annotate it."""
    is_called = (word, "(") in pairwise(words)
    return is_called and f"def {word}" not in " ".join(words)


def _names(words: Sequence[str], word: str) -> bool:
    return word in words


def _is_product_use(use: WordUse, word: str, *, is_class: bool) -> bool:
    """Find out whether a line of product code uses the name.

    A definition, an import or a list of exports does not, nor who gives an attribute another value;
    of a class, only a call does.
    """
    words = use.line.line.words()
    if not use.is_product_code or words[0] in {"from", "import", "__all__"}:
        return False
    if is_class:
        is_called = (word, "(") in pairwise(words)
        return is_called and use.line.keyword not in {"class", "def"}
    before_each = ["", *words]
    behind_each = [*words[1:], ""]
    around = zip(before_each, words, behind_each, strict=False)
    places = [(before, behind) for before, name, behind in around if name == word]
    # In quotation marks it is no token of its own.
    return not places or any(starmap(_is_place_of_use, places))


def _is_place_of_use(before: str, behind: str) -> bool:
    """Find out whether a name between two words is neither defined nor given another value."""
    is_defined = before in {"def", "class"}
    is_replaced = (before, behind) == (".", "=")
    return not is_defined and not is_replaced
