"""The text of the strings on a line of code."""

import ast
import re
import tokenize
from collections.abc import Iterator
from typing import Final

from goldwright.offline_agents.token_reading.code_text import text_of
from goldwright.offline_agents.token_reading.formatted_strings import STRING_END, STRING_START
from goldwright.offline_agents.token_reading.line_blocks import CodeLine

_QUOTED: Final = re.compile(
    r"""(?P<prefix>[A-Za-z]*)(?P<quote>\"\"\"|'''|"|')(?P<body>.*)(?P=quote)""", re.DOTALL
)

# A formatted string writes out the code of a value that ends with "=" in front of the value.
_NAMED_VALUE: Final = re.compile(r"\{(?P<code>[^{}=!<>:]+=\s*)(?:![rsa])?(?::[^{}]*)?\}")


def string_text(line: CodeLine) -> str:
    """Put the strings of a line together, one behind the other, each run of blanks as one blank."""
    parts = [_value(literal) for literal in _literals(line)]
    # Doubled marks stand for one in a format.
    text = "".join(parts).replace("%%", "%").replace("{{", "{").replace("}}", "}")
    return " ".join(text.split())


def _literals(line: CodeLine) -> Iterator[str]:
    """Yield the strings of a line as written, formatted ones put together from their parts."""
    depth = start = 0
    for place, token in enumerate(line.tokens):
        if token.type == STRING_START:
            start = start if depth else place
            depth += 1
        elif token.type == STRING_END:
            depth -= 1
            if depth == 0:
                yield text_of(line.tokens[start : place + 1])
        elif token.type == tokenize.STRING and depth == 0:
            yield token.string


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
        body = _NAMED_VALUE.sub(r"\g<code>{}", match["body"])
        return body.replace("\\n", " ").replace("\\", "")
    try:
        value = ast.literal_eval(literal)
    except (ValueError, SyntaxError):
        return match["body"]
    return value if isinstance(value, str) else match["body"]
