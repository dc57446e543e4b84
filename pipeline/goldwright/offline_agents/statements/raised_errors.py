"""Statement: which errors a function raises itself, under whatever conditions."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from goldwright.code_reading.child_nodes import own_nodes
from goldwright.code_reading.errors import raise_sites
from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.lists import join_code, read_code_list
from goldwright.offline_agents.statements.statement import Example, Finding, Shown, Statement
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.records import FileRange

# More of them are no sentence that anybody takes in.
MOST_ERRORS: Final = 4

_SENTENCE: Final = re.compile(r"`(?P<subject>[\w.]+)` itself can raise (?P<errors>`.+`)\.")


@dataclass(frozen=True, slots=True)
class RaisedErrors(Statement):
    """A function holds ``raise`` statements for these errors.

    Attributes:
        function: Its qualified name.
        errors: Their classes as written, each once, in the order of their lines; two at least.
    """

    kind: ClassVar[str] = "raised_errors"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
def pay(basket):
    if not basket:
        raise ValueError("nothing to pay")
    if basket.total > 9:
        raise till.Full from None
    try:
        return till.take(basket)
    except OSError:
        raise ValueError from None

def refund(basket):
    try:
        if not basket:
            raise ValueError
        raise till.Full
    except ValueError:
        return None
""",
            holds=("`pay` itself can raise `ValueError` and `till.Full`.",),
            fails=(
                "`pay` itself can raise `ValueError` and `KeyError`.",
                "`pay` itself can raise `ValueError`, `till.Full` and `OSError`.",
                "`refund` itself can raise `ValueError` and `till.Full`.",
            ),
        ),
    )

    function: str
    errors: tuple[str, ...]

    @property
    def subject(self) -> str:
        return self.function

    def sentence(self) -> str:
        return f"`{self.function}` itself can raise {join_code(self.errors)}."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        errors = read_code_list(match["errors"]) if match is not None else None
        return None if match is None or errors is None else cls(match["subject"], errors)

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        sites = raise_sites(module, function)
        tries = [
            node for node in own_nodes(function.body) if isinstance(node, ast.Try) and node.handlers
        ]
        guarded = {line for node in tries for line in _lines_of(node.body)}
        if any(site.first in guarded for site in sites):
            # What is raised there may be caught right there.
            return
        errors = tuple(dict.fromkeys(site.exception for site in sites))
        # A single one is told with its condition.
        if 1 < len(errors) <= MOST_ERRORS:
            first, *further_lines = (
                FileRange(file=module.path, start=site.first, end=site.last) for site in sites
            )
            yield Finding(
                cls(name, errors), f"{module.path}::{name}", first, also=tuple(further_lines)
            )

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        definitions = code.named(self.function)
        for definition in definitions:
            raised = {
                line.operand.partition("(")[0].partition(" from ")[0].strip(): line
                for line in definition.own_lines
                if line.keyword == "raise" and not line.handlers
            }
            if set(self.errors) <= set(raised):
                return "shown", definition.at(raised[self.errors[0]])
        return ("refuted", definitions[0].range) if definitions else ("unclear", None)

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        for alternative in alternatives:
            if isinstance(alternative, RaisedErrors):
                for error in alternative.errors:
                    if error not in self.errors:
                        yield replace(self, errors=(*self.errors[:-1], error))


def _lines_of(body: Sequence[ast.stmt]) -> range:
    return range(body[0].lineno, (body[-1].end_lineno or body[-1].lineno) + 1)
