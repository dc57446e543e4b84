"""Statement: all the direct subclasses of a class; the set is closed."""

import re
from dataclasses import dataclass
from typing import ClassVar, Final

from goldwright.offline_agents.statements.closed_sets import ClosedSet
from goldwright.offline_agents.statements.lists import join_code
from goldwright.offline_agents.statements.statement import Example
from goldwright.offline_agents.token_reading.definitions import TokenCodebase

_SENTENCE: Final = re.compile(
    r"In product code, `(?P<base>[\w.]+)` has the direct "
    r"subclass(?:es)? (?P<subclasses>`.+`) and no other\."
)


@dataclass(frozen=True, slots=True)
class OnlySubclasses(ClosedSet):
    """A class has these direct subclasses and no others in product code.

    Attributes:
        base: The qualified name of the class.
        subclasses: The qualified names of all its direct subclasses, one at least.
    """

    kind: ClassVar[str] = "only_subclasses"
    set_field = "subclasses"
    pattern = _SENTENCE
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
class Store:
    pass

class FileStore(Store):
    pass

class MemoryStore(Store):
    pass

class Cache(FileStore):
    pass
""",
            holds=(
                (
                    "In product code, `Store` has the direct subclasses `FileStore` and "
                    "`MemoryStore` and no other."
                ),
                "In product code, `FileStore` has the direct subclass `Cache` and no other.",
            ),
            fails=("In product code, `Store` has the direct subclass `FileStore` and no other.",),
        ),
    )

    base: str
    subclasses: tuple[str, ...]

    @property
    def subject(self) -> str:
        return self.base

    def sentence(self) -> str:
        noun = "subclass" if len(self.subclasses) == 1 else "subclasses"
        names = join_code(self.subclasses)
        return f"In product code, `{self.base}` has the direct {noun} {names} and no other."

    def seen_members(self, code: TokenCodebase) -> frozenset[str] | None:
        word = self.base.rpartition(".")[2]
        uses = code.subclass_lines(word)
        if uses is None:
            return None
        subclasses: set[str] = set()
        for use in uses:
            if use.is_product_subclass(word):
                subclasses.add(use.line.owner)
        return frozenset(subclasses)
