"""Statement: what a function puts into one of its names."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar, Final, Self

from goldwright.code_reading.conditions import statements_of
from goldwright.code_reading.modules import Function, Module
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

# A longer expression is no longer taken in at one look.
LONGEST_VALUE: Final = 90
# Values of which it is known whether they are calls: of one codebase, more than an answer tells.
_VALUES_IN_MEMORY: Final = 4096
_LOCAL_NAMES: Final = re.compile(r"\w+(?:, \w+)*")

_SENTENCE: Final = re.compile(
    r"`(?P<subject>[\w.]+)` sets `(?P<target>[^`]+)` to `(?P<value>[^`]+)`(?P<conditions> .+)?\."
)


@dataclass(frozen=True, slots=True)
class Assigned(Deed):
    """A function sets a name or an attribute to a value under these conditions.

    Attributes:
        function: The qualified name of the function.
        target: What is set, as written: names or attributes, one as a rule.
        value: The value, as written.
        path: All the conditions.
    """

    kind: ClassVar[str] = "assigned"
    verbs: ClassVar[tuple[str, ...]] = ("sets", "gets")
    predicates: ClassVar[tuple[str, ...]] = (
        r"sets `([^`]+)` to `([^`]+)`",
        r"gets `([^`]+)` from `([^`]+)`",
    )
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
def load(path, mode):
    if mode is None:
        mode = "r"
    handle = open(path, mode)
    first, self.rest = handle.split()
    return handle
""",
            holds=(
                "`load` sets `handle` to `open(path, mode)`.",
                "`load` sets `first, self.rest` to `handle.split()`.",
                '`load` sets `mode` to `"r"` if `mode is None`.',
            ),
            fails=(
                '`load` sets `mode` to `"r"`.',
                '`load` sets `mode` to `"w"` if `mode is None`.',
                '`load` sets `mode` to `"r"` unless `mode is None`.',
            ),
        ),
    )

    function: str
    target: str
    value: str
    path: Path

    @property
    def targets(self) -> tuple[str, ...]:
        """Each of the names and attributes."""
        return tuple(self.target.split(", "))

    @property
    def changes_its_tests(self) -> bool:
        """Whether it gives another value to a name that its conditions look at."""
        tested = " ".join(condition.code for condition in self.path)
        escaped_targets = map(re.escape, self.targets)
        patterns = (rf"(?<![\w.]){target}(?!\w)" for target in escaped_targets)
        return any(re.search(pattern, tested) for pattern in patterns)

    def predicate(self) -> str:
        # Nobody gets an attribute, or the place of an item.
        if _gives_a_result(self.value) and _LOCAL_NAMES.fullmatch(self.target):
            return f"gets `{self.target}` from `{self.value}`"
        return f"sets `{self.target}` to `{self.value}`"

    def sentence(self) -> str:
        conditions = write_conditions(self.path)
        return f"`{self.function}` sets `{self.target}` to `{self.value}`{conditions}."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        path = read_conditions(match["conditions"] or "")
        if path is None:
            return None
        function, target, value = match.group("subject", "target", "value")
        return cls(function, target, value, path)

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        for reached in statements_of(function, module.text):
            node = reached.node
            if reached.path is None or not isinstance(node, ast.Assign | ast.AnnAssign):
                continue
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            value = module.text.of(node.value)
            target = module.text.of(targets[0])
            if len(targets) > 1 or not _can_be_said(target, value):
                continue
            last = node.end_lineno or node.lineno
            lines = FileRange(file=module.path, start=node.lineno, end=last)
            statement = cls(name, target, value, reached.path)
            yield Finding(statement, module.entity_id(name), lines)

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        return look_for(code, self.function, self.path, self._is_on)

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        for alternative in alternatives:
            if not isinstance(alternative, Assigned):
                continue
            # What the same name is set to elsewhere; the value of another name fools nobody.
            is_same = alternative.target == self.target
            if is_same and alternative.value != self.value:
                yield replace(self, value=alternative.value)
        for path in inverted_paths(self.path):
            yield replace(self, path=path)

    def _is_on(self, line: CodeLine) -> bool:
        code = plain_code(line.code)
        # An annotation may stand between the name and its value.
        before, mark, value = code.partition(" = ")
        target = before.partition(" : ")[0]
        if not mark or target != plain_code(self.target):
            return False
        return plain_code(value) == plain_code(self.value)


def is_sayable(text: str) -> bool:
    """Find out whether code can stand in a sentence: it is neither empty nor too long."""
    return 0 < len(text) <= LONGEST_VALUE and "`" not in text


def _can_be_said(target: str, value: str) -> bool:
    is_plain = re.fullmatch(r"[\w.]+(?:, [\w.]+)*", target) is not None
    return is_plain and is_sayable(value)


@lru_cache(maxsize=_VALUES_IN_MEMORY)
def _gives_a_result(value: str) -> bool:
    """Find out whether a value is what one call gives back, and no new object of a class."""
    try:
        parsed = ast.parse(value, mode="eval").body
    except (SyntaxError, ValueError):
        return False
    if not isinstance(parsed, ast.Call):
        return False
    called = ast.unparse(parsed.func).rpartition(".")[2]
    return not called.lstrip("_")[:1].isupper()
