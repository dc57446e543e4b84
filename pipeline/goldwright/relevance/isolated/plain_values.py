"""Values as they pass between the process of the tests and that of the answer: data, never code.

An object of a class of its own could claim to equal everything. What passes here is rebuilt from
JSON as the plain kind, so that a comparison in the tests compares data.
"""

import base64
import json
from typing import Any

# A value deeper than this is a trap for the reader, not an answer.
_DEEPEST = 50


class OpaqueValue:
    """A value that is no plain data; it equals nothing else."""

    def __init__(self, kind: str) -> None:
        """Keep the name of its class, for messages."""
        self.kind = kind

    def __repr__(self) -> str:
        return f"<{self.kind} object of the answer>"


def dump(value: object) -> str:
    """Write a value as one line of JSON.

    Raises:
        ValueError: It is nested too deeply.
    """
    return json.dumps(_encode(value, 0))


def load(text: str) -> Any:
    """Rebuild a value.

    Raises:
        ValueError: The text is none of `dump`, or nested too deeply.
    """
    try:
        return _decode(json.loads(text), 0)
    except (RecursionError, TypeError, KeyError, AttributeError) as error:
        raise ValueError("no plain value") from error


def _encode(value: object, depth: int) -> object:
    if depth > _DEEPEST:
        raise ValueError("a value is nested too deeply")
    if value is None or isinstance(value, bool):
        return value
    # Subclasses are sent as what they extend, by the base class's own methods.
    if isinstance(value, int):
        return {"int": int.__repr__(value)}
    if isinstance(value, float):
        return {"float": float.__repr__(value)}
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, (bytes, bytearray)):
        base64_data = base64.b64encode(bytes(value))
        return {type_name(value): base64_data.decode()}
    return _encode_collection(value, depth + 1)


def type_name(value: object) -> str:
    """Return the name of a value's class."""
    return type(value).__name__


def _encode_collection(value: object, depth: int) -> object:
    if isinstance(value, dict):
        pairs = list(dict.items(value))
        return {"dict": [[_encode(key, depth), _encode(item, depth)] for key, item in pairs]}
    for name, kind in _COLLECTIONS.items():
        if isinstance(value, kind):
            items = kind.__iter__(value)
            return {name: [_encode(item, depth) for item in items]}
    return {"object": type_name(value)}


def _decode(coded: Any, depth: int) -> Any:
    if depth > _DEEPEST:
        raise ValueError("a value is nested too deeply")
    if coded is None or isinstance(coded, (bool, str)):
        return coded
    ((kind, content),) = coded.items()
    if kind in _SCALARS:
        return _SCALARS[kind](content)
    if kind == "dict":
        return {_decode(key, depth + 1): _decode(item, depth + 1) for key, item in content}
    return _COLLECTIONS[kind](_decode(item, depth + 1) for item in content)


_SCALARS: dict[str, Any] = {
    "int": int,
    "float": float,
    "bytes": lambda content: base64.b64decode(content, validate=True),
    "bytearray": lambda content: bytearray(base64.b64decode(content, validate=True)),
    "object": lambda content: OpaqueValue(str(content)),
}
_COLLECTIONS: dict[str, Any] = {
    "list": list, "tuple": tuple, "set": set, "frozenset": frozenset
}  # fmt: skip
