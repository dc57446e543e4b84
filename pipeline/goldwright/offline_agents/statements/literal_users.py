"""Statement: all the functions in which a literal stands; the set is closed."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from goldwright.offline_agents.statements.closed_sets import SetOfUsers
from goldwright.offline_agents.statements.lists import join_code
from goldwright.offline_agents.statements.statement import Example, Statement
from goldwright.offline_agents.token_reading.definitions import TokenCodebase, WordUse

_SENTENCE: Final = re.compile(
    r'In product code, the string `"(?P<literal>[^`"]+)"` is used in (?P<users>`.+`) '
    r"and nowhere else\."
)


@dataclass(frozen=True, slots=True)
class LiteralUsers(SetOfUsers):
    """A string literal stands in these functions and nowhere else in product code.

    Attributes:
        literal: The text of the literal.
        users: The qualified names of all the functions that hold it, one at least.
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
                'In product code, the string `"BASKET_LIMIT"` is used in `limit` and nowhere else.',
                (
                    'In product code, the string `"X-Price"` is used in `price` and `show` '
                    "and nowhere else."
                ),
            ),
            fails=(
                'In product code, the string `"X-Price"` is used in `show` and nowhere else.',
                'In product code, the string `"SHOW"` is used in `limit` and nowhere else.',
            ),
        ),
    )

    literal: str
    users: tuple[str, ...]

    def sentence(self) -> str:
        users = join_code(self.users)
        return (
            f'In product code, the string `"{self.literal}"` is used in {users} and nowhere else.'
        )

    def uses(self, code: TokenCodebase) -> list[WordUse]:
        uses = code.uses_of_literal(self.literal) or ()
        return [use for use in uses if use.is_product_code and not _is_export(use)]

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        yield from SetOfUsers.falsehoods(self, alternatives)
        for alternative in alternatives:
            if alternative.subject not in self.users and isinstance(alternative, LiteralUsers):
                yield replace(self, users=alternative.users)


def _is_export(use: WordUse) -> bool:
    return use.line.keyword == "__all__"
