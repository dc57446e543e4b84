"""Statement: which attributes an object gets when it is made; the set is closed."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from goldwright.code_reading.child_nodes import own_nodes
from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.lists import join_code, read_code_list
from goldwright.offline_agents.statements.statement import Example, Finding, Shown, Statement
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.offline_agents.token_reading.state_changes import changes_on
from goldwright.offline_agents.token_reading.token_lines import TokenLine
from goldwright.records import FileRange

MOST_ATTRIBUTES: Final = 8

_SENTENCE: Final = re.compile(
    r"By itself, `(?P<name>[\w.]+)\.__init__` sets (?P<attributes>`.+`) "
    r"and no other attribute of its own\."
)


@dataclass(frozen=True, slots=True)
class KeepsAttributes(Statement):
    """The ``__init__`` of a class sets these attributes and no others.

    Attributes:
        name: The qualified name of the class.
        attributes: All the attributes, as in ``self.total``, in the order in which they are set.
    """

    kind: ClassVar[str] = "keeps_attributes"
    set_field = "attributes"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
class Basket:
    def __init__(self, owner):
        self.owner = owner
        self.items: list[str] = []

    def add(self, item):
        self.last = item
""",
            holds=(
                (
                    "By itself, `Basket.__init__` sets `self.owner` and `self.items` "
                    "and no other attribute of its own."
                ),
            ),
            fails=(
                "By itself, `Basket.__init__` sets `self.owner` and no other attribute of its own.",
            ),
        ),
    )

    name: str
    attributes: tuple[str, ...]

    @property
    def subject(self) -> str:
        return self.name

    def sentence(self) -> str:
        attributes = join_code(self.attributes)
        start = f"By itself, `{self.name}.__init__` sets {attributes}"
        return f"{start} and no other attribute of its own."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        attributes = read_code_list(match["attributes"]) if match is not None else None
        return None if match is None or attributes is None else cls(match["name"], attributes)

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        class_name, _, simple_name = name.rpartition(".")
        attributes = tuple(dict.fromkeys(_set_attributes(function)))
        is_sayable = 0 < len(attributes) <= MOST_ATTRIBUTES and simple_name == "__init__"
        # What a method sets that is called there is kept as well: the list would be no whole one.
        is_sayable = is_sayable and not _is_set_elsewhere(module, class_name, function)
        is_sayable = is_sayable and not any(_sets_inside(node) for node in own_nodes(function.body))
        if is_sayable and isinstance(module.definitions.get(class_name), ast.ClassDef):
            last = function.end_lineno or function.lineno
            lines = FileRange(file=module.path, start=function.lineno, end=last)
            yield Finding(cls(class_name, attributes), f"{module.path}::{class_name}", lines)

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        for definition in code.named(self.name):
            owner = f"{self.name}.__init__"
            lines = [line for line in definition.lines if line.owner == owner]
            if not lines:
                return "refuted", definition.range
            attributes = self.seen_members(code) or frozenset()
            place = FileRange(file=definition.path, start=lines[0].first, end=lines[-1].last)
            return ("shown" if attributes == set(self.attributes) else "refuted"), place
        return "unclear", None

    def seen_members(self, code: TokenCodebase) -> frozenset[str] | None:
        for definition in code.named(self.name):
            lines = [line for line in definition.lines if line.owner == f"{self.name}.__init__"]
            return frozenset(attribute for line in lines for attribute in _targets(line))
        return None

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        if len(self.attributes) > 1:
            yield replace(self, attributes=self.attributes[:-1])


def _set_attributes(function: Function) -> Iterator[str]:
    """Yield what a function sets on ``self``, from top to bottom."""
    nodes = [
        node
        for node in own_nodes(function.body)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    ]
    for node in sorted(nodes, key=_place):
        if isinstance(node.value, ast.Name) and node.value.id == "self":
            yield f"self.{node.attr}"


def _is_set_elsewhere(module: Module, class_name: str, function: Function) -> bool:
    """Find out whether a method that is called on ``self`` may set attributes too."""
    for node in own_nodes(function.body):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)):
                method = module.function(f"{class_name}.{name}")
                # What is inherited is not read.
                if method is None or any(_set_attributes(method)):
                    return True
    return False


def _sets_inside(node: ast.AST) -> bool:
    """Find out whether a node changes something that an attribute holds: state as well."""
    match node:
        case (
            ast.Attribute(value=held, ctx=ast.Store()) | ast.Subscript(value=held, ctx=ast.Store())
        ) if not isinstance(held, ast.Name):
            names = (inner.id for inner in ast.walk(held) if isinstance(inner, ast.Name))
            return next(names, "") == "self"
        case ast.Call(func=ast.Name(id="setattr"), args=[ast.Name(id="self"), *_]):
            return True
    return False


def _place(node: ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _targets(line: TokenLine) -> Iterator[str]:
    """Yield the attributes of ``self`` that a line sets, several at once and annotated ones too."""
    words = line.line.words()
    for place in range(len(words) - 2):
        if words[place : place + 2] != ["self", "."]:
            continue
        name = words[place + 2]
        is_in_row = set(words[place + 3 : place + 4]) & {",", ")"} and "=" in words[place:]
        if "replace" in changes_on(line, name) or (is_in_row and line.keyword in {"self", "("}):
            yield f"self.{name}"
