"""Statement: which functions of libraries no product code calls."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Self

from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.lists import either, read_choice
from goldwright.offline_agents.statements.statement import Example, Finding, Shown, Statement
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.offline_agents.token_reading.library_words import library_uses
from goldwright.records import FileRange

_SENTENCE: Final = re.compile(
    r"Product code calls `(?P<called>\w+(?:\.\w+)+)`, and never (?P<names>`.+`)\."
)


@dataclass(frozen=True, slots=True)
class LibraryUncalled(Statement):
    """Functions that would do the same as one that is called are called nowhere.

    Attributes:
        called: The whole name of the one that is called.
        names: The whole names of the others.
    """

    kind: ClassVar[str] = "library_uncalled"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
import os
from os import remove

def clear(place):
    os.unlink(place)

def forget(place):
    remove(place)
""",
            holds=("Product code calls `os.unlink`, and never `os.rmdir` or `os.rename`.",),
            fails=("Product code calls `os.unlink`, and never `os.rename` or `os.remove`.",),
        ),
    )

    called: str
    names: tuple[str, ...]

    @property
    def subject(self) -> str:
        return self.called

    def sentence(self) -> str:
        uncalled = either(self.names)
        return f"Product code calls `{self.called}`, and never {uncalled}."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        names = read_choice(match["names"])
        return None if names is None else cls(match["called"], names)

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        # It does not show in one function, so the inquiry finds it in the whole codebase.
        yield from ()

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        called = _product_uses(code, self.called)
        if not called:
            return "unclear", None
        place = called[0]
        for name in self.names:
            places = _product_uses(code, name)
            if places is None:
                return "unclear", place
            if places:
                return "refuted", places[0]
        return "shown", place

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        # Nobody believes of a call that it is missing who was told that another one is made.
        yield from ()


def _product_uses(code: TokenCodebase, name: str) -> list[FileRange] | None:
    """List where product code may call a function of a library; None where too many files do."""
    uses = library_uses(code, name)
    if uses is None:
        return None
    return [use.range for use in uses]
