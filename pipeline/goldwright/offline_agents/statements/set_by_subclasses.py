"""Statement: an attribute that a class leaves to its subclasses, and all of them set it."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Self

from goldwright.code_reading.contracts import assigned_names
from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.brackets import depth_change
from goldwright.offline_agents.statements.statement import Example, Finding, Shown, Statement
from goldwright.offline_agents.token_reading.definitions import TokenCodebase, TokenDefinition
from goldwright.offline_agents.token_reading.token_lines import TokenLine
from goldwright.records import FileRange

_SENTENCE: Final = re.compile(
    r"`(?P<base>[\w.]+)` leaves the class attribute `(?P<attribute>\w+)` "
    r"(?P<start>at `[^`]+`|without a value), and every direct subclass sets it\."
)
# What stands for a value that is still to come.
OPEN_VALUES: Final = frozenset({"", "None", "NotImplemented", '""', "''", "()", "[]", "{}"})


@dataclass(frozen=True, slots=True)
class SetBySubclasses(Statement):
    """A class has an attribute that its direct subclasses all set in their bodies.

    Attributes:
        base: The qualified name of the class.
        attribute: The name of the attribute.
        start: What the class itself has there, as written; empty where it is only declared.
    """

    kind: ClassVar[str] = "set_by_subclasses"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
class Store:
    name: str
    suffix = None
    limit = None

class FileStore(Store):
    name = "files"
    suffix: str = ".txt"
    limit = 3

class MemoryStore(Store):
    name = "memory"
    suffix = ".mem"
""",
            holds=(
                (
                    "`Store` leaves the class attribute `name` without a value, and every direct "
                    "subclass sets it."
                ),
                (
                    "`Store` leaves the class attribute `suffix` at `None`, and every direct "
                    "subclass sets it."
                ),
            ),
            fails=(
                (
                    "`Store` leaves the class attribute `limit` at `None`, and every direct "
                    "subclass sets it."
                ),
                (
                    "`Store` leaves the class attribute `suffix` without a value, and every direct "
                    "subclass sets it."
                ),
            ),
        ),
    )

    base: str
    attribute: str
    start: str

    @property
    def subject(self) -> str:
        return self.base

    def sentence(self) -> str:
        start = f"at `{self.start}`" if self.start else "without a value"
        return (
            f"`{self.base}` leaves the class attribute `{self.attribute}` {start}, and every "
            "direct subclass sets it."
        )

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        start = match["start"].removeprefix("at ").strip("`")
        start = "" if match["start"] == "without a value" else start
        return cls(match["base"], match["attribute"], start)

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        yield from ()

    @classmethod
    def find_in(
        cls, module: Module, base: str, subclasses: Sequence[tuple[Module, str]]
    ) -> Iterator[Finding]:
        """Find the attributes of a class that all of its subclasses set.

        Args:
            module: The file of the class.
            base: Its qualified name.
            subclasses: All its direct subclasses, each with its file.
        """
        nodes = [subclass_module.class_definition(name) for subclass_module, name in subclasses]
        node = module.class_definition(base)
        if node is None or None in nodes or not nodes:
            return
        class_nodes = [class_node for class_node in nodes if class_node is not None]
        for line, attribute, value in _attributes(module, node):
            is_set = all(attribute in assigned_names(class_node) for class_node in class_nodes)
            if is_set and value in OPEN_VALUES:
                lines = FileRange(file=module.path, start=line, end=line)
                statement = cls(base, attribute, value)
                yield Finding(statement, module.entity_id(base), lines)

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        for definition in code.named(self.base):
            line = _line_of(definition, self.attribute)
            if line is None or _value_on(line) != self.start:
                return "refuted", definition.range
            is_set = self._is_set_by_all(code)
            if is_set is None:
                return "unclear", definition.at(line)
            return ("shown" if is_set else "refuted"), definition.at(line)
        return "unclear", None

    def _is_set_by_all(self, code: TokenCodebase) -> bool | None:
        """Find out whether all direct subclasses set it; None where not all can be read."""
        word = self.base.rpartition(".")[2]
        uses = code.subclass_lines(word)
        if uses is None:
            return None
        for use in uses:
            if not use.is_product_subclass(word):
                continue
            owner_definitions = code.definitions_around(use)
            if not owner_definitions:
                return None
            line = _line_of(owner_definitions[0], self.attribute)
            if line is None or not _value_on(line):
                return False
        return True

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        yield from ()


def _attributes(module: Module, node: ast.ClassDef) -> Iterator[tuple[int, str, str]]:
    """Yield the attributes that the body of a class declares or sets: line, name and value."""
    for statement in node.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield statement.lineno, name, module.text.of(value)
            case ast.AnnAssign(target=ast.Name(id=name), value=None):
                yield statement.lineno, name, ""
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                yield statement.lineno, name, module.text.of(value)
            case _:
                continue


def _line_of(definition: TokenDefinition, attribute: str) -> TokenLine | None:
    """Find the line in the body of a class that declares or sets an attribute."""
    for line in definition.own_lines:
        if line.line.words()[:1] == [attribute] and line.line.words()[1:2] in ([":"], ["="]):
            return line
    return None


def _value_on(line: TokenLine) -> str:
    """Give what stands behind the equals sign of a line; empty where there is none."""
    words = line.line.words()
    depth = 0
    for place, word in enumerate(words):
        depth += depth_change(word)
        if word == "=" and depth == 0:
            return "".join(words[place + 1 :])
    return ""
