"""Statement: the classes that a class derives from."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Self

from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.statement import Example, Finding, Shown, Statement
from goldwright.offline_agents.token_reading.code_text import plain_code
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.records import FileRange

_SENTENCE: Final = re.compile(r"The class `(?P<name>[\w.]+)` derives from `(?P<bases>[^`]+)`\.")


@dataclass(frozen=True, slots=True)
class Derives(Statement):
    """A class is derived from others.

    Attributes:
        name: Its qualified name.
        bases: What stands between the brackets of its header, as written.
    """

    kind: ClassVar[str] = "derives"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
class Payment:
    pass

class CardPayment(Payment, Generic[T]):
    pass
""",
            holds=("The class `CardPayment` derives from `Payment, Generic[T]`.",),
            fails=(
                "The class `CardPayment` derives from `Payment`.",
                "The class `Payment` derives from `CardPayment`.",
            ),
        ),
    )

    name: str
    bases: str

    @property
    def subject(self) -> str:
        return self.name

    def sentence(self) -> str:
        return f"The class `{self.name}` derives from `{self.bases}`."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        return cls(match["name"], match["bases"])

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        yield from ()

    @classmethod
    def find_in(cls, module: Module, name: str) -> Iterator[Finding]:
        """Find the bases of a class; nothing for one without."""
        node = module.definitions.get(name)
        if isinstance(node, ast.ClassDef) and node.bases and not node.keywords:
            bases = ", ".join(map(module.text.of, node.bases))
            if "`" not in bases:
                lines = FileRange(file=module.path, start=node.lineno, end=node.lineno)
                statement = cls(name, bases)
                yield Finding(statement, module.entity_id(name), lines)

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        for definition in code.named(self.name):
            for line in definition.own_lines:
                if line.keyword == "class":
                    _, _, behind = line.line.code.partition("(")
                    bases = behind.rpartition(")")[0]
                    is_same = plain_code(bases) == plain_code(self.bases)
                    return ("shown" if is_same else "refuted"), definition.at(line)
        return "unclear", None

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        for alternative in alternatives:
            if isinstance(alternative, Derives) and alternative.bases != self.bases:
                yield Derives(self.name, alternative.bases)
