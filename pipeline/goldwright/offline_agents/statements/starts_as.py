"""Statement: what a name of a module is when the module has been imported."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.assigned import LONGEST_VALUE
from goldwright.offline_agents.statements.statement import (
    Example,
    Finding,
    Shown,
    Statement,
    not_shown_in,
)
from goldwright.offline_agents.token_reading.code_text import plain_code
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.records import FileRange

_SENTENCE: Final = re.compile(
    r"At the level of its module, `(?P<name>\w+)` is made as `(?P<value>[^`]+)`\."
)


@dataclass(frozen=True, slots=True)
class StartsAs(Statement):
    """A name of a module is assigned a value where the module itself runs.

    Attributes:
        name: The name.
        value: The value, as written.
    """

    kind: ClassVar[str] = "starts_as"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="SEEN: set[str] = set()\nPRICES = {}\n",
            holds=(
                "At the level of its module, `SEEN` is made as `set()`.",
                "At the level of its module, `PRICES` is made as `{}`.",
            ),
            fails=("At the level of its module, `PRICES` is made as `set()`.",),
        ),
    )

    name: str
    value: str

    @property
    def subject(self) -> str:
        return self.name

    def sentence(self) -> str:
        return f"At the level of its module, `{self.name}` is made as `{self.value}`."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        return cls(match["name"], match["value"])

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        yield from ()

    @classmethod
    def find_for(cls, module: Module, name: str) -> Finding | None:
        """Find it for a name that a module assigns once and for all."""
        findings: list[Finding] = []
        for node in module.tree.body:
            match node:
                case ast.Assign(targets=[ast.Name(id=target)], value=ast.expr() as value):
                    pass
                case ast.AnnAssign(target=ast.Name(id=target), value=ast.expr() as value):
                    pass
                case _:
                    continue
            text = module.text.of(value)
            if target == name and 0 < len(text) <= LONGEST_VALUE and "`" not in text:
                last = node.end_lineno or node.lineno
                lines = FileRange(file=module.path, start=node.lineno, end=last)
                statement = cls(name, text)
                findings.append(Finding(statement, module.entity_id(name), lines))
        return findings[0] if len(findings) == 1 else None

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        definitions = code.named(self.name)
        for definition in definitions:
            for line in definition.lines:
                line_code = plain_code(line.line.code)
                before, mark, value = line_code.partition(" = ")
                is_target = before.partition(" : ")[0] == self.name
                if mark and is_target and plain_code(value) == plain_code(self.value):
                    return "shown", definition.at(line)
        return not_shown_in(definitions)

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        # Entries that go by themselves are easily overlooked; nobody takes a list for a set.
        if "Weak" in self.value:
            yield replace(self, value="{}")
