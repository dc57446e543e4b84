"""Statement: all the functions that call a method, whichever class of its family defines it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from goldwright.offline_agents.statements.closed_sets import ClosedSet
from goldwright.offline_agents.statements.lists import join_code
from goldwright.offline_agents.statements.statement import Example, Shown, Statement
from goldwright.offline_agents.token_reading.definitions import TokenCodebase, WordUse
from goldwright.records import FileRange

_SENTENCE: Final = re.compile(
    r"`(?P<method>[\w.]+)` and what overrides it are called by "
    r"(?P<callers>`.+?`), (?P<overrides>by overrides through `super\(\)`, )?"
    r"and by no other product code\."
)


@dataclass(frozen=True, slots=True)
class FamilyCallers(ClosedSet):
    """A method, or what overrides it, is called by these functions and by no others.

    Attributes:
        method: The qualified name of the method.
        callers: The qualified names of all functions that call it, one at least; without what
            overrides it.
        is_extended: Whether an override calls what it overrides.
    """

    kind: ClassVar[str] = "family_callers"
    set_field = "callers"
    pattern = _SENTENCE
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
class Store:
    def load(self, key):
        raise NotImplementedError

class FileStore(Store):
    def load(self, key):
        return super().load(key) or open(key)

def pay(store):
    return store.load("basket")

class Shop:
    def close(self):
        return self.store.load("till")
""",
            holds=(
                (
                    "`Store.load` and what overrides it are called by `pay` and `Shop.close`, by "
                    "overrides through `super()`, and by no other product code."
                ),
            ),
            fails=(
                (
                    "`Store.load` and what overrides it are called by `pay`, by overrides through "
                    "`super()`, and by no other product code."
                ),
                (
                    "`Store.load` and what overrides it are called by `pay` and `Shop.close`, and "
                    "by no other product code."
                ),
            ),
        ),
    )

    method: str
    callers: tuple[str, ...]
    is_extended: bool = False

    @property
    def subject(self) -> str:
        return self.method

    def sentence(self) -> str:
        callers = join_code(self.callers)
        overrides = "by overrides through `super()`, " if self.is_extended else ""
        return (
            f"`{self.method}` and what overrides it are called by {callers}, {overrides}"
            "and by no other product code."
        )

    @classmethod
    def _of(cls, attributes: dict[str, str], members: tuple[str, ...]) -> Self:
        return cls(attributes["method"], members, bool(attributes["overrides"]))

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        shown, place = ClosedSet.is_shown(self, code)
        callers = self._seen_callers(code) or ()
        is_extended = any(map(self._is_override, callers))
        if shown == "shown" and is_extended != self.is_extended:
            return "refuted", place
        return shown, place

    def seen_members(self, code: TokenCodebase) -> frozenset[str] | None:
        callers = self._seen_callers(code)
        if callers is None:
            return None
        return frozenset(caller for caller in callers if not self._is_override(caller))

    def _seen_callers(self, code: TokenCodebase) -> frozenset[str] | None:
        word = self.method.rpartition(".")[2]
        uses = code.uses_of(word)
        if uses is None:
            return None
        in_product = [use for use in uses if use.is_product_code]
        return frozenset(use.owner for use in in_product if _calls(use, word))

    def _is_override(self, caller: str) -> bool:
        word = self.method.rpartition(".")[2]
        return caller.rpartition(".")[2] == word

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        yield from ClosedSet.falsehoods(self, alternatives)
        for alternative in alternatives:
            if isinstance(alternative, FamilyCallers) and set(alternative.callers) != set(
                self.callers
            ):
                yield replace(self, callers=alternative.callers)


def _calls(use: WordUse, word: str) -> bool:
    words = use.line.line.words()
    if words[0] in {"from", "import"}:
        return False
    before_each = ["", *words]
    behind_each = [*words[1:], ""]
    for before, name, behind in zip(before_each, words, behind_each, strict=False):
        if (name, behind) == (word, "(") and before not in {"def", "class"}:
            return True
    return False
