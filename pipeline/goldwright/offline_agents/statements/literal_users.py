"""Statement: all the functions in which a literal stands; the set is closed."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.lists import join_code, read_code_list
from goldwright.offline_agents.statements.statement import Example, Finding, Shown, Statement
from goldwright.offline_agents.token_reading.definitions import TokenCodebase, WordUse
from goldwright.records import FileRange
from goldwright.snapshot.product_code import is_product_code

_SENTENCE: Final = re.compile(
    r'In product code, the name `"(?P<literal>[^`"]+)"` is used in (?P<users>`.+`) '
    r"and nowhere else\."
)


@dataclass(frozen=True, slots=True)
class LiteralUsers(Statement):
    """A string literal stands in these functions and nowhere else in product code.

    Attributes:
        literal: The text of the literal.
        users: The qualified names of all the functions that hold it, one at least.
    """

    kind: ClassVar[str] = "literal_users"
    set_field = "users"
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
                'In product code, the name `"BASKET_LIMIT"` is used in `limit` and nowhere else.',
                (
                    'In product code, the name `"X-Price"` is used in `price` and `show` '
                    "and nowhere else."
                ),
            ),
            fails=(
                'In product code, the name `"X-Price"` is used in `show` and nowhere else.',
                'In product code, the name `"SHOW"` is used in `limit` and nowhere else.',
            ),
        ),
    )

    literal: str
    users: tuple[str, ...]

    @property
    def subject(self) -> str:
        return self.users[0]

    def sentence(self) -> str:
        users = join_code(self.users)
        return f'In product code, the name `"{self.literal}"` is used in {users} and nowhere else.'

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        users = read_code_list(match["users"])
        return None if users is None else cls(match["literal"], users)

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        yield from ()

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        in_product = self._product_uses(code)
        if not in_product:
            return "unclear", None
        # The place is the first user's own, where that is one of them.
        first = min(in_product, key=lambda use: use.owner != self.subject)
        place = FileRange(file=first.path, start=first.line.first, end=first.line.last)
        owners = {use.owner for use in in_product}
        return ("shown" if owners == set(self.users) else "refuted"), place

    def seen_members(self, code: TokenCodebase) -> frozenset[str] | None:
        return frozenset(use.owner for use in self._product_uses(code)) or None

    def _product_uses(self, code: TokenCodebase) -> list[WordUse]:
        """List the uses in product code; empty also where too many files hold the text."""
        uses = code.uses_of_literal(self.literal) or ()
        return [use for use in uses if is_product_code(use.path) and not _is_export(use)]

    def falsehoods(self, others: Sequence[Statement]) -> Iterator[Statement]:
        if len(self.users) > 1:
            yield replace(self, users=self.users[:-1])
            yield replace(self, users=self.users[1:])
        for other in others:
            if other.subject not in self.users and isinstance(other, LiteralUsers):
                yield replace(self, users=other.users)


def _is_export(use: WordUse) -> bool:
    return use.line.keyword == "__all__"
