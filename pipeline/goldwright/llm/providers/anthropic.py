"""Anthropic's Messages API.

Quirks of SDK 2.x (2026-11): no temperature or seed exists; a call that may take long wants a
timeout, or is refused unsent; thinking blocks go back verbatim; all results of a turn come first in
one user message.
"""

from typing import Any, Final

import anthropic
import httpx2

from goldwright.llm.port import (
    AssistantMessage,
    Message,
    Reply,
    Request,
    Stop,
    ToolResult,
    ToolResults,
    ToolUse,
    Usage,
    UserMessage,
)
from goldwright.llm.providers.attempt import attempt, tokens, tokens_if_told, usage_of

_STOPS: Final[dict[str, Stop]] = {
    "end_turn": "done",
    "stop_sequence": "done",
    "tool_use": "tools",
    "max_tokens": "length",
    "refusal": "refused",
    "pause_turn": "paused",
    "model_context_window_exceeded": "overflow",
}
_CACHED: Final = {"type": "ephemeral"}


class AnthropicAdapter:
    """Speaks the Messages API through the official SDK."""

    def __init__(self, *, key: str, base_url: str | None, seconds: float) -> None:
        self._key = key
        self._seconds = seconds
        # A redirect would carry the key and the prompt to somebody else.
        lines = anthropic.DefaultAsyncHttpxClient(follow_redirects=False)
        timeout = httpx2.Timeout(seconds, connect=10.0)
        self._client = anthropic.AsyncAnthropic(
            api_key=key, base_url=base_url, max_retries=0, timeout=timeout, http_client=lines
        )

    async def ask(self, request: Request) -> Reply:
        """Answer a request in one HTTP request."""
        return await attempt(
            lambda: self._send(request),
            seconds=self._seconds,
            secret=self._key,
            errors=(anthropic.AnthropicError,),
        )

    async def close(self) -> None:
        """Close every connection."""
        await self._client.close()

    async def _send(self, request: Request) -> Reply:
        message = await self._client.messages.create(**_body(request))
        return _reply(message)


def _body(request: Request) -> dict[str, Any]:
    body: dict[str, Any] = {
        "model": request.model,
        "max_tokens": request.max_output_tokens,
        # The mark on the system text keeps tools and rules cached for all items, the one below this
        # conversation.
        "system": [{"type": "text", "text": request.system, "cache_control": _CACHED}],
        "messages": _messages(request.turns),
    }
    if request.tools:
        body["tools"] = [
            {
                "name": tool.name,
                "description": tool.description,
                "input_schema": dict(tool.parameters),
            }
            for tool in request.tools
        ]
        body["tool_choice"] = {"type": "none" if request.tools_closed else "auto"}
    if request.schema is not None:
        body["output_config"] = {"format": {"type": "json_schema", "schema": dict(request.schema)}}
    return body


def _messages(turns: tuple[Message, ...]) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = []
    for turn in turns:
        match turn:
            case AssistantMessage(echo):
                messages.append({"role": "assistant", "content": echo})
                continue
            case UserMessage(text):
                blocks: list[dict[str, Any]] = [{"type": "text", "text": text}]
            case ToolResults(results, note):
                blocks = [_result(one) for one in results] + (
                    [{"type": "text", "text": note}] if note else []
                )
        messages.append({"role": "user", "content": blocks})
    for message in reversed(messages):
        if message["role"] == "user":
            message["content"][-1]["cache_control"] = _CACHED
            break
    return messages


def _result(result: ToolResult) -> dict[str, Any]:
    return {
        "type": "tool_result",
        "tool_use_id": result.call_id,
        "content": result.text,
        "is_error": result.is_error,
    }


def _reply(message: Any) -> Reply:
    blocks = [_echo(block) for block in message.content]
    uses = tuple(
        ToolUse(block["id"], block["name"], given if isinstance(given := use.input, dict) else None)
        for block, use in zip(blocks, message.content, strict=True)
        if block["type"] == "tool_use"
    )
    reason = str(message.stop_reason)
    return Reply(
        text="".join(block["text"] for block in blocks if block["type"] == "text"),
        tool_uses=uses,
        stop=_STOPS.get(reason, "unknown"),
        stop_reason=reason,
        usage=usage_of(lambda: _usage(message.usage)),
        model=str(message.model),
        echo=blocks,
    )


def _echo(block: Any) -> dict[str, Any]:
    echo: dict[str, Any] = block.to_dict()
    if echo["type"] == "tool_use" and not isinstance(echo["input"], dict):
        # The API takes nothing but an object back.
        echo["input"] = {}
    return echo


def _usage(usage: Any) -> Usage:
    return Usage(
        fresh=tokens(usage.input_tokens),
        cached=tokens_if_told(usage.cache_read_input_tokens),
        cache_written=tokens_if_told(usage.cache_creation_input_tokens),
        output=tokens(usage.output_tokens),
    )
