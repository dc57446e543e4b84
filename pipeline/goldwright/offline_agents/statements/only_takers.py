"""Statement: all the functions that have a parameter of one name; the set is closed."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.lists import join_code, read_code_list
from goldwright.offline_agents.statements.statement import Example, Finding, Shown, Statement
from goldwright.offline_agents.statements.takes import header_parameters
from goldwright.offline_agents.token_reading.definitions import TokenCodebase, WordUse
from goldwright.records import FileRange
from goldwright.snapshot.product_code import is_product_code

_SENTENCE: Final = re.compile(
    r"In product code, a parameter `(?P<parameter>\w+)` is taken by (?P<takers>`.+`) "
    r"and by no other function\."
)


@dataclass(frozen=True, slots=True)
class OnlyTakers(Statement):
    """A parameter of this name belongs to these functions and to no others in product code.

    Attributes:
        parameter: The name.
        takers: The qualified names of all functions that have it, one at least.
    """

    kind: ClassVar[str] = "only_takers"
    set_field = "takers"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
def pay(basket, tax_rate=0):
    return book(basket, tax_rate)

def book(basket, tax_rate):
    return Shop(basket).close(
        tax_rate=tax_rate,
    )

class Shop:
    def close(self, reason, *, tax_rate):
        return tax_rate

    def open(self, reason):
        tax_rate = 3
        return tax_rate
""",
            holds=(
                (
                    "In product code, a parameter `tax_rate` is taken by `pay`, `book` and "
                    "`Shop.close` and by no other function."
                ),
                (
                    "In product code, a parameter `reason` is taken by `Shop.close` and "
                    "`Shop.open` and by no other function."
                ),
            ),
            fails=(
                (
                    "In product code, a parameter `tax_rate` is taken by `pay` and `book` "
                    "and by no other function."
                ),
                (
                    "In product code, a parameter `tax_rate` is taken by `pay`, `book`, "
                    "`Shop.close` and `Shop.open` and by no other function."
                ),
            ),
        ),
    )

    parameter: str
    takers: tuple[str, ...]

    @property
    def subject(self) -> str:
        return self.takers[0]

    def sentence(self) -> str:
        takers = join_code(self.takers)
        return (
            f"In product code, a parameter `{self.parameter}` is taken by {takers} "
            "and by no other function."
        )

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        takers = read_code_list(match["takers"])
        return None if takers is None else cls(match["parameter"], takers)

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        yield from ()

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        headers = self._headers(code)
        if not headers:
            return "unclear", None
        # The place is the first taker's own, where that is one of them.
        first = min(headers, key=lambda use: use.owner != self.subject)
        place = FileRange(file=first.path, start=first.line.first, end=first.line.last)
        owners = {use.owner for use in headers}
        return ("shown" if owners == set(self.takers) else "refuted"), place

    def seen_members(self, code: TokenCodebase) -> frozenset[str] | None:
        headers = self._headers(code)
        return frozenset(use.owner for use in headers) if headers else None

    def _headers(self, code: TokenCodebase) -> list[WordUse]:
        """List the ``def`` lines of product code that hold the parameter."""
        uses = code.uses_of(self.parameter) or ()
        in_product = [use for use in uses if is_product_code(use.path)]
        headers = [use for use in in_product if use.line.keyword == "def"]
        return [use for use in headers if self.parameter in header_parameters(use.line.line)]

    def falsehoods(self, others: Sequence[Statement]) -> Iterator[Statement]:
        if len(self.takers) > 1:
            yield replace(self, takers=self.takers[:-1])
            yield replace(self, takers=self.takers[1:])
