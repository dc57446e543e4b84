"""Statement: a call that a function makes for what it does, and not for its result."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from goldwright.code_reading.conditions import statements_of
from goldwright.code_reading.log_calls import LEVELS
from goldwright.code_reading.messages import log_template
from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.assigned import LONGEST_VALUE
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

_SENTENCE: Final = re.compile(r"`(?P<subject>[\w.]+)` runs `(?P<call>[^`]+)`(?P<conditions> .+)?\.")


@dataclass(frozen=True, slots=True)
class Runs(ConditionalStatement):
    """A function makes a call under these conditions and drops what comes back.

    Attributes:
        function: The qualified name of the function.
        call: The call, as written.
        path: All the conditions.
    """

    kind: ClassVar[str] = "runs"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
def pay(basket, mail):
    if mail is not None:
        mail.send("paid", to=basket.owner)
    basket.clear()
""",
            holds=(
                '`pay` runs `mail.send("paid", to=basket.owner)` if `mail is not None`.',
                "`pay` runs `basket.clear()`.",
            ),
            fails=(
                '`pay` runs `mail.send("paid", to=basket.owner)`.',
                "`pay` runs `basket.clear()` if `mail is not None`.",
                "`pay` runs `basket.close()`.",
            ),
        ),
    )

    function: str
    call: str
    path: Path

    @property
    def subject(self) -> str:
        return self.function

    def sentence(self) -> str:
        return f"`{self.function}` runs `{self.call}`{write_conditions(self.path)}."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        path = read_conditions(match["conditions"] or "")
        return None if path is None else cls(match["subject"], match["call"], path)

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        for reached in statements_of(function, module.text):
            node = reached.node
            if reached.path is None or not isinstance(node, ast.Expr) or not _is_call(node.value):
                continue
            call = module.text.of(node.value)
            if not call or len(call) > LONGEST_VALUE or "`" in call:
                continue
            last = node.end_lineno or node.lineno
            lines = FileRange(file=module.path, start=node.lineno, end=last)
            yield Finding(cls(name, call, reached.path), f"{module.path}::{name}", lines)

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        return look_for(code, self.function, self.path, self._is_on)

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        for path in inverted_paths(self.path):
            yield replace(self, path=path)
        for alternative in alternatives:
            if isinstance(alternative, Runs) and alternative.path != self.path:
                yield replace(self, path=alternative.path)

    def _is_on(self, line: CodeLine) -> bool:
        return plain_code(line.code) == plain_code(self.call)


def _is_call(node: ast.expr) -> bool:
    """Find out whether an expression is a call; that a message is logged is told otherwise."""
    call = node.value if isinstance(node, ast.Await) else node
    if not isinstance(call, ast.Call):
        return False
    is_at_level = isinstance(call.func, ast.Attribute) and call.func.attr in LEVELS
    return not (is_at_level and log_template(call))
