"""The schema of a reply in the subset that all providers take.

Objects are closed and every field is required (what may be missing is a union with null),
references are written out, and keywords on lengths and ranges are left away: our own models check
those afterwards.
"""

from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from typing import Any, Final

from pydantic import BaseModel

_KEPT: Final = ("type", "enum", "const", "description")


def reply_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Give the portable JSON schema of a model.

    Raises:
        ValueError: The model holds a mapping, or something else that the subset cannot say.
    """
    return deepcopy(_made(model))


@cache
def _made(model: type[BaseModel]) -> dict[str, Any]:
    whole = model.model_json_schema(mode="validation")
    return _portable(whole, whole.get("$defs", {}))


def _portable(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    if "$ref" in schema:
        return _portable(definitions[schema["$ref"].removeprefix("#/$defs/")], definitions)
    found = {key: schema[key] for key in _KEPT if key in schema and key != "description"}
    if "anyOf" in schema:
        return {"anyOf": [_portable(one, definitions) for one in schema["anyOf"]]}
    match schema.get("type"):
        case "object":
            return _closed(schema, definitions)
        case "array":
            return {"type": "array", "items": _portable(schema["items"], definitions)}
        case "string" | "integer" | "number" | "boolean" | "null":
            return found
    raise ValueError(f"no portable schema for {dict(schema)!r}")


def _closed(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    fields = schema.get("properties")
    if not fields:
        raise ValueError("an object without named fields has no portable schema")
    return {
        "type": "object",
        "properties": {name: _portable(one, definitions) for name, one in fields.items()},
        "required": list(fields),
        "additionalProperties": False,
    }
