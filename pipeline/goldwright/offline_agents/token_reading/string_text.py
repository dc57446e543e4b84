"""The text of the strings on a line of code."""

import ast
import re
import tokenize
from typing import Final

from goldwright.offline_agents.token_reading.line_blocks import CodeLine

_QUOTED: Final = re.compile(
    r"""(?P<prefix>[A-Za-z]*)(?P<quote>\"\"\"|'''|"|')(?P<body>.*)(?P=quote)""", re.DOTALL
)
# From Python 3.12 on, a formatted string is several tokens; its text has this type.
_FORMATTED_TEXT: Final = getattr(tokenize, "FSTRING_MIDDLE", None)


def string_text(line: CodeLine) -> str:
    """Put the strings of a line together, one behind the other, each run of blanks as one blank."""
    parts: list[str] = []
    for token in line.tokens:
        if token.type == tokenize.STRING:
            parts.append(_value(token.string))
        elif token.type == _FORMATTED_TEXT:
            parts.append(token.string)
    # Doubled marks stand for one in a format.
    text = "".join(parts).replace("%%", "%").replace("{{", "{").replace("}}", "}")
    return " ".join(text.split())


def plain_value(token: tokenize.TokenInfo) -> str | None:
    """Give the text of a plain string or of plain bytes; None for any other token."""
    if token.type != tokenize.STRING:
        return None
    try:
        value = ast.literal_eval(token.string)
    except (ValueError, SyntaxError):
        return None
    if isinstance(value, bytes):
        return value.decode("latin-1")
    return value if isinstance(value, str) else None


def _value(literal: str) -> str:
    match = _QUOTED.fullmatch(literal)
    if match is None:
        return ""
    if "f" in match["prefix"].lower():
        return match["body"].replace("\\n", " ").replace("\\", "")
    try:
        value = ast.literal_eval(literal)
    except (ValueError, SyntaxError):
        return match["body"]
    return value if isinstance(value, str) else match["body"]
