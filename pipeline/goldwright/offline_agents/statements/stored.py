"""Statement: what a function puts under a key."""

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
    r"`(?P<subject>[\w.]+)` puts `(?P<value>[^`]+)` into `(?P<place>[^`]+)`(?P<conditions> .+)?\."
)


@dataclass(frozen=True, slots=True)
class Stored(Deed):
    """A function puts a value into a place of a container under these conditions.

    Attributes:
        function: The qualified name of the function.
        value: The value, as written.
        place: The container with its key, as in ``headers["Retry-After"]``.
        path: All the conditions.
    """

    kind: ClassVar[str] = "stored"
    verbs: ClassVar[tuple[str, ...]] = ("puts",)
    predicates: ClassVar[tuple[str, ...]] = (r"puts `([^`]+)` into `([^`]+)`",)
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
def pay(basket, table):
    if basket:
        table["paid"] = basket.total(tax=True)
    table["open"] = 0
""",
            holds=(
                '`pay` puts `basket.total(tax=True)` into `table["paid"]` if `basket`.',
                '`pay` puts `0` into `table["open"]`.',
            ),
            fails=(
                '`pay` puts `0` into `table["paid"]` if `basket`.',
                '`pay` puts `basket.total(tax=True)` into `table["paid"]` unless `basket`.',
            ),
        ),
    )

    function: str
    value: str
    place: str
    path: Path

    def predicate(self) -> str:
        return f"puts `{self.value}` into `{self.place}`"

    def sentence(self) -> str:
        conditions = write_conditions(self.path)
        return f"`{self.function}` puts `{self.value}` into `{self.place}`{conditions}."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        path = read_conditions(match["conditions"] or "")
        if path is None:
            return None
        function, value, place = match.group("subject", "value", "place")
        return cls(function, value, place, path)

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        for reached in statements_of(function, module.text):
            node = reached.node
            if reached.path is None or not isinstance(node, ast.Assign):
                continue
            if len(node.targets) > 1 or not isinstance(node.targets[0], ast.Subscript):
                continue
            place = module.text.of(node.targets[0])
            value = module.text.of(node.value)
            if not is_sayable(place) or not is_sayable(value):
                continue
            # Without its brackets a tuple of one looks like its member.
            if value.endswith(",)"):
                continue
            last = node.end_lineno or node.lineno
            lines = FileRange(file=module.path, start=node.lineno, end=last)
            statement = cls(name, value, place, reached.path)
            yield Finding(statement, module.entity_id(name), lines)

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        return look_for(code, self.function, self.path, self._is_on)

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        for path in inverted_paths(self.path):
            yield replace(self, path=path)
        for alternative in alternatives:
            if isinstance(alternative, Stored) and alternative.value != self.value:
                yield replace(self, value=alternative.value)

    def _is_on(self, line: CodeLine) -> bool:
        line_code = plain_code(line.code)
        place, mark, value = line_code.partition(" = ")
        if not mark or place != plain_code(self.place):
            return False
        return plain_code(value) == plain_code(self.value)
