"""Messages in code: the text of a string with ``…`` for what is put in when the program runs."""

import ast
import re
from typing import Final

GAP: Final = "…"

_PERCENT: Final = re.compile(r"%(?:\([^)]*\))?[-#0 +]*[\d*.]*[a-zA-Z]")
_BRACES: Final = re.compile(r"(?<!\{)\{[^{}]*\}(?!\})")

_NAMES_IN_BRACES: Final = re.compile(r"(?<!\{)\{\w+(?:[.!:][^{}]*)?\}(?!\})")


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


def filled_template(node: ast.expr) -> str | None:
    """Read a message out of an expression to which something else is handed as well.

    Names in braces stand for it; in a message alone, they stand for themselves.
    """
    template = message_template(node)
    if template is None or not isinstance(node, ast.Constant):
        return template
    return _fold(_NAMES_IN_BRACES.sub(GAP, template))


def log_template(call: ast.Call) -> str | None:
    """Read the message of a log call, which puts values in by itself.

    They stand for ``%`` marks; where there are none and values are given, for braces.
    """
    template = message_template(call.args[0]) if call.args else None
    if template is None:
        return None
    filled = _with_percent_filled(template)
    if filled == template and len(call.args) > 1:
        filled = _BRACES.sub(GAP, template)
    return _fold(filled)


def fixed_parts(template: str) -> tuple[str, ...]:
    """Give what stands in every message of a template, without the gaps."""
    parts = [part.strip() for part in template.split(GAP)]
    return tuple(filter(None, parts))


def _with_percent_filled(template: str) -> str:
    """Put gaps for the ``%`` marks of a template."""
    return _PERCENT.sub(GAP, template).replace("%%", "%")


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
            return None if template is None else _with_percent_filled(template)
        case ast.BinOp(op=ast.Add()):
            templates = [_template(summand) for summand in _summands(node)]
            if all(template is None for template in templates):
                return None
            return "".join(template or GAP for template in templates)
        case ast.Call(func=ast.Attribute(value=text, attr="format")):
            template = _template(text)
            return None if template is None else _BRACES.sub(GAP, template)
        case ast.Call(func=ast.Name(id="_" | "gettext" | "ngettext" | "__"), args=[text, *_]):
            return _template(text)
        case _:
            return None


def _summands(node: ast.expr) -> list[ast.expr]:
    """List what is added up, in written order; sums may be longer than a recursion is deep."""
    summands: list[ast.expr] = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        summands.append(node.right)
        node = node.left
    return [node, *reversed(summands)]


def _piece(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case _:
            return GAP
