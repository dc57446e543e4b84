"""One way to write a value as JSON, and one way to name its content.

Canonical JSON has sorted keys, no spaces, ASCII only and no NaN: equal values give equal bytes on
every machine, and a reader may split a file at newlines alone.
"""

import hashlib
import json


def canonical_json(value: object) -> str:
    """Write a JSON value in its one canonical form.

    Raises:
        ValueError: The value holds NaN or an infinity.
        TypeError: The value is not made of JSON types.
    """
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
    )


def digest(value: object) -> str:
    """Name a JSON value by its content: ``sha256:`` and 64 hexadecimal digits."""
    return digest_bytes(canonical_json(value).encode("ascii"))


def digest_bytes(data: bytes) -> str:
    """Name bytes by their content: ``sha256:`` and 64 hexadecimal digits."""
    return "sha256:" + hashlib.sha256(data).hexdigest()
