"""Statement: a method that every subclass must define."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from goldwright.code_reading.contracts import abstract_reason, only_raises_not_implemented
from goldwright.code_reading.modules import Function, Module
from goldwright.code_reading.outlines import first_line
from goldwright.offline_agents.statements.statement import Example, Finding, Shown, Statement
from goldwright.offline_agents.token_reading.definitions import TokenCodebase, TokenDefinition
from goldwright.offline_agents.token_reading.token_lines import TokenLine
from goldwright.records import FileRange

_SENTENCE: Final = re.compile(
    r"A subclass of `(?P<base>[\w.]+)` must define `(?P<method>\w+)`, which is "
    r"(?P<why>abstract|not implemented) there\."
)


@dataclass(frozen=True, slots=True)
class MustDefine(Statement):
    """A class leaves a method to its subclasses.

    Attributes:
        base: The qualified name of the class.
        method: The simple name of the method.
        why: ``abstract``: it is declared so. ``not implemented``: it only raises
            ``NotImplementedError``.
    """

    kind: ClassVar[str] = "must_define"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code='''
from abc import ABC, abstractmethod

class Store(ABC):
    @abstractmethod
    def load(self, key):
        """Load a value."""

    def save(self, key, value):
        """Save a value."""
        raise NotImplementedError

    def close(self):
        return None
''',
            holds=(
                "A subclass of `Store` must define `load`, which is abstract there.",
                "A subclass of `Store` must define `save`, which is not implemented there.",
            ),
            fails=(
                "A subclass of `Store` must define `close`, which is abstract there.",
                "A subclass of `Store` must define `load`, which is not implemented there.",
            ),
        ),
    )

    base: str
    method: str
    why: str

    @property
    def subject(self) -> str:
        return self.base

    def sentence(self) -> str:
        return (
            f"A subclass of `{self.base}` must define `{self.method}`, which is {self.why} there."
        )

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        return cls(match["base"], match["method"], match["why"])

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        base, _, method = name.rpartition(".")
        why = abstract_reason(function)
        if isinstance(module.definitions.get(base), ast.ClassDef) and why:
            last = function.end_lineno or function.lineno
            lines = FileRange(file=module.path, start=first_line(function), end=last)
            statement = cls(base, method, why)
            yield Finding(statement, module.entity_id(base), lines)

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        for definition in code.named(self.base):
            owner = f"{self.base}.{self.method}"
            lines = [line for line in definition.lines if line.owner == owner]
            if not lines:
                return "refuted", definition.range
            is_same_reason = _reason(lines) == self.why
            return ("shown" if is_same_reason else "refuted"), _place(definition, lines)
        return "unclear", None

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        yield MayDefine(self.base, self.method)


@dataclass(frozen=True, slots=True)
class MayDefine(Statement):
    """A class has a method of its own, which a subclass need not define.

    Attributes:
        base: The qualified name of the class.
        method: The simple name of the method.
    """

    kind: ClassVar[str] = "may_define"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
class Store:
    def save(self, key, value):
        raise NotImplementedError

    def close(self):
        return None
""",
            holds=("A subclass of `Store` can leave `close` as it is.",),
            fails=("A subclass of `Store` can leave `save` as it is.",),
        ),
    )

    base: str
    method: str

    @property
    def subject(self) -> str:
        return self.base

    def sentence(self) -> str:
        return f"A subclass of `{self.base}` can leave `{self.method}` as it is."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = re.fullmatch(
            r"A subclass of `(?P<base>[\w.]+)` can leave `(?P<method>\w+)` as it is\.", sentence
        )
        if match is None:
            return None
        return cls(match["base"], match["method"])

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        base, _, method = name.rpartition(".")
        is_method = isinstance(module.definitions.get(base), ast.ClassDef)
        if (
            is_method
            and not abstract_reason(function)
            and not only_raises_not_implemented(function)
        ):
            last = function.end_lineno or function.lineno
            lines = FileRange(file=module.path, start=function.lineno, end=last)
            statement = cls(base, method)
            yield Finding(statement, module.entity_id(base), lines)

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        for definition in code.named(self.base):
            owner = f"{self.base}.{self.method}"
            lines = [line for line in definition.lines if line.owner == owner]
            if not lines:
                return "refuted", definition.range
            has_reason = _reason(lines) != ""
            return ("refuted" if has_reason else "shown"), _place(definition, lines)
        return "unclear", None

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        for alternative in alternatives:
            if isinstance(alternative, MustDefine) and alternative.base == self.base:
                yield replace(self, method=alternative.method)


def _reason(lines: Sequence[TokenLine]) -> str:
    if any(line.keyword == "@" and "abstract" in line.line.code for line in lines):
        return "abstract"
    behind_header = [line for line in lines if line.keyword not in {"@", "def"}]
    body = [line for line in behind_header if not line.line.is_string]
    if len(body) != 1 or body[0].keyword != "raise":
        return ""
    return "not implemented" if "NotImplementedError" in body[0].operand else ""


def _place(definition: TokenDefinition, lines: Sequence[TokenLine]) -> FileRange:
    first = lines[0].first
    last = lines[-1].last
    return FileRange(file=definition.path, start=first, end=last)
