r"""Ids in formats whose columns are separated by white space: percent-encoded, and back.

White space, control characters, ``%`` and ``"`` become the ``%XX`` of their UTF-8 bytes. All other
characters stay, so that nearly every id reads as before. Source: RFC 3986, section 2.1.
"""

import re
from typing import Final

_SPECIAL: Final = re.compile(r'[\s\x00-\x1f\x7f-\x9f%"]')
_CODED: Final = re.compile(r"(?:%[0-9A-F]{2})+")


def encoded(identifier: str) -> str:
    """Return an id without white space."""
    return _SPECIAL.sub(_percent_encode, identifier)


def decoded(identifier: str) -> str:
    """Undo ``encoded``; ids that are not encoded stay as they are."""
    return _CODED.sub(_percent_decode, identifier)


def _percent_encode(match: re.Match[str]) -> str:
    data = match[0].encode()
    codes = [f"%{byte:02X}" for byte in data]
    return "".join(codes)


def _percent_decode(match: re.Match[str]) -> str:
    digits = match[0].replace("%", "")
    try:
        return bytes.fromhex(digits).decode()
    except UnicodeDecodeError:
        # Written by another tool, which means something else by ``%XX``.
        return match[0]
