"""Statement: a function puts a value under a key into something that is kept."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from goldwright.code_reading.conditions import statements_of
from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.assigned import is_sayable
from goldwright.offline_agents.statements.condition_phrases import (
    inverted_paths,
    read_conditions,
    write_conditions,
)
from goldwright.offline_agents.statements.conditional import look_for
from goldwright.offline_agents.statements.statement import (
    ConditionalStatement,
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
    r"`(?P<function>[\w.]+)` stores `(?P<value>[^`]+)` in `(?P<store>[^`]+)` "
    r"under the key `(?P<key>[^`]+)`(?P<conditions> .+)?\."
)


@dataclass(frozen=True, slots=True)
class StoresItem(ConditionalStatement):
    """A function sets an item of a mapping under these conditions.

    Attributes:
        function: The qualified name of the function.
        store: The mapping, as written.
        key: The key, as written.
        value: The value, as written.
        path: All the conditions.
    """

    kind: ClassVar[str] = "stores_item"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
PRICES = {}

def price(item):
    if item not in PRICES:
        PRICES[item] = look_up(item)
    return PRICES[item]
""",
            holds=(
                (
                    "`price` stores `look_up(item)` in `PRICES` under the key `item` "
                    "if `item not in PRICES`."
                ),
            ),
            fails=(
                "`price` stores `look_up(item)` in `PRICES` under the key `item`.",
                "`price` stores `0` in `PRICES` under the key `item` if `item not in PRICES`.",
            ),
        ),
    )

    function: str
    store: str
    key: str
    value: str
    path: Path

    @property
    def subject(self) -> str:
        return self.function

    def sentence(self) -> str:
        conditions = write_conditions(self.path)
        place = f"in `{self.store}` under the key `{self.key}`"
        return f"`{self.function}` stores `{self.value}` {place}{conditions}."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        path = read_conditions(match["conditions"] or "")
        if path is None:
            return None
        return cls(match["function"], match["store"], match["key"], match["value"], path)

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        for reached in statements_of(function, module.text):
            match reached.node:
                case ast.Assign(targets=[ast.Subscript() as target], value=value):
                    parts = (target.value, target.slice, value)
                    store_text, key_text, value_text = map(module.text.of, parts)
                case _:
                    continue
            texts = (store_text, key_text, value_text)
            if reached.path is None or not all(map(is_sayable, texts)):
                continue
            last = reached.node.end_lineno or reached.node.lineno
            lines = FileRange(file=module.path, start=reached.node.lineno, end=last)
            statement = cls(name, store_text, key_text, value_text, reached.path)
            yield Finding(statement, module.entity_id(name), lines)

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        return look_for(code, self.function, self.path, self._is_on)

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        for path in inverted_paths(self.path):
            yield replace(self, path=path)

    def _is_on(self, line: CodeLine) -> bool:
        line_code = plain_code(line.code)
        before, mark, value = line_code.partition(" = ")
        target = f"{self.store}[{self.key}]"
        if not mark or before != plain_code(target):
            return False
        return value == plain_code(self.value)
