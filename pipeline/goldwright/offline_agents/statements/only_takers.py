"""Statement: all the functions that have a parameter of one name; the set is closed."""

import re
from dataclasses import dataclass
from typing import ClassVar, Final

from goldwright.offline_agents.statements.closed_sets import SetOfUsers
from goldwright.offline_agents.statements.lists import join_code
from goldwright.offline_agents.statements.statement import Example
from goldwright.offline_agents.statements.takes import header_parameters
from goldwright.offline_agents.token_reading.definitions import TokenCodebase, WordUse

_SENTENCE: Final = re.compile(
    r"In product code, a parameter `(?P<parameter>\w+)` is taken by (?P<takers>`.+`) "
    r"and by no other function\."
)


@dataclass(frozen=True, slots=True)
class OnlyTakers(SetOfUsers):
    """A parameter of this name belongs to these functions and to no others in product code.

    Attributes:
        parameter: The name.
        takers: The qualified names of all functions that have it, one at least.
    """

    kind: ClassVar[str] = "only_takers"
    set_field = "takers"
    pattern = _SENTENCE
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

    def sentence(self) -> str:
        takers = join_code(self.takers)
        return (
            f"In product code, a parameter `{self.parameter}` is taken by {takers} "
            "and by no other function."
        )

    def uses(self, code: TokenCodebase) -> list[WordUse]:
        """List the ``def`` lines of product code that hold the parameter."""
        uses = code.uses_of(self.parameter) or ()
        in_product = [use for use in uses if use.is_product_code]
        headers = [use for use in in_product if use.line.keyword == "def"]
        return [use for use in headers if self.parameter in header_parameters(use.line.line)]
