"""Tools of a foreign server, as they are declared to models of all providers."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from goldwright.agents.toolset import Toolset
from goldwright.benefit.surface import AgentTool
from goldwright.errors import RetrieverError
from goldwright.live_agents.output_rendering import OutputRenderer
from goldwright.live_agents.searcher_tools import SearcherTools, ToolsUnderTest, closed_schema
from goldwright.live_agents.untrusted_markers import MarkSource
from goldwright.llm.port import ToolUse
from goldwright.snapshot import open_snapshot


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


class _SlowServer:
    """A server that answers a call when somebody says so."""

    def __init__(self) -> None:
        self.may_answer = asyncio.Event()

    async def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        await self.may_answer.wait()
        if arguments["query"] == "bad":
            raise RetrieverError(f"{name}: no index")
        return f"{name} found it"


def test_a_slow_tool_under_test_holds_up_its_own_conversation_alone(tmp_path: Path) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "a.py").write_text("x = 1\n")
    snapshot = open_snapshot(tmp_path / "code", cache=tmp_path / "cache")

    async def play() -> None:
        server = _SlowServer()
        under_test = ToolsUnderTest([AgentTool("find", "Finds.", {})], server)
        slow, quick = (
            SearcherTools(
                Toolset(snapshot),
                OutputRenderer(snapshot),
                MarkSource("secret", item),
                under_test,
                lambda: 1,
            )
            for item in ("searcher:1", "searcher:2")
        )
        waiting = asyncio.create_task(slow.run(ToolUse("1", "find", {"query": "it"})))
        listed = await quick.run(ToolUse("2", "list", {"pattern": ""}))
        assert "a.py" in listed.text
        assert not waiting.done()
        server.may_answer.set()
        assert "find found it" in (await waiting).text
        failed = await slow.run(ToolUse("3", "find", {"query": "bad"}))
        assert (failed.is_error, slow.uptake, slow.errors) == (True, 1, 1)

    asyncio.run(play())
