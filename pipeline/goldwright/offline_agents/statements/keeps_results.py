"""Statements: a function whose results are kept by a decorator, and who empties that."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.closed_sets import ClosedSet
from goldwright.offline_agents.statements.lists import join_code
from goldwright.offline_agents.statements.statement import (
    Example,
    Finding,
    Shown,
    Statement,
    not_shown_in,
)
from goldwright.offline_agents.token_reading.code_text import plain_code
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.records import FileRange

_KEEPS: Final = re.compile(
    r"`(?P<function>[\w.]+)` keeps its results for later calls: "
    r"it is decorated with `(?P<decorator>[^`]+)`\."
)
_EMPTIED: Final = re.compile(
    r"The kept results of `(?P<function>[\w.]+)` are cleared by (?P<clearers>`.+`) alone\."
)
_NEVER: Final = re.compile(r"No product code clears the kept results of `(?P<function>[\w.]+)`\.")
_CACHE: Final = re.compile(r"(?:functools\.)?(?:lru_cache|cache)(?:\(.*\))?")
_EXAMPLE: Final = """
from functools import cache, lru_cache

@lru_cache(maxsize=32)
def price(item):
    return look_up(item)

@cache
def tax(country):
    return rates()[country]

def reload():
    tax.cache_clear()
"""


def cache_decorator(module: Module, function: Function) -> ast.expr | None:
    """Give the decorator of ``functools`` that keeps the results of a function."""
    for decorator in function.decorator_list:
        if _CACHE.fullmatch(module.text.of(decorator)):
            return decorator
    return None


@dataclass(frozen=True, slots=True)
class KeepsResults(Statement):
    """The results of a function are kept by a decorator.

    Attributes:
        function: The qualified name of the function.
        decorator: The decorator, as written.
    """

    kind: ClassVar[str] = "keeps_results"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code=_EXAMPLE,
            holds=(
                (
                    "`price` keeps its results for later calls: "
                    "it is decorated with `lru_cache(maxsize=32)`."
                ),
                "`tax` keeps its results for later calls: it is decorated with `cache`.",
            ),
            fails=(
                (
                    "`tax` keeps its results for later calls: "
                    "it is decorated with `lru_cache(maxsize=32)`."
                ),
                "`price` keeps its results for later calls: it is decorated with `cache`.",
            ),
        ),
    )

    function: str
    decorator: str

    @property
    def subject(self) -> str:
        return self.function

    def sentence(self) -> str:
        return (
            f"`{self.function}` keeps its results for later calls: "
            f"it is decorated with `{self.decorator}`."
        )

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _KEEPS.fullmatch(sentence)
        if match is None:
            return None
        return cls(match["function"], match["decorator"])

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        decorator = cache_decorator(module, function)
        if decorator is not None:
            last = decorator.end_lineno or decorator.lineno
            lines = FileRange(file=module.path, start=decorator.lineno, end=last)
            statement = cls(name, module.text.of(decorator))
            yield Finding(statement, module.entity_id(name), lines)

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        definitions = code.named(self.function)
        for definition in definitions:
            for line in definition.own_lines:
                is_same = plain_code(line.operand) == plain_code(self.decorator)
                if line.keyword == "@" and is_same:
                    return "shown", definition.at(line)
        return not_shown_in(definitions)

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        is_limited = self.decorator.endswith(")") and "None" not in self.decorator
        name = "lru_cache(maxsize=None)" if is_limited else "lru_cache(maxsize=128)"
        yield replace(self, decorator=name)


@dataclass(frozen=True, slots=True)
class OnlyClearers(ClosedSet):
    """The kept results of a function are cleared by these functions, or by nobody.

    Attributes:
        function: The qualified name of the function whose results are kept.
        clearers: The qualified names of all the functions that call its ``cache_clear``.
    """

    kind: ClassVar[str] = "only_clearers"
    set_field = "clearers"
    pattern = _EMPTIED
    empty_pattern = _NEVER
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code=_EXAMPLE,
            holds=(
                "No product code clears the kept results of `price`.",
                "The kept results of `tax` are cleared by `reload` alone.",
            ),
            fails=(
                "No product code clears the kept results of `tax`.",
                "The kept results of `price` are cleared by `reload` alone.",
            ),
        ),
    )

    function: str
    clearers: tuple[str, ...]

    @property
    def subject(self) -> str:
        return self.function

    def sentence(self) -> str:
        if not self.clearers:
            return f"No product code clears the kept results of `{self.function}`."
        clearers = join_code(self.clearers)
        return f"The kept results of `{self.function}` are cleared by {clearers} alone."

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        definitions = code.named(self.function)
        if not definitions:
            return "unclear", None
        word = self.function.rpartition(".")[2]
        uses = code.uses_of(word)
        if uses is None:
            return "unclear", definitions[0].range
        clearers: set[str] = set()
        for use in uses:
            line_code = plain_code(use.line.line.code)
            is_cleared = f"{word} . cache_clear" in line_code
            if is_cleared and use.is_product_code:
                clearers.add(use.owner)
        is_same = clearers == set(self.clearers)
        return ("shown" if is_same else "refuted"), definitions[0].range

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        if self.clearers:
            yield replace(self, clearers=())
