"""Pieces of code as text: compared so that layout makes no difference, and put together."""

import ast
import re
import tokenize
from collections.abc import Sequence
from typing import Final

_PIECE: Final = re.compile(
    r"(?:[rbfuRBFU]{0,2})(?:\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')|[^\W\d]\w*|\d[\w.]*|"
    r"\*\*|//|<<|>>|[=!<>:+\-*/%&|^@]=|->|\S"
)
_OPENING: Final = frozenset("([{")
_CLOSING: Final = frozenset(")]}")


def plain_code(code: str) -> str:
    """Write code with one blank between its tokens, plain strings in one kind of quotes.

    Outer brackets and a comma before a closing bracket are layout too.
    """
    pieces = [_plain_string(piece) for piece in _PIECE.findall(bare(code))]
    remaining = _without_layout_commas(pieces)
    # The brackets of a tuple are taken off already; of one, the comma is all that is left of it.
    if remaining[-1:] == [","] and _top_level_commas(remaining) > 1:
        remaining.pop()
    return " ".join(remaining)


def text_of(tokens: Sequence[tokenize.TokenInfo]) -> str:
    """Put tokens together as they are written, on one line."""
    text = ""
    end = (0, 0)
    for token in tokens:
        is_same_line = token.start[0] == end[0]
        gap = " " * (token.start[1] - end[1]) if is_same_line else " "
        if not is_same_line and (text[-1:] in _OPENING or token.string in _CLOSING):
            gap = ""
            text = text.rstrip(",") if token.string in _CLOSING else text
        text += f"{gap}{token.string}" if text else token.string
        end = token.end
    return text


def bare(text: str) -> str:
    """Take off parentheses around the whole of an expression; an empty tuple keeps its own."""
    stripped = text.strip()
    while stripped.startswith("(") and stripped.endswith(")") and _is_wrapped(stripped):
        inside = stripped[1:-1].strip()
        if not inside:
            break
        stripped = inside
    return stripped


def _without_layout_commas(pieces: Sequence[str]) -> list[str]:
    """Drop each comma before a closing bracket, but for the one that makes a tuple of one."""
    remaining: list[str] = []
    commas: list[int] = []
    is_group: list[bool] = []
    for place, piece in enumerate(pieces):
        following = pieces[place + 1] if place + 1 < len(pieces) else ""
        if piece in _OPENING:
            is_call = place > 0 and re.fullmatch(r"\w+|[)\]}]", pieces[place - 1]) is not None
            is_group.append(piece == "(" and not is_call)
            commas.append(0)
        elif piece in _CLOSING and commas:
            commas.pop()
            is_group.pop()
        elif piece == "," and commas:
            commas[-1] += 1
            is_tuple_of_one = is_group[-1] and commas[-1] == 1
            if following in _CLOSING and not is_tuple_of_one:
                continue
        remaining.append(piece)
    return remaining


def _top_level_commas(pieces: Sequence[str]) -> int:
    count = depth = 0
    for piece in pieces:
        depth += (piece in _OPENING) - (piece in _CLOSING)
        count += piece == "," and depth == 0
    return count


def _is_wrapped(text: str) -> bool:
    """Find out whether the first bracket is closed by the last one; strings may hold brackets."""
    depth = 0
    for piece in _PIECE.finditer(text):
        depth += (piece[0] == "(") - (piece[0] == ")")
        if depth == 0:
            return piece.end() == len(text)
    return False


def _plain_string(piece: str) -> str:
    if piece[-1:] not in {'"', "'"} or piece[:1] not in {'"', "'"}:
        return piece
    try:
        return repr(ast.literal_eval(piece))
    except (ValueError, SyntaxError):
        return piece
