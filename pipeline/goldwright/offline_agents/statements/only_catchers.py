"""Statement: all the functions that catch an error around their call of a function."""

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, Final

from goldwright.offline_agents.statements.caught_from import is_spoken_with_vowel
from goldwright.offline_agents.statements.closed_sets import ClosedSet
from goldwright.offline_agents.statements.lists import join_code
from goldwright.offline_agents.statements.statement import Example, Shown
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.offline_agents.token_reading.error_kinds import first_taker
from goldwright.offline_agents.token_reading.token_lines import TokenLine
from goldwright.records import FileRange

_SENTENCE: Final = re.compile(
    r"Of the product code that calls `(?P<callee>[\w.]+)`, only (?P<catchers>`.+`) "
    r"catch(?:es)? an? `(?P<error>[\w.]+)` around the call\."
)


@dataclass(frozen=True, slots=True)
class OnlyCatchers(ClosedSet):
    """These functions catch an error around their call of a function, and no others do.

    Attributes:
        callee: The qualified name of the function that is called.
        error: The class of the error, as its raiser writes it.
        catchers: The qualified names of the functions that catch it.
    """

    kind: ClassVar[str] = "only_catchers"
    set_field = "catchers"
    pattern = _SENTENCE
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
def take(item):
    raise KeyError(item)

def buy(basket):
    try:
        return take(basket)
    except LookupError:
        return None

def swap(basket):
    try:
        return take(basket)
    except KeyError:
        return None

def refund(basket):
    return take(basket)
""",
            holds=(
                (
                    "Of the product code that calls `take`, only `buy` and `swap` catch a "
                    "`KeyError` around the call."
                ),
            ),
            fails=(
                (
                    "Of the product code that calls `take`, only `buy` catches a `KeyError` "
                    "around the call."
                ),
            ),
        ),
        Example(
            code="""
from contextlib import suppress

def take(item):
    raise KeyError(item)

def buy(basket):
    try:
        return take(basket)
    except KeyError:
        return None

def refund(basket):
    with suppress(KeyError):
        take(basket)
""",
            holds=(
                (
                    "Of the product code that calls `take`, only `buy` and `refund` catch a "
                    "`KeyError` around the call."
                ),
            ),
            fails=(
                (
                    "Of the product code that calls `take`, only `buy` catches a `KeyError` "
                    "around the call."
                ),
            ),
        ),
    )

    callee: str
    error: str
    catchers: tuple[str, ...]

    @property
    def subject(self) -> str:
        return self.callee

    def sentence(self) -> str:
        article = "an" if is_spoken_with_vowel(self.error) else "a"
        verb = "catches" if len(self.catchers) == 1 else "catch"
        catchers = join_code(self.catchers)
        deed = f"{verb} {article} `{self.error}` around the call"
        return f"Of the product code that calls `{self.callee}`, only {catchers} {deed}."

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        definitions = code.named(self.callee)
        if not definitions:
            return "unclear", None
        here = definitions[0].range
        word = self.callee.rpartition(".")[2]
        uses = code.uses_of(word)
        if uses is None:
            return "unclear", here
        catchers: set[str] = set()
        for use in uses:
            if not use.is_product_code or not _calls(use.line, word):
                continue
            taker = first_taker(code, _clauses_around(use.line), self.error)
            if taker is None:
                return "unclear", here
            if taker:
                catchers.add(use.owner)
        is_same_set = catchers == set(self.catchers)
        return ("shown" if is_same_set else "refuted"), here


def _clauses_around(line: TokenLine) -> tuple[str, ...]:
    """Give what catches errors around a line: clauses, and what is kept quiet about."""
    suppressing = [context for context in line.contexts if "suppress(" in context]
    return (*line.handlers, *suppressing)


def _calls(line: TokenLine, name: str) -> bool:
    words = line.line.words()
    is_call = (name, "(") in pairwise(words)
    return is_call and line.keyword not in {"def", "class", "@"}
