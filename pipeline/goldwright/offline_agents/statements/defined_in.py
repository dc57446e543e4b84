"""Statement: the file in which something is defined."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Self

from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.statement import (
    Example,
    Finding,
    Shown,
    Statement,
    not_shown_in,
)
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.records import FileRange

_SENTENCE: Final = re.compile(r"`(?P<name>[\w.]+)` is defined in `(?P<path>[^`]+)`\.")


@dataclass(frozen=True, slots=True)
class DefinedIn(Statement):
    """A function or a class is defined in a file.

    Attributes:
        name: Its qualified name.
        path: The file.
    """

    kind: ClassVar[str] = "defined_in"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="def pay(basket):\n    return sum(basket)\n",
            holds=("`pay` is defined in `shop.py`.",),
            fails=("`pay` is defined in `basket.py`.",),
        ),
    )

    name: str
    path: str

    @property
    def subject(self) -> str:
        return self.name

    def sentence(self) -> str:
        return f"`{self.name}` is defined in `{self.path}`."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        return cls(match["name"], match["path"])

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        lines = FileRange(file=module.path, start=function.lineno, end=function.lineno)
        statement = cls(name, module.path)
        yield Finding(statement, module.entity_id(name), lines)

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        definitions = code.named(self.name)
        for definition in definitions:
            if definition.path == self.path:
                return "shown", definition.range
        return not_shown_in(definitions)

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        for alternative in alternatives:
            if isinstance(alternative, DefinedIn) and alternative.path != self.path:
                yield DefinedIn(self.name, alternative.path)
