r"""Ids in formats whose columns are told apart by white space: percent-encoded, and back.

White space, control characters, ``%`` and ``"`` become the ``%XX`` of their UTF-8 bytes; everything
else stays as it is, so that nearly every id reads as before. Source: RFC 3986, section 2.1.
"""

import re
from typing import Final

_SPECIAL: Final = re.compile(r'[\s\x00-\x1f\x7f-\x9f%"]')
_CODED: Final = re.compile(r"(?:%[0-9A-F]{2})+")


def encoded(identifier: str) -> str:
    """Write an id without white space."""
    return _SPECIAL.sub(
        lambda match: "".join(f"%{byte:02X}" for byte in match[0].encode()), identifier
    )


def decoded(identifier: str) -> str:
    """Undo ``encoded``; what is not so encoded stays as it is."""
    return _CODED.sub(_plain, identifier)


def _plain(match: re.Match[str]) -> str:
    try:
        return bytes.fromhex(match[0].replace("%", "")).decode()
    except UnicodeDecodeError:
        return match[0]
