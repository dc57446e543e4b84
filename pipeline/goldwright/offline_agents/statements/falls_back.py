"""Statement: what a function takes where something is not given."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from goldwright.code_reading.child_nodes import own_nodes
from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.assigned import LONGEST_VALUE
from goldwright.offline_agents.statements.statement import (
    Example,
    Finding,
    Shown,
    Statement,
    not_shown_in,
)
from goldwright.offline_agents.token_reading.code_text import plain_code
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.records import FileRange

_SENTENCE: Final = re.compile(
    r"`(?P<subject>[\w.]+)` takes `(?P<default>[^`]+)` where "
    r"(?:`(?P<missing>[^`]+)` is (?P<how>false|`None`)|"
    r"`(?P<container>[^`]+)` has no `(?P<key>[^`]+)`)\."
)
# What may be looked at first, and what as a default would make the whole hard to read.
_VALUES: Final = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)
_JOINED: Final = (ast.BoolOp, ast.Compare, ast.UnaryOp)


@dataclass(frozen=True, slots=True)
class FallsBack(Statement):
    """A function takes a default where something is missing.

    Attributes:
        function: The qualified name of the function.
        default: What is taken, as written.
        missing: What is looked at first, as written; for ``lookup`` the container.
        key: For ``lookup`` the key that it lacks, as written; else empty.
        how: ``false``: as in ``a or b``. ``none``: as in ``b if a is None else a``. ``lookup``: as
            in ``a.get(key, b)``.
    """

    kind: ClassVar[str] = "falls_back"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
import os

def fetch(url, timeout=None, retries=None):
    wait = timeout or 30
    times = retries if retries is not None else 3
    proxy = os.environ.get("HTTP_PROXY", "direct")
    return url, wait, times, proxy
""",
            holds=(
                "`fetch` takes `30` where `timeout` is false.",
                "`fetch` takes `3` where `retries` is `None`.",
                '`fetch` takes `"direct"` where `os.environ` has no `"HTTP_PROXY"`.',
            ),
            fails=(
                "`fetch` takes `3` where `timeout` is false.",
                "`fetch` takes `30` where `timeout` is `None`.",
                '`fetch` takes `"none"` where `os.environ` has no `"HTTP_PROXY"`.',
            ),
        ),
    )

    function: str
    default: str
    missing: str
    key: str
    how: str

    @property
    def subject(self) -> str:
        return self.function

    def sentence(self) -> str:
        start = f"`{self.function}` takes `{self.default}` where `{self.missing}`"
        endings = {"false": "is false", "none": "is `None`", "lookup": f"has no `{self.key}`"}
        return f"{start} {endings[self.how]}."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        if match["container"]:
            container, key = match.group("container", "key")
            return cls(match["subject"], match["default"], container, key, "lookup")
        how = "false" if match["how"] == "false" else "none"
        return cls(match["subject"], match["default"], match["missing"], "", how)

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        for node in own_nodes(function.body):
            parts = _parts(node)
            if parts is None:
                continue
            default, missing, key, how = parts
            default_text = module.text.of(default)
            missing_text = module.text.of(missing)
            key_text = module.text.of(key)
            together = f"{default_text}{missing_text}{key_text}"
            is_short = len(together) <= LONGEST_VALUE and "`" not in together
            if default_text and missing_text and is_short:
                first = getattr(node, "lineno", 0)
                last = getattr(node, "end_lineno", first)
                lines = FileRange(file=module.path, start=first, end=last)
                statement = cls(name, default_text, missing_text, key_text, how)
                yield Finding(statement, module.entity_id(name), lines)

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        forms = [plain_code(form) for form in self._forms()]
        definitions = code.named(self.function)
        for definition in definitions:
            for line in definition.own_lines:
                line_code = f" {plain_code(line.line.code)} "
                if any(_holds(line_code, form, self.how) for form in forms):
                    return "shown", definition.at(line)
        return not_shown_in(definitions)

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        if self.default != "None":
            yield replace(self, default="None")
        for alternative in alternatives:
            if isinstance(alternative, FallsBack) and alternative.default != self.default:
                yield replace(self, default=alternative.default)

    def _forms(self) -> tuple[str, ...]:
        """Write the expression in all the ways in which it can stand in the code."""
        first, default = self.missing, self.default
        if self.how == "false":
            return (f"{first} or {default}", f"({first}) or {default}", f"{first} or ({default})")
        if self.how == "none":
            return (
                f"{first} if {first} is not None else {default}",
                f"{default} if {first} is None else {first}",
            )
        arguments = f"{self.key}, {default}"
        return (
            f"{first}.get({arguments})",
            f"{first}.pop({arguments})",
            f"getattr({first}, {arguments})",
        )


def _holds(line_code: str, form: str, how: str) -> bool:
    """Find out whether a line holds an expression as a whole, and not as part of a longer one."""
    start = line_code.find(f" {form} ")
    if start < 0:
        return False
    before = line_code[:start].rstrip()
    behind = line_code[start + len(form) + 2 :]
    if how == "lookup":
        # A call binds more tightly than whatever stands around it.
        return not before.endswith(".")
    is_cut_off = not re.search(r"(?:\.|\bor|\band|\bnot)$", before)
    return is_cut_off and not re.match(r"\s*(?:\.|\[|\(|or\b|and\b|if\b|[-+*/%])", behind)


_Parts = tuple[ast.expr, ast.expr, ast.expr | None, str]


def _parts(node: ast.AST) -> _Parts | None:
    """Give the default, what is looked at first, the key, and how it is missing."""
    match node:
        case ast.BoolOp(op=ast.Or(), values=[first, default]):
            is_plain = not isinstance(default, _JOINED)
            is_value = isinstance(first, _VALUES)
            return (default, first, None, "false") if is_plain and is_value else None
        case ast.IfExp(test=ast.Compare(left=left, ops=[operator], comparators=[other])):
            is_none = isinstance(other, ast.Constant) and other.value is None
            chosen, default = node.body, node.orelse
            if isinstance(operator, ast.Is):
                chosen, default = default, chosen
            if not is_none or not isinstance(operator, ast.Is | ast.IsNot):
                return None
            is_chosen = ast.dump(chosen) == ast.dump(left)
            return (default, left, None, "none") if is_chosen else None
        case ast.Call(
            func=ast.Attribute(value=container, attr="get" | "pop"),
            args=[key, default],
            keywords=[],
        ):
            return default, container, key, "lookup"
        case ast.Call(func=ast.Name(id="getattr"), args=[container, key, default]):
            return default, container, key, "lookup"
        case _:
            return None
