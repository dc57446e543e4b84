"""Messages in code: the text of a string with ``…`` for what is put in when the program runs."""

import ast
import re
from typing import Final

GAP: Final = "…"

_PERCENT: Final = re.compile(r"%(?:\([^)]*\))?[-#0 +]*[\d*.]*[a-zA-Z]")
# A longer sum is no message that somebody wrote, and each of its parts is a sum again.
_MOST_TERMS: Final = 40
_BRACES: Final = re.compile(r"(?<!\{)\{[^{}]*\}(?!\})")


def message_template(node: ast.expr) -> str | None:
    """Read a message out of an expression.

    Constants, f-strings, ``%`` and ``format`` of a constant, and sums of these are messages.

    Returns:
        The text with blanks folded; None for any other expression.
    """
    template = _template(node)
    if template is None:
        return None
    return _fold(template) or None


def log_template(node: ast.expr) -> str | None:
    """Read the message of a log call, which puts values in by itself where ``%`` marks stand."""
    template = message_template(node)
    return None if template is None else _fold(_PERCENT.sub(GAP, template).replace("%%", "%"))


def fixed_parts(template: str) -> tuple[str, ...]:
    """Give what stands in every message of a template, without the gaps."""
    return tuple(part.strip() for part in template.split(GAP) if part.strip())


def _fold(template: str) -> str:
    folded = " ".join(template.split())
    # Several gaps in a row tell no more than one.
    return re.sub(rf"{GAP}(?:\s*{GAP})+", GAP, folded)


def _template(node: ast.expr) -> str | None:  # noqa: PLR0911  # one arm a form
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(_piece(value) for value in values)
        case ast.BinOp(left=left, op=ast.Mod()):
            template = _template(left)
            return None if template is None else _PERCENT.sub(GAP, template).replace("%%", "%")
        case ast.BinOp(op=ast.Add()):
            return _sum_template(node)
        case ast.Call(func=ast.Attribute(value=text, attr="format")):
            template = _template(text)
            return None if template is None else _BRACES.sub(GAP, template)
        case ast.Call(func=ast.Name(id="_" | "gettext" | "ngettext" | "__"), args=[text, *_]):
            return _template(text)
        case _:
            return None


def _sum_template(node: ast.expr) -> str | None:
    terms: list[ast.expr] = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        terms.append(node.right)
        if len(terms) == _MOST_TERMS:
            return None
        node = node.left
    templates = [_template(term) for term in (node, *reversed(terms))]
    if all(template is None for template in templates):
        return None
    return "".join(template or GAP for template in templates)


def _piece(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else GAP
