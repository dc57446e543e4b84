"""Statement: all the functions that use a table; the set is closed."""

import re
from dataclasses import dataclass
from typing import ClassVar, Final

from goldwright.offline_agents.statements.closed_sets import ClosedSet
from goldwright.offline_agents.statements.lists import join_code
from goldwright.offline_agents.statements.statement import Example
from goldwright.offline_agents.token_reading.definitions import TokenCodebase, WordUse

_SENTENCE: Final = re.compile(
    r"The table `(?P<table>[\w.]+)` is used by (?P<users>`.+`), and by no other product code\."
)


@dataclass(frozen=True, slots=True)
class TableUsers(ClosedSet):
    """A table is used by these functions and by no other product code.

    Attributes:
        table: The qualified name of the table.
        users: The qualified names of all the functions that use it, one at least.
    """

    kind: ClassVar[str] = "table_users"
    set_field = "users"
    pattern = _SENTENCE
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
PAYMENTS = {"card": 1, "cash": 2}

def pay(kind):
    return PAYMENTS[kind]

def kinds():
    return sorted(PAYMENTS)
""",
            holds=(
                "The table `PAYMENTS` is used by `pay` and `kinds`, and by no other product code.",
            ),
            fails=("The table `PAYMENTS` is used by `pay`, and by no other product code.",),
        ),
    )

    table: str
    users: tuple[str, ...]

    @property
    def subject(self) -> str:
        return self.table

    def sentence(self) -> str:
        users = join_code(self.users)
        return f"The table `{self.table}` is used by {users}, and by no other product code."

    def seen_members(self, code: TokenCodebase) -> frozenset[str] | None:
        uses = code.uses_of(self.table)
        if uses is None:
            return None
        return frozenset(use.owner for use in uses if _is_use(use, self.table))


def _is_use(use: WordUse, name: str) -> bool:
    """Find out whether a line of product code uses a name; its definition or import does not."""
    words = use.line.line.words()
    if not use.is_product_code or words[0] in {"from", "import"}:
        return False
    is_definition = use.owner == "" and words[0] == name
    return not is_definition
