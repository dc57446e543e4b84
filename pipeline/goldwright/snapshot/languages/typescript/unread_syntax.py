"""Valid code that the grammars do not read, blanked out without moving anything.

It is a backtick behind a backslash in a type of a template; ``&`` in the attributes of markup where
no entity follows, as in ``href="?a&b"``; and the module of a type, as in ``import("./cart").Cart``.
"""

import re
from collections.abc import Iterable
from typing import Any, Final

# A backslash behind an even number of others begins an escape.
_ESCAPED_BACKTICK: Final = re.compile(rb"(?<!\\)((?:\\\\)*)\\`")
_MODULE_OF_TYPE: Final = re.compile(rb"import\s*\(\s*([\"'])[^\"'\n]*\1\s*\)\s*\.")
# From the word up: call, member, and the type that they are taken for.
_IMPORT_DEPTH: Final = 4
_TYPES: Final = ("_type", "type_annotation", "type_arguments")


def without_unread_syntax(data: bytes, tokens: Iterable[Any]) -> bytes:
    """Write blanks over it; ``tokens`` are the leaves of the tree in file order."""
    blanked = bytearray(_ESCAPED_BACKTICK.sub(rb"\1  ", data))
    for token in tokens:
        start = token.start_byte
        end = start
        if token.text == b"&" and _is_in_string_error(token):
            end = token.end_byte
        elif token.text == b"import" and _is_in_type(token):
            module = _MODULE_OF_TYPE.match(data, start)
            end = module.end() if module else start
        blanks = re.sub(rb"[^\n]", b" ", data[start:end])
        blanked[start:end] = blanks
    return bytes(blanked)


def _is_in_string_error(token: Any) -> bool:
    # The node of an error may be that of the whole file.
    error = token.parent
    node_around = error.parent
    return error.is_error and node_around is not None and node_around.type == "string"


def _is_in_type(token: Any) -> bool:
    node = token
    for _ in range(_IMPORT_DEPTH):
        node = node.parent
        if node is None:
            return False
        if node.is_error or node.type.endswith(_TYPES):
            return True
    return False
