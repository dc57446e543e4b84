"""Statement: a call that a function makes."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from goldwright.code_reading.certain_calls import certain_calls
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
from goldwright.offline_agents.statements.deed import Deed
from goldwright.offline_agents.statements.passes import written_calls
from goldwright.offline_agents.statements.statement import (
    Example,
    Finding,
    Shown,
    Statement,
)
from goldwright.offline_agents.token_reading.code_text import plain_code
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.offline_agents.token_reading.line_blocks import CodeLine, Tokens
from goldwright.path_conditions import Path
from goldwright.records import FileRange

_SENTENCE: Final = re.compile(r"`(?P<subject>[\w.]+)` runs `(?P<call>[^`]+)`(?P<conditions> .+)?\.")

# A call and nothing else; what is awaited or deleted is run.
_CALL: Final = re.compile(r"[\w.]+\s*\(.*\)", re.DOTALL)
_DOTTED_NAME: Final = re.compile(r"[\w.]+")
# The headers of these define something, or are tested more than once.
_NO_CALLERS: Final = frozenset({"def", "class", "@", "while", "lambda"})
# What a part of a line depends on, or what is done later.
_DEPENDING: Final = frozenset({"if", "else", "lambda"})


@dataclass(frozen=True, slots=True)
class Runs(Deed):
    """A function makes a call under these conditions, whatever becomes of what it gives back.

    ``find`` yields the calls that are made for what they do, and ``of_call`` any other one.

    Attributes:
        function: The qualified name of the function.
        call: The call, as written.
        path: All the conditions.
    """

    kind: ClassVar[str] = "runs"
    verbs: ClassVar[tuple[str, ...]] = ("runs", "calls")
    predicates: ClassVar[tuple[str, ...]] = (r"(?:runs|calls) `([^`]+)`",)
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
def pay(basket, mail):
    if mail is not None:
        mail.send("paid", to=basket.owner)
    basket.clear()
    for item in listed(basket):
        if is_sold(item) and not mail:
            return Bill(price(item))
""",
            holds=(
                '`pay` runs `mail.send("paid", to=basket.owner)` if `mail is not None`.',
                "`pay` runs `basket.clear()`.",
            ),
            fails=(
                '`pay` runs `mail.send("paid", to=basket.owner)`.',
                "`pay` runs `basket.clear()` if `mail is not None`.",
                "`pay` runs `basket.close()`.",
                "`pay` runs `is_sold(item)`.",
                "`pay` runs `price(item)`.",
            ),
        ),
    )

    function: str
    call: str
    path: Path

    def predicate(self) -> str:
        verb = "calls" if _CALL.fullmatch(self.call) else "runs"
        return f"{verb} `{self.call}`"

    def sentence(self) -> str:
        conditions = write_conditions(self.path)
        return f"`{self.function}` runs `{self.call}`{conditions}."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        path = read_conditions(match["conditions"] or "")
        if path is None:
            return None
        return cls(match["subject"], match["call"], path)

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
            statement = cls(name, call, reached.path)
            yield Finding(statement, module.entity_id(name), lines)

    @classmethod
    def of_call(
        cls, module: Module, name: str, function: Function, call: ast.Call
    ) -> Finding | None:
        """State that a function makes a call; None where it depends on more than can be said."""
        text = module.text.of(call)
        called = module.text.of(call.func)
        is_named = _DOTTED_NAME.fullmatch(called) is not None
        if not is_named or not text or len(text) > LONGEST_VALUE or "`" in text:
            return None
        for reached in statements_of(function, module.text):
            if reached.path is not None and call in certain_calls(reached.node):
                last = call.end_lineno or call.lineno
                lines = FileRange(file=module.path, start=call.lineno, end=last)
                statement = cls(name, text, reached.path)
                return Finding(statement, module.entity_id(name), lines)
        return None

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        return look_for(code, self.function, self.path, self._is_on)

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        for path in inverted_paths(self.path):
            yield replace(self, path=path)
        for alternative in alternatives:
            if isinstance(alternative, Runs) and alternative.path != self.path:
                yield replace(self, path=alternative.path)

    def _is_on(self, line: CodeLine) -> bool:
        wanted = plain_code(self.call)
        if plain_code(line.code) == wanted:
            return True
        if line.keyword in _NO_CALLERS:
            return False
        calls = map(plain_code, written_calls(_certain_part(line)))
        return wanted in calls


def _certain_part(line: CodeLine) -> Tokens:
    """Give the tokens of a line up to its first test; nothing where a part of it depends."""
    words = line.words()
    if not _DEPENDING.isdisjoint(words[1:]) or words.count("for") > (line.keyword == "for"):
        return ()
    for place, word in enumerate(words):
        if word in {"and", "or"}:
            return line.tokens[:place]
    return line.tokens


def _is_call(node: ast.expr) -> bool:
    """Find out whether an expression is a call; that a message is logged is told otherwise."""
    call = node.value if isinstance(node, ast.Await) else node
    if not isinstance(call, ast.Call):
        return False
    called = call.func
    is_at_level = isinstance(called, ast.Attribute) and called.attr in LEVELS
    return not (is_at_level and log_template(call))
