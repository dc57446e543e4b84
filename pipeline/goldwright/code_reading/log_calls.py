"""Messages that code writes to a log or gives as a warning."""

import ast
import re
from dataclasses import dataclass
from typing import Final

from goldwright.code_reading.conditions import statements_of
from goldwright.code_reading.messages import log_template
from goldwright.code_reading.modules import Function, Module, kept_with_tree
from goldwright.path_conditions import Path

LEVELS: Final = frozenset(
    "debug info warn warning error exception critical".split()  # reads better
)
_LEVEL_ARGUMENTS: Final = frozenset({"severity", "level"})
_LOGGER: Final = re.compile(r"(?:^|[._])_?(?:log|logger|logging)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LogSite:
    """One message that is logged.

    Attributes:
        level: The name of the method, as in ``warning``.
        message: The message with gaps.
        path: The whole condition under which it is written; None where unclear.
        first, last: The lines of the call.
    """

    level: str
    message: str
    path: Path | None
    first: int
    last: int


@kept_with_tree
def log_sites(module: Module, function: Function) -> tuple[LogSite, ...]:
    """List the messages that a function logs by itself, in the order of their lines."""
    sites: list[LogSite] = []
    for reached in statements_of(function, module.text):
        node = reached.node
        if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
            continue
        call = node.value
        level = _level(call, module)
        message = log_template(call)
        if level and message:
            last = node.end_lineno or node.lineno
            sites.append(LogSite(level, message, reached.path, node.lineno, last))
    return tuple(sites)


def _level(call: ast.Call, module: Module) -> str:
    """Give the level that a call logs at; empty where it is no call of a logger."""
    method = call.func
    if not isinstance(method, ast.Attribute) or method.attr not in LEVELS:
        return ""
    # Whoever gives the level goes by another name of the method.
    if any(keyword.arg in _LEVEL_ARGUMENTS for keyword in call.keywords):
        return ""
    receiver = module.text.of(method.value).removesuffix("()")
    return method.attr if _LOGGER.search(receiver) else ""
