"""Statement: what a function returns under which condition."""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from goldwright.code_reading.child_nodes import own_nodes
from goldwright.code_reading.conditions import statements_of
from goldwright.code_reading.error_routes import is_generator
from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.assigned import LONGEST_VALUE
from goldwright.offline_agents.statements.condition_phrases import (
    inverted_paths,
    read_conditions,
    write_conditions,
)
from goldwright.offline_agents.statements.conditional import look_for
from goldwright.offline_agents.statements.deed import Deed
from goldwright.offline_agents.statements.statement import (
    Example,
    Finding,
    Shown,
    Statement,
)
from goldwright.offline_agents.token_reading.code_text import plain_code
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.offline_agents.token_reading.line_blocks import CodeLine
from goldwright.path_conditions import Path
from goldwright.records import FileRange

_SENTENCE: Final = re.compile(
    r"`(?P<subject>[\w.]+)` returns `(?P<value>[^`]+)`(?P<conditions> .+)?\."
)


@dataclass(frozen=True, slots=True)
class Returned(Deed):
    """A function returns a value under these conditions.

    Attributes:
        function: The qualified name of the function.
        value: The value, as written; ``None`` for a bare ``return``.
        path: All the conditions.
    """

    kind: ClassVar[str] = "returned"
    verbs: ClassVar[tuple[str, ...]] = ("returns",)
    predicates: ClassVar[tuple[str, ...]] = (r"returns `([^`]+)`",)
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
def price(item, table):
    if item in table:
        return table[item]
    return 0
""",
            holds=(
                "`price` returns `table[item]` if `item in table`.",
                "`price` returns `0` unless `item in table`.",
            ),
            fails=(
                "`price` returns `0` if `item in table`.",
                "`price` returns `0`.",
                "`price` returns `None` unless `item in table`.",
            ),
        ),
    )

    function: str
    value: str
    path: Path

    def predicate(self) -> str:
        return f"returns `{self.value}`"

    def sentence(self) -> str:
        conditions = write_conditions(self.path)
        return f"`{self.function}` returns `{self.value}`{conditions}."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        path = read_conditions(match["conditions"] or "")
        if path is None:
            return None
        return cls(match["subject"], match["value"], path)

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        if is_generator(function):
            return
        nodes = own_nodes(function.body)
        returns = [node for node in nodes if isinstance(node, ast.Return)]
        values = Counter(_value_of(node, module) for node in returns)
        for reached in statements_of(function, module.text):
            node = reached.node
            if reached.path is None or not isinstance(node, ast.Return):
                continue
            value = _value_of(node, module)
            if not value or len(value) > LONGEST_VALUE or "`" in value:
                continue
            # "Returns x unless a" would be read as if something else came back otherwise.
            is_denied = any(condition.kind == "unless" for condition in reached.path)
            if is_denied and values[value] > 1:
                continue
            last = node.end_lineno or node.lineno
            lines = FileRange(file=module.path, start=node.lineno, end=last)
            statement = cls(name, value, reached.path)
            yield Finding(statement, module.entity_id(name), lines)

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        return look_for(code, self.function, self.path, self._is_on)

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        for alternative in alternatives:
            if not isinstance(alternative, Returned):
                continue
            is_sibling = alternative.function == self.function
            # A function may give back nothing in other ways too, which nobody would call wrong.
            if is_sibling and alternative.value not in {self.value, "None"}:
                yield replace(self, value=alternative.value)
        for path in inverted_paths(self.path):
            yield replace(self, path=path)

    def _is_on(self, line: CodeLine) -> bool:
        if line.keyword != "return":
            return False
        return plain_code(line.operand or "None") == plain_code(self.value)


def _value_of(node: ast.Return, module: Module) -> str:
    """Write what is returned; without a value it is ``None``."""
    return module.text.of(node.value) if node.value is not None else "None"
