"""Statement: what stands in a ``try``, all of it, and what one of its clauses catches."""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby
from typing import ClassVar, Final, Self

from goldwright.code_reading.child_nodes import own_tries
from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.assigned import is_sayable
from goldwright.offline_agents.statements.brackets import without_brackets
from goldwright.offline_agents.statements.lists import join_code, read_code_list
from goldwright.offline_agents.statements.statement import (
    Example,
    Finding,
    Shown,
    Statement,
    not_shown_in,
)
from goldwright.offline_agents.token_reading.code_text import plain_code
from goldwright.offline_agents.token_reading.definitions import TokenCodebase, TokenDefinition
from goldwright.offline_agents.token_reading.token_lines import TokenLine
from goldwright.records import FileRange

# More steps are a procedure of their own.
MOST_STEPS: Final = 3

_SENTENCE: Final = re.compile(
    r"The `try` of `(?P<function>[\w.]+)` that catches `(?P<caught>[^`]+)` "
    r"holds only (?P<steps>`.+`)\."
)
_Try = ast.Try | ast.TryStar
_COMPOUND: Final = (
    ast.If | ast.For | ast.AsyncFor | ast.While | ast.Match | _Try | ast.FunctionDef | ast.ClassDef
)


@dataclass(frozen=True, slots=True)
class Tries(Statement):
    """A function makes some steps, and no others, in a ``try``.

    Attributes:
        function: Its qualified name.
        caught: What one of its clauses catches, as written.
        steps: The statements in the ``try``, as written; of a ``with`` its head counts as one.
    """

    kind: ClassVar[str] = "tries"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
def load(path):
    try:
        with open(
            path,
        ) as file:
            text = file.read()
    except FileNotFoundError:
        return None
    except (UnicodeError, OSError):
        text = ""
    try:
        return parse(text)
    except ValueError:
        return None
""",
            holds=(
                (
                    "The `try` of `load` that catches `FileNotFoundError` "
                    "holds only `with open(path) as file` and `text = file.read()`."
                ),
                (
                    "The `try` of `load` that catches `(UnicodeError, OSError)` "
                    "holds only `with open(path) as file` and `text = file.read()`."
                ),
                "The `try` of `load` that catches `ValueError` holds only `return parse(text)`.",
            ),
            fails=(
                "The `try` of `load` that catches `OSError` holds only `return parse(text)`.",
                (
                    "The `try` of `load` that catches `FileNotFoundError` "
                    "holds only `text = file.read()`."
                ),
            ),
        ),
    )

    function: str
    caught: str
    steps: tuple[str, ...]

    @property
    def subject(self) -> str:
        return self.function

    def sentence(self) -> str:
        steps = join_code(self.steps)
        return f"The `try` of `{self.function}` that catches `{self.caught}` holds only {steps}."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        steps = read_code_list(match["steps"]) if match is not None else None
        if match is None or steps is None:
            return None
        return cls(match["function"], match["caught"], steps)

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        tries = own_tries(function.body)
        handlers = chain.from_iterable(node.handlers for node in tries)
        times = Counter(_caught(module, handler) for handler in handlers)
        for node in tries:
            steps = list(_steps(node.body, module))
            is_plain = all(map(is_sayable, steps))
            is_inside = any(_is_inside(node, outer) for outer in tries)
            if not is_plain or is_inside or not 1 <= len(steps) <= MOST_STEPS:
                continue
            last = node.body[-1].end_lineno or node.lineno
            lines = FileRange(file=module.path, start=node.lineno, end=last)
            for handler in node.handlers:
                caught = _caught(module, handler)
                # Of two clauses for the same, nobody would know which is meant.
                if times[caught] == 1:
                    statement = cls(name, caught, tuple(steps))
                    yield Finding(statement, module.entity_id(name), lines, (handler.lineno,))

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        definitions = code.named(self.function)
        step_codes = [plain_code(step) for step in self.steps]
        for definition in definitions:
            for body in _bodies(definition):
                clauses = map(without_brackets, body[0].handlers)
                is_caught = without_brackets(self.caught) in clauses
                if is_caught and [plain_code(line.line.code) for line in body] == step_codes:
                    first = body[0].first
                    last = body[-1].last
                    return "shown", FileRange(file=definition.path, start=first, end=last)
        return not_shown_in(definitions)

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        if len(self.steps) > 1:
            yield replace(self, steps=self.steps[1:])
            yield replace(self, steps=self.steps[:-1])


def _caught(module: Module, handler: ast.ExceptHandler) -> str:
    """Write what a clause catches, as written."""
    return module.text.of(handler.type) if handler.type else "BaseException"


def _steps(body: Sequence[ast.stmt], module: Module) -> Iterator[str]:
    """Yield the steps of a body as written; the empty text for what cannot be said in one line."""
    for statement in body:
        if isinstance(statement, ast.With | ast.AsyncWith):
            yield _header(statement, module)
            yield from _steps(statement.body, module)
        elif isinstance(statement, _COMPOUND):
            yield ""
        elif not isinstance(statement, ast.Pass):
            yield module.text.of(statement)


def _header(statement: ast.With | ast.AsyncWith, module: Module) -> str:
    items: list[str] = []
    for item in statement.items:
        text = module.text.of(item.context_expr)
        if item.optional_vars is not None:
            text += f" as {module.text.of(item.optional_vars)}"
        items.append(text)
    keyword = "async with" if isinstance(statement, ast.AsyncWith) else "with"
    return f"{keyword} {', '.join(items)}"


def _is_inside(node: _Try, outer: _Try) -> bool:
    last = outer.end_lineno or outer.lineno
    return node is not outer and outer.lineno < node.lineno <= last


def _bodies(definition: TokenDefinition) -> Iterator[list[TokenLine]]:
    """Yield the lines of each ``try`` that stands in no other: one behind the other."""
    around = {line.handlers for line in definition.own_lines if line.handlers}
    for handlers, lines in groupby(definition.own_lines, key=lambda line: line.handlers):
        body = [line for line in lines if line.keyword != "pass"]
        # The clauses of an outer one come behind its own.
        shorter = [outer for outer in around if len(outer) < len(handlers)]
        is_inside = any(handlers[-len(outer) :] == outer for outer in shorter)
        if handlers and body and not is_inside:
            yield body
