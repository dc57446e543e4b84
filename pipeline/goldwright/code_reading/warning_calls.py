"""Warnings that code gives by ``warnings.warn``."""

import ast
from dataclasses import dataclass
from typing import Final

from goldwright.code_reading.conditions import statements_of
from goldwright.code_reading.messages import message_template
from goldwright.code_reading.modules import Function, Module
from goldwright.path_conditions import Path

_WARN: Final = frozenset({"warn", "warnings.warn"})
_CATEGORY_PLACE: Final = 1


@dataclass(frozen=True, slots=True)
class WarningSite:
    """One warning.

    Attributes:
        category: The class of the warning, as written.
        message: The message with gaps.
        path: The whole condition under which it is given; None where unclear.
        first, last: The lines of the call.
    """

    category: str
    message: str
    path: Path | None
    first: int
    last: int


def warning_sites(module: Module, function: Function) -> tuple[WarningSite, ...]:
    """List the warnings with a category that a function gives, in the order of their lines."""
    sites: list[WarningSite] = []
    for reached in statements_of(function, module.text):
        node = reached.node
        if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
            continue
        call = node.value
        category = _category(call, module)
        message = message_template(call.args[0]) if call.args else None
        if category and message and module.text.of(call.func) in _WARN:
            last = node.end_lineno or node.lineno
            sites.append(WarningSite(category, message, reached.path, node.lineno, last))
    return tuple(sites)


def _category(call: ast.Call, module: Module) -> str:
    """Give the category of a warning; empty where none is named by a class."""
    values = [keyword.value for keyword in call.keywords if keyword.arg == "category"]
    values.extend(call.args[_CATEGORY_PLACE : _CATEGORY_PLACE + 1])
    for value in values:
        name = module.text.of(value)
        if isinstance(value, ast.Name | ast.Attribute) and name.endswith("Warning"):
            return name
    return ""
