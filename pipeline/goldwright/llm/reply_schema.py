"""The JSON schema of a reply in the subset that all providers take.

Objects are closed and every field is required; a field that may be missing is a union with null.
References are written out. Keywords on lengths and ranges are left away: our own records check
those afterwards.
"""

from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from typing import Any, Final

from pydantic import BaseModel

_SCALAR_KEYWORDS: Final = ("type", "enum", "const")


def reply_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Give the portable JSON schema of a model.

    Raises:
        ValueError: The model holds a mapping, or something else that the subset cannot express.
    """
    # A copy: the schema goes to SDKs, which may change it.
    return deepcopy(_cached_schema(model))


@cache
def _cached_schema(model: type[BaseModel]) -> dict[str, Any]:
    schema = model.model_json_schema(mode="validation")
    return _portable(schema, schema.get("$defs", {}))


def _portable(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/$defs/")
        return _portable(definitions[name], definitions)
    if "anyOf" in schema:
        return {"anyOf": [_portable(choice, definitions) for choice in schema["anyOf"]]}
    match schema.get("type"):
        case "object":
            return _portable_object(schema, definitions)
        case "array":
            return {"type": "array", "items": _portable(schema["items"], definitions)}
        case "string" | "integer" | "number" | "boolean" | "null":
            return {key: schema[key] for key in _SCALAR_KEYWORDS if key in schema}
    raise ValueError(f"no portable schema for {dict(schema)!r}")


def _portable_object(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    fields = schema.get("properties")
    if not fields:
        raise ValueError("an object without named fields has no portable schema")
    properties: dict[str, Any] = {}
    for name, field in fields.items():
        properties[name] = _portable(field, definitions)
    return {
        "type": "object",
        "properties": properties,
        "required": list(fields),
        "additionalProperties": False,
    }
