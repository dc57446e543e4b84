"""What goes over the wire for a request, field by field, as each provider documents it."""

import asyncio
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import pytest

from goldwright.llm.catalog import Api, open_adapter
from goldwright.llm.port import (
    AssistantMessage,
    Request,
    Tool,
    ToolResult,
    ToolResults,
    UserMessage,
)
from goldwright.llm.providers.anthropic import request_body
from scripted.server import serve_in_thread
from scripted.wire import Heard, Say

SCHEMA: Final = {
    "type": "object",
    "properties": {"path": {"type": "string"}},
    "required": ["path"],
    "additionalProperties": False,
}
TOOL: Final = Tool("read", "Read a file.", SCHEMA)
PLAIN: Final = Request(
    "oracle:q", "m-1", "You look.", (UserMessage("Where?"),), max_output_tokens=99
)
RESULTS: Final = ToolResults(
    (ToolResult("c1", "read", "x = 1"), ToolResult("call-2", "read", "no file", is_error=True)),
    "Hurry.",
)
# What the model said before, in the words of its provider: two calls.
ECHOES: Final[Mapping[str, Any]] = {
    "anthropic": [
        {"type": "tool_use", "id": "c1", "name": "read", "input": {"path": "a"}},
        {"type": "tool_use", "id": "call-2", "name": "read", "input": {}},
    ],
    "responses": [
        {"type": "function_call", "call_id": "c1", "name": "read", "arguments": '{"path": "a"}'},
        {"type": "function_call", "call_id": "call-2", "name": "read", "arguments": "{}"},
    ],
    "chat": {
        "role": "assistant",
        "tool_calls": [
            {
                "id": "c1",
                "type": "function",
                "function": {"name": "read", "arguments": '{"path": "a"}'},
            },
            {"id": "call-2", "type": "function", "function": {"name": "read", "arguments": "{}"}},
        ],
    },
    "google": {
        "role": "model",
        "parts": [
            {"function_call": {"id": "c1", "name": "read", "args": {"path": "a"}}},
            {"function_call": {"name": "read", "args": {}}},
        ],
    },
}
_CAMELS: Final = re.compile("_([a-z])")
MARK: Final = {"cache_control": {"type": "ephemeral"}}
STRICT: Final = {"name": "answer", "schema": SCHEMA, "strict": True}


def sent(api: Api, request: Request, *, stream: bool = False) -> dict[str, Any]:
    """Give the body of the one HTTP request that a request becomes."""
    heard: list[Heard] = []

    def answer(one: Heard) -> Say:
        heard.append(one)
        return Say('{"path": "a"}')

    async def ask(url: str) -> None:
        base = f"{url}/v1" if api in {"responses", "chat"} else url
        adapter = open_adapter(api, key="k", base_url=base, seconds=20.0, stream=stream)
        try:
            await adapter.ask(request)
        finally:
            await adapter.close()

    with serve_in_thread(answer, thinking=False) as server:
        asyncio.run(ask(server.url))
    (one,) = heard
    # Google's SDK writes some names with underscores, which Google takes as well.
    body: dict[str, Any] = in_camel_case(one.body) if api == "google" else dict(one.body)
    return body


def in_camel_case(value: Any) -> Any:
    """Write the names in a body alike."""
    if isinstance(value, list):
        return [in_camel_case(element) for element in value]
    if not isinstance(value, dict):
        return value
    return {_CAMELS.sub(_hump, name): in_camel_case(inner) for name, inner in value.items()}


def _hump(match: re.Match[str]) -> str:
    return match[1].upper()


def talking(api: Api) -> Request:
    """A conversation with results in it."""
    turns = (*PLAIN.turns, AssistantMessage(ECHOES[api]), RESULTS)
    return replace(PLAIN, turns=turns, tools=(TOOL,))


def user(*blocks: Mapping[str, Any]) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


PLAIN_BODIES: Final[dict[Api, dict[str, Any]]] = {
    "anthropic": {
        "model": "m-1",
        "max_tokens": 99,
        "system": [{"type": "text", "text": "You look.", **MARK}],
        "messages": [user({"type": "text", "text": "Where?", **MARK})],
    },
    "responses": {
        "model": "m-1",
        "instructions": "You look.",
        "input": [{"role": "user", "content": "Where?"}],
        "max_output_tokens": 99,
        "store": False,
        "include": ["reasoning.encrypted_content"],
        "prompt_cache_key": "goldwright-oracle",
    },
    "chat": {
        "model": "m-1",
        "messages": [
            {"role": "system", "content": "You look."},
            {"role": "user", "content": "Where?"},
        ],
        "max_tokens": 99,
    },
    "google": {
        "contents": [{"role": "user", "parts": [{"text": "Where?"}]}],
        "systemInstruction": {"role": "user", "parts": [{"text": "You look."}]},
        "generationConfig": {"maxOutputTokens": 99},
    },
}
# What a schema of the reply, an effort and tools add to a body.
SCHEMAS: Final[dict[Api, dict[str, Any]]] = {
    "anthropic": {"output_config": {"format": {"type": "json_schema", "schema": SCHEMA}}},
    "responses": {"text": {"format": {"type": "json_schema", **STRICT}}},
    "chat": {"response_format": {"type": "json_schema", "json_schema": STRICT}},
    "google": {
        "generationConfig": {
            "maxOutputTokens": 99,
            "responseMimeType": "application/json",
            "responseJsonSchema": SCHEMA,
        }
    },
}
EFFORTS: Final[dict[Api, dict[str, Any]]] = {
    "anthropic": {"output_config": {"effort": "high"}},
    "responses": {"reasoning": {"effort": "high"}},
    "chat": {"reasoning_effort": "high"},
    "google": {
        "generationConfig": {"maxOutputTokens": 99, "thinkingConfig": {"thinkingLevel": "HIGH"}}
    },
}
NAMED: Final = {"name": "read", "description": "Read a file."}
TOOLS: Final[dict[Api, dict[str, Any]]] = {
    "anthropic": {"tools": [{**NAMED, "input_schema": SCHEMA}], "tool_choice": {"type": "auto"}},
    "responses": {
        "tools": [{"type": "function", **NAMED, "parameters": SCHEMA, "strict": True}],
        "tool_choice": "auto",
    },
    "chat": {
        "tools": [
            {"type": "function", "function": {**NAMED, "parameters": SCHEMA, "strict": True}}
        ],
        "tool_choice": "auto",
    },
    "google": {
        "tools": [{"functionDeclarations": [{**NAMED, "parametersJsonSchema": SCHEMA}]}],
        "toolConfig": {"functionCallingConfig": {"mode": "AUTO"}},
    },
}
CLOSED: Final[dict[Api, dict[str, Any]]] = {
    "anthropic": {"tool_choice": {"type": "none"}},
    "responses": {"tool_choice": "none"},
    "chat": {"tool_choice": "none"},
    "google": {"toolConfig": {"functionCallingConfig": {"mode": "NONE"}}},
}


@pytest.mark.parametrize("api", PLAIN_BODIES)
def test_a_request_is_sent_with_these_fields_and_no_others(api: Api) -> None:
    assert sent(api, PLAIN) == PLAIN_BODIES[api]


@pytest.mark.parametrize("api", ["anthropic", "responses"])
def test_a_request_for_a_stream_differs_in_nothing_else(api: Api) -> None:
    assert sent(api, PLAIN, stream=True) == {**PLAIN_BODIES[api], "stream": True}


@pytest.mark.parametrize("api", PLAIN_BODIES)
def test_a_schema_an_effort_and_tools_each_add_their_own_field(api: Api) -> None:
    plain = PLAIN_BODIES[api]
    assert sent(api, replace(PLAIN, schema=SCHEMA)) == {**plain, **SCHEMAS[api]}
    assert sent(api, replace(PLAIN, effort="high")) == {**plain, **EFFORTS[api]}
    open_body = {**plain, **TOOLS[api]}
    assert sent(api, replace(PLAIN, tools=(TOOL,))) == open_body
    closed = replace(PLAIN, tools=(TOOL,), tools_closed=True)
    assert sent(api, closed) == {**open_body, **CLOSED[api]}


@pytest.mark.parametrize("api", PLAIN_BODIES)
def test_schema_and_effort_stand_beside_each_other(api: Api) -> None:
    body = sent(api, replace(PLAIN, schema=SCHEMA, effort="high"))
    wanted: dict[str, Any] = {**PLAIN_BODIES[api]}
    for part in (SCHEMAS[api], EFFORTS[api]):
        for name, value in part.items():
            is_joined = isinstance(wanted.get(name), dict)
            wanted[name] = {**wanted[name], **value} if is_joined else value
    assert body == wanted


def test_google_is_asked_for_no_schema_beside_tools() -> None:
    with_both = sent("google", replace(PLAIN, schema=SCHEMA, tools=(TOOL,)))
    assert with_both == {**PLAIN_BODIES["google"], **TOOLS["google"]}


def test_results_of_anthropic_come_first_and_the_last_block_of_ours_is_marked() -> None:
    first, echo, results = sent("anthropic", talking("anthropic"))["messages"]
    assert first == user({"type": "text", "text": "Where?"})
    assert echo == {"role": "assistant", "content": ECHOES["anthropic"]}
    result = {"type": "tool_result"}
    assert results == user(
        {**result, "tool_use_id": "c1", "content": "x = 1", "is_error": False},
        {**result, "tool_use_id": "call-2", "content": "no file", "is_error": True},
        {"type": "text", "text": "Hurry.", **MARK},
    )


def test_what_the_model_said_last_is_not_marked() -> None:
    """It goes back verbatim; the mark is in our message before it."""
    # Not sent: the provider takes no conversation that ends so.
    turns = (*PLAIN.turns, AssistantMessage([{"type": "text", "text": "{"}]))
    first, last = request_body(replace(PLAIN, turns=turns))["messages"]
    assert first == user({"type": "text", "text": "Where?", **MARK})
    assert last == {"role": "assistant", "content": [{"type": "text", "text": "{"}]}


def test_results_of_openai_are_items_of_their_own() -> None:
    output = {"type": "function_call_output"}
    assert sent("responses", talking("responses"))["input"] == [
        {"role": "user", "content": "Where?"},
        *ECHOES["responses"],
        {**output, "call_id": "c1", "output": "x = 1"},
        {**output, "call_id": "call-2", "output": "no file"},
        {"role": "user", "content": "Hurry."},
    ]


def test_results_of_chats_are_messages_of_their_own() -> None:
    assert sent("chat", talking("chat"))["messages"] == [
        {"role": "system", "content": "You look."},
        {"role": "user", "content": "Where?"},
        ECHOES["chat"],
        {"role": "tool", "tool_call_id": "c1", "content": "x = 1"},
        {"role": "tool", "tool_call_id": "call-2", "content": "no file"},
        {"role": "user", "content": "Hurry."},
    ]


def test_results_of_google_are_parts_without_the_ids_that_google_never_gave() -> None:
    _, echo, results = sent("google", talking("google"))["contents"]
    assert echo["role"] == "model"
    assert echo["parts"][0]["functionCall"] == {"id": "c1", "name": "read", "args": {"path": "a"}}
    good = {"id": "c1", "name": "read", "response": {"output": "x = 1"}}
    bad = {"name": "read", "response": {"error": "no file"}}
    assert results == {
        "role": "user",
        "parts": [{"functionResponse": good}, {"functionResponse": bad}, {"text": "Hurry."}],
    }


@pytest.mark.parametrize("api", PLAIN_BODIES)
def test_results_without_a_note_end_with_the_last_result(api: Api) -> None:
    *turns, _ = talking(api).turns
    quiet = replace(talking(api), turns=(*turns, ToolResults(RESULTS.results)))
    told = str(sent(api, quiet))
    assert "no file" in told
    assert "Hurry." not in told
    texts = told.count("'text': ''") + told.count("'content': ''")
    assert texts == 0
