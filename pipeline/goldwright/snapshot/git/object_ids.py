"""Git object ids: 40 hexadecimal digits, or 64 where a repository uses SHA-256."""

import hashlib
import re
from typing import Final, Literal, TypeAlias

from goldwright.errors import InputError

_OBJECT_ID: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_LONGEST_SHOWN: Final = 80
_SHA1_DIGITS: Final = 40

ObjectFormat: TypeAlias = Literal["sha1", "sha256"]
"""How a repository names its objects."""


def is_object_id(text: str) -> bool:
    """Return whether a text is a complete object id."""
    return _OBJECT_ID.fullmatch(text) is not None


def check_object_id(oid: str) -> str:
    """Give an object id back, and refuse anything else, so that nothing else reaches git.

    Raises:
        InputError: It is not 40 or 64 hexadecimal digits.
    """
    if not is_object_id(oid):
        raise InputError(f"{oid[:_LONGEST_SHOWN]!r}: is no object id")
    return oid


def format_of(oid: str) -> ObjectFormat:
    """Tell by its length what an object id is made with."""
    return "sha1" if len(oid) == _SHA1_DIGITS else "sha256"


def object_id_of(content: bytes, kind: str, *, object_format: ObjectFormat) -> str:
    """Give the id by which git names a ``blob``, ``tree``, ``commit`` or ``tag``."""
    header = f"{kind} {len(content)}\0".encode("ascii")
    if object_format == "sha1":
        digest = hashlib.sha1(header, usedforsecurity=False)
    else:
        digest = hashlib.sha256(header)
    digest.update(content)
    return digest.hexdigest()
