"""Statement: all the direct subclasses of a class; the set is closed."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.lists import join_code, read_code_list
from goldwright.offline_agents.statements.statement import Example, Finding, Shown, Statement
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.records import FileRange
from goldwright.snapshot.product_code import is_product_code

_SENTENCE: Final = re.compile(
    r"In product code, `(?P<base>[\w.]+)` has the direct "
    r"subclass(?:es)? (?P<subclasses>`.+`) and no other\."
)


@dataclass(frozen=True, slots=True)
class OnlySubclasses(Statement):
    """A class has these direct subclasses and no others in product code.

    Attributes:
        base: The qualified name of the class.
        subclasses: The qualified names of all its direct subclasses, one at least.
    """

    kind: ClassVar[str] = "only_subclasses"
    set_field = "subclasses"
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

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        names = read_code_list(match["subclasses"])
        return None if names is None else cls(match["base"], names)

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        yield from ()

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        definitions = code.named(self.base)
        if not definitions:
            return "unclear", None
        subclasses = self.seen_members(code)
        if subclasses is None:
            return "unclear", definitions[0].range
        is_same = subclasses == set(self.subclasses)
        return ("shown" if is_same else "refuted"), definitions[0].range

    def seen_members(self, code: TokenCodebase) -> frozenset[str] | None:
        word = self.base.rpartition(".")[2]
        uses = code.subclass_lines(word)
        if uses is None:
            return None
        found: set[str] = set()
        for use in uses:
            words = use.line.line.words()
            is_class = words[0] == "class" and word in words[2:]
            if is_class and is_product_code(use.path):
                found.add(use.line.owner)
        return frozenset(found)

    def falsehoods(self, others: Sequence[Statement]) -> Iterator[Statement]:
        if len(self.subclasses) > 1:
            yield replace(self, subclasses=self.subclasses[:-1])
            yield replace(self, subclasses=self.subclasses[1:])
