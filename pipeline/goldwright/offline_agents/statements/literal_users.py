"""Statement: all the functions in which a literal stands; the set is closed.

Lists of what a file exports use nothing, but whoever searches for the string finds it there: a
sentence that leaves them out says so.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from goldwright.offline_agents.statements.closed_sets import SetOfUsers
from goldwright.offline_agents.statements.lists import join_code
from goldwright.offline_agents.statements.statement import Example, Statement
from goldwright.offline_agents.token_reading.definitions import TokenCodebase, WordUse

_SENTENCE: Final = re.compile(
    r"In product code(?P<outside>| outside `__all__`), "
    r'the string `"(?P<literal>[^`"]+)"` is used in (?P<users>`.+`) '
    r"and nowhere else\."
)

# How a sentence says that lists of exports do not count.
OUTSIDE_EXPORTS: Final = " outside `__all__`"


@dataclass(frozen=True, slots=True)
class LiteralUsers(SetOfUsers):
    """A string literal stands in these functions and nowhere else in product code.

    Attributes:
        literal: The text of the literal.
        users: The qualified names of all the functions that hold it, one at least.
        outside: The places that do not count, as the sentence says it; empty where all count.
    """

    kind: ClassVar[str] = "literal_users"
    set_field = "users"
    pattern = _SENTENCE
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
__all__ = ["BASKET_LIMIT"]

def limit(settings):
    return settings.get("BASKET_LIMIT", 10)

def price(headers):
    return headers[b"X-Price"]

def show(headers, settings):
    return headers.get('X-Price'), settings.get("SHOW")
""",
            holds=(
                (
                    'In product code outside `__all__`, the string `"BASKET_LIMIT"` is used in '
                    "`limit` and nowhere else."
                ),
                (
                    'In product code, the string `"X-Price"` is used in `price` and `show` '
                    "and nowhere else."
                ),
            ),
            fails=(
                'In product code, the string `"BASKET_LIMIT"` is used in `limit` and nowhere else.',
                'In product code, the string `"X-Price"` is used in `show` and nowhere else.',
                'In product code, the string `"SHOW"` is used in `limit` and nowhere else.',
            ),
        ),
    )

    literal: str
    users: tuple[str, ...]
    outside: str = ""

    def sentence(self) -> str:
        users = join_code(self.users)
        return (
            f'In product code{self.outside}, the string `"{self.literal}"` is used in {users} '
            "and nowhere else."
        )

    def uses(self, code: TokenCodebase) -> list[WordUse]:
        uses = code.uses_of_literal(self.literal) or ()
        in_product = [use for use in uses if use.is_product_code]
        if self.outside != OUTSIDE_EXPORTS:
            return in_product
        return [use for use in in_product if not _is_export(use)]

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        yield from SetOfUsers.falsehoods(self, alternatives)
        for alternative in alternatives:
            if alternative.subject not in self.users and isinstance(alternative, LiteralUsers):
                yield replace(self, users=alternative.users)


def _is_export(use: WordUse) -> bool:
    return use.line.keyword == "__all__"
