"""Tools of a foreign server, as they are declared to models of all providers."""

from typing import Any

import pytest

from goldwright.live_agents.searcher_tools import closed_schema


def test_an_argument_that_may_be_left_out_may_be_null() -> None:
    schema = {
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "What is looked for."},
            "limit": {"type": ["null", "integer"], "default": 5},
            "path": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "kinds": {"type": "array", "items": {"type": "string"}},
            "filter": {"type": "object", "properties": {}},
        },
        "required": ["query"],
    }
    assert closed_schema(schema) == {
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "What is looked for."},
            "limit": {"type": ["integer", "null"]},
            "path": {"type": ["string", "null"]},
            "kinds": {"type": ["array", "null"], "items": {"type": "string"}},
        },
        "required": ["query", "limit", "path", "kinds"],
        "additionalProperties": False,
    }


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"properties": None, "required": None},
        {"properties": ["query"], "required": "query"},
        {"properties": {"query": "string", "limit": {"type": ["null", "object"]}}},
        {"properties": {"query": {"anyOf": "string"}, "limit": {"anyOf": [None, 3]}}},
        {"properties": {"query": {"type": "array", "items": ["string"]}}},
        {"properties": {"query": {"type": [["string"]]}, "limit": {"type": {"type": "string"}}}},
        {"properties": {"query": {"type": "array", "items": {"type": ["string"]}}}},
    ],
)
def test_a_schema_of_another_shape_declares_a_tool_without_arguments(
    schema: dict[str, Any],
) -> None:
    assert closed_schema(schema)["properties"] == {}
