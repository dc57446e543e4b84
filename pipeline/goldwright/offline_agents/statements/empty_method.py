"""Statement: a method without a deed, which is there to be overridden."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Self

from goldwright.code_reading.contracts import abstract_reason, does_nothing
from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.statement import Example, Finding, Shown, Statement
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.offline_agents.token_reading.token_lines import TokenLine
from goldwright.records import FileRange

_SENTENCE: Final = re.compile(r"By itself, `(?P<function>[\w.]+)` does nothing\.")


@dataclass(frozen=True, slots=True)
class EmptyMethod(Statement):
    """A function does nothing, and is not declared abstract either.

    Attributes:
        function: Its qualified name.
    """

    kind: ClassVar[str] = "empty_method"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code='''
class Store:
    def open(self):
        """Called before the first load."""

    def close(self):
        pass

    def load(self, key):
        return key
''',
            holds=(
                "By itself, `Store.open` does nothing.",
                "By itself, `Store.close` does nothing.",
            ),
            fails=("By itself, `Store.load` does nothing.",),
        ),
    )

    function: str

    @property
    def subject(self) -> str:
        return self.function

    def sentence(self) -> str:
        return f"By itself, `{self.function}` does nothing."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        return cls(match["function"])

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        if does_nothing(function) and not abstract_reason(function):
            last = function.end_lineno or function.lineno
            lines = FileRange(file=module.path, start=function.lineno, end=last)
            statement = cls(name)
            yield Finding(statement, module.entity_id(name), lines)

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        for definition in code.named(self.function):
            is_empty = all(map(_is_idle, definition.lines))
            return ("shown" if is_empty else "refuted"), definition.range
        return "unclear", None

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        yield from ()


def _is_idle(line: TokenLine) -> bool:
    words = line.line.words()
    if line.keyword in {"@", "def"} or words in (["pass"], ["..."], ["return"], ["return", "None"]):
        return True
    return line.line.is_string
