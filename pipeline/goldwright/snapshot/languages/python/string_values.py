"""What Python strings hold, as libcst reads them, in however many pieces they are written."""

import ast
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

import libcst as cst

from goldwright.snapshot.languages.python.name_scopes import CstNode

PLAIN_STRINGS: Final = (cst.SimpleString, cst.ConcatenatedString)
STRINGS: Final = (*PLAIN_STRINGS, cst.FormattedString)


def string_pieces(node: CstNode) -> Iterator[CstNode]:
    """Yield the texts (``str`` or ``bytes``) and the formatted expressions of a string.

    Neighbouring texts are joined, so that ``'one' 'two'`` is ``'onetwo'``.
    """
    text: CstNode = None
    for piece in _written_pieces(node):
        if not isinstance(piece, cst.CSTNode):
            text = piece if text is None else text + piece
            continue
        if text is not None:
            yield text
            text = None
        yield piece
    if text is not None:
        yield text


def _written_pieces(node: CstNode) -> Iterator[CstNode]:
    match node:
        case cst.ConcatenatedString():
            yield from _written_pieces(node.left)
            yield from _written_pieces(node.right)
        case cst.FormattedString():
            for part in node.parts:
                if isinstance(part, cst.FormattedStringText):
                    yield _evaluate_text(part, node)
                else:
                    yield part
        case cst.SimpleString():
            yield node.evaluated_value
        case _:
            # A string of a kind that is newer than this program.
            yield node


def _evaluate_text(part: CstNode, string: cst.FormattedString) -> str:
    """Evaluate a literal part of an f-string as the plain string that it would be."""
    text: str = part.value
    opening = string.start.replace("f", "").replace("F", "")
    # A raw string that ends in a backslash is no literal: its text stays as it is.
    with suppress(SyntaxError):
        text = ast.literal_eval(opening + text + string.end)
    return text.replace("{{", "{").replace("}}", "}")
