"""Git object ids: 40 hexadecimal digits, or 64 where a repository uses SHA-256."""

import re
from typing import Final

from goldwright.errors import InputError

_OBJECT_ID: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_LONGEST_SHOWN: Final = 80


def is_object_id(text: str) -> bool:
    """Tell whether a text is a complete object id."""
    return _OBJECT_ID.fullmatch(text) is not None


def check_object_id(oid: str) -> str:
    """Give an object id back, and refuse anything else, so that nothing else reaches git.

    Raises:
        InputError: It is not 40 or 64 hexadecimal digits.
    """
    if not is_object_id(oid):
        raise InputError(f"{oid[:_LONGEST_SHOWN]!r}: is no object id")
    return oid
