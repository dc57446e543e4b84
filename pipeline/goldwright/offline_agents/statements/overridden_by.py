"""Statement: which direct subclasses of a class define a method of their own; the set is closed."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.lists import join_code, read_code_list
from goldwright.offline_agents.statements.statement import Example, Finding, Shown, Statement
from goldwright.offline_agents.token_reading.definitions import TokenCodebase, TokenDefinition
from goldwright.records import FileRange

_SENTENCE: Final = re.compile(
    r"Of the direct subclasses of `(?P<base>[\w.]+)`, only (?P<definers>`.+`) defines? "
    r"`(?P<method>\w+)`\."
)
_ALL: Final = re.compile(
    r"Every direct subclass of `(?P<base>[\w.]+)` defines `(?P<method>\w+)`: (?P<definers>`.+`)\."
)


@dataclass(frozen=True, slots=True)
class OverriddenBy(Statement):
    """These direct subclasses of a class define a method, and the others leave it as it is.

    Attributes:
        base: The qualified name of the class.
        method: The simple name of the method.
        definers: The qualified names of the subclasses that define it, one at least.
        is_every: Whether these are all the direct subclasses in product code.
    """

    kind: ClassVar[str] = "overridden_by"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
class Store:
    def load(self, key):
        return None

    def close(self):
        return None

class FileStore(Store):
    def load(self, key):
        return open(key)

    def close(self):
        return True

class MemoryStore(Store):
    async def load(self, key):
        return key
""",
            holds=(
                "Every direct subclass of `Store` defines `load`: `FileStore` and `MemoryStore`.",
                "Of the direct subclasses of `Store`, only `FileStore` defines `close`.",
            ),
            fails=(
                "Every direct subclass of `Store` defines `close`: `FileStore` and `MemoryStore`.",
                "Of the direct subclasses of `Store`, only `MemoryStore` defines `load`.",
                "Of the direct subclasses of `Store`, only `MemoryStore` defines `close`.",
            ),
        ),
    )

    base: str
    method: str
    definers: tuple[str, ...]
    is_every: bool

    @property
    def subject(self) -> str:
        return self.base

    def sentence(self) -> str:
        definers = join_code(self.definers)
        if self.is_every:
            return f"Every direct subclass of `{self.base}` defines `{self.method}`: {definers}."
        verb = "defines" if len(self.definers) == 1 else "define"
        return f"Of the direct subclasses of `{self.base}`, only {definers} {verb} `{self.method}`."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence) or _ALL.fullmatch(sentence)
        if match is None:
            return None
        definers = read_code_list(match["definers"])
        if definers is None:
            return None
        is_every = sentence.startswith("Every")
        return cls(match["base"], match["method"], definers, is_every)

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        yield from ()

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        definitions = code.named(self.base)
        if not definitions:
            return "unclear", None
        place = definitions[0].range
        word = self.base.rpartition(".")[2]
        uses = code.subclass_lines(word)
        if uses is None:
            return "unclear", place
        definers: set[str] = set()
        subclasses: set[str] = set()
        for use in uses:
            if not use.is_product_subclass(word):
                continue
            owner = use.owner
            owner_definitions = code.definitions_around(use)
            if not owner_definitions:
                return "unclear", place
            subclasses.add(owner)
            if any(
                _defines(definition, f"{owner}.{self.method}") for definition in owner_definitions
            ):
                definers.add(owner)
        is_every = definers == subclasses
        is_same_set = definers == set(self.definers)
        is_same = is_same_set and is_every == self.is_every
        return ("shown" if is_same else "refuted"), place

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        if len(self.definers) > 1:
            yield replace(self, definers=self.definers[:-1], is_every=False)
            yield replace(self, definers=self.definers[1:], is_every=False)
        for alternative in alternatives:
            if isinstance(alternative, OverriddenBy) and set(alternative.definers) != set(
                self.definers
            ):
                yield replace(self, definers=alternative.definers, is_every=alternative.is_every)


def _defines(definition: TokenDefinition, name: str) -> bool:
    own_lines = [line for line in definition.lines if line.owner == name]
    return any(line.keyword == "def" for line in own_lines)
