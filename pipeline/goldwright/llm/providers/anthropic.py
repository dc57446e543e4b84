"""Anthropic's Messages API.

Quirks of SDK 2.x (2026-11): no temperature or seed exists; a call that may take long wants a
timeout, or is refused unsent; thinking blocks go back verbatim; all results of a turn come first in
one user message.
"""

from typing import Any, Final

import anthropic

from goldwright.llm.catalog import CloudAccess
from goldwright.llm.port import (
    AssistantMessage,
    Message,
    Reply,
    Request,
    Stop,
    Tool,
    ToolResult,
    ToolResults,
    ToolUse,
    Usage,
    UserMessage,
)
from goldwright.llm.providers.anthropic_client import open_client
from goldwright.llm.providers.anthropic_stream import StreamedMessage
from goldwright.llm.providers.attempt import AttemptLimits
from goldwright.llm.providers.event_stream import receive_events
from goldwright.llm.providers.partial_reply import PartialReply
from goldwright.llm.providers.reply_values import read_optional_tokens, read_tokens, read_usage

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
    """Speaks the Messages API through the official SDK; batches go over the same client."""

    def __init__(
        self,
        *,
        key: str,
        base_url: str | None,
        seconds: float,
        stream: bool,
        cloud: CloudAccess | None = None,
    ) -> None:
        self._streams = stream
        self.limits = AttemptLimits(seconds, key, (anthropic.AnthropicError,), address=base_url)
        self.client = open_client(cloud, key, base_url, seconds)

    async def ask(self, request: Request) -> Reply:
        """Answer a request in one HTTP request."""
        if self._streams:
            partial = PartialReply()
            return await self.limits.attempt(self._receive(request, partial), partial)
        return await self.limits.attempt(self._send(request))

    async def close(self) -> None:
        """Close every connection."""
        await self.client.close()

    async def _send(self, request: Request) -> Reply:
        body = request_body(request)
        message = await self.client.messages.create(**body)
        return read_reply(message)

    async def _receive(self, request: Request, partial: PartialReply) -> Reply:
        streamed = StreamedMessage(partial)
        messages = self.client.messages.with_streaming_response
        async with messages.create(**request_body(request), stream=True) as answer:
            await receive_events(answer.http_response, streamed.take)
        return read_reply(streamed.message())


def request_body(request: Request) -> dict[str, Any]:
    """Write a request as the API takes it."""
    # The mark on the system text keeps tools and rules cached for all items, the one in the last
    # message this conversation.
    system = {"type": "text", "text": request.system, "cache_control": _CACHED}
    messages = _messages(request.turns)
    body: dict[str, Any] = {
        "model": request.model,
        "max_tokens": request.max_output_tokens,
        "system": [system],
        "messages": messages,
    }
    if request.tools:
        body["tools"] = [_declaration(tool) for tool in request.tools]
        body["tool_choice"] = {"type": request.tool_choice}
    if request.schema is not None:
        answer_format = {"type": "json_schema", "schema": dict(request.schema)}
        body["output_config"] = {"format": answer_format}
    if request.effort is not None:
        body.setdefault("output_config", {})["effort"] = request.effort
    return body


def _declaration(tool: Tool) -> dict[str, Any]:
    return {
        "name": tool.name,
        "description": tool.description,
        "input_schema": dict(tool.parameters),
    }


def _messages(turns: tuple[Message, ...]) -> list[dict[str, Any]]:
    messages = [_message_of(turn) for turn in turns]
    # Only a message of ours can carry the mark; what the model said goes back verbatim.
    for message in reversed(messages):
        if message["role"] == "user":
            message["content"][-1]["cache_control"] = _CACHED
            break
    return messages


def _message_of(turn: Message) -> dict[str, Any]:
    match turn:
        case AssistantMessage(echo):
            return {"role": "assistant", "content": echo}
        case UserMessage(text):
            block = {"type": "text", "text": text}
            return {"role": "user", "content": [block]}
        case ToolResults(results, note):
            blocks = [_result_block(result) for result in results]
            if note:
                blocks.append({"type": "text", "text": note})
            return {"role": "user", "content": blocks}


def _result_block(result: ToolResult) -> dict[str, Any]:
    return {
        "type": "tool_result",
        "tool_use_id": result.call_id,
        "content": result.text,
        "is_error": result.is_error,
    }


def read_reply(message: Any) -> Reply:
    """Read a reply; one that says that there is none is raised as a fault."""
    blocks = [_echo_of(block) for block in message.content]
    tool_uses: list[ToolUse] = []
    texts: list[str] = []
    for block, raw_block in zip(blocks, message.content, strict=True):
        if block["type"] == "tool_use":
            # The echo holds an object in any case; the raw block holds what the model wrote.
            is_object = isinstance(raw_block.input, dict)
            arguments = raw_block.input if is_object else None
            tool_use = ToolUse(block["id"], block["name"], arguments)
            tool_uses.append(tool_use)
        elif block["type"] == "text":
            texts.append(block["text"])
    reason = str(message.stop_reason)
    stop = _STOPS.get(reason, "unknown")
    usage = read_usage(_usage, message)
    text = "".join(texts)
    model = str(message.model)
    return Reply(text, tuple(tool_uses), stop, reason, usage, model, echo=blocks)


def _echo_of(block: Any) -> dict[str, Any]:
    echo: dict[str, Any] = block.to_dict()
    if echo["type"] == "tool_use" and not isinstance(echo["input"], dict):
        # The API takes nothing but an object back.
        echo["input"] = {}
    return echo


def _usage(message: Any) -> Usage:
    usage = message.usage
    uncached = read_tokens(usage.input_tokens)
    cached = read_optional_tokens(usage.cache_read_input_tokens)
    cache_written = read_optional_tokens(usage.cache_creation_input_tokens)
    output = read_tokens(usage.output_tokens)
    return Usage(fresh=uncached, cached=cached, cache_written=cache_written, output=output)
