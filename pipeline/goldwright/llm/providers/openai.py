"""OpenAI's Responses API, without state on their side.

Newer models refuse tools on Chat Completions while they reason. ``store`` is true by default and
would keep our requests for a month; without it, reasoning comes back encrypted and is echoed with
the calls it led to.
"""

from collections.abc import Sequence
from typing import Any, Final

import openai

from goldwright.llm.port import (
    AssistantMessage,
    FaultKind,
    Message,
    ProviderFault,
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
from goldwright.llm.providers.attempt import AttemptLimits
from goldwright.llm.providers.event_stream import receive_events
from goldwright.llm.providers.openai_client import open_client
from goldwright.llm.providers.openai_stream import StreamedResponse
from goldwright.llm.providers.partial_reply import PartialReply
from goldwright.llm.providers.reply_values import (
    read_arguments,
    read_optional_tokens,
    read_tokens,
    read_usage,
)

_FAULTS_BY_CODE: Final[dict[str, FaultKind]] = {
    "rate_limit_exceeded": "rate_limited",
    "server_error": "server_error",
}
_STOPS_BY_REASON: Final[dict[str, Stop]] = {
    "max_output_tokens": "length",
    "content_filter": "refused",
}


class OpenAIAdapter:
    """Speaks the Responses API through the official SDK; batches go over the same client."""

    def __init__(self, *, key: str, base_url: str | None, seconds: float, stream: bool) -> None:
        self._streams = stream
        self.limits = AttemptLimits(seconds, key, (openai.OpenAIError,), address=base_url)
        self.client = open_client(key=key, base_url=base_url, seconds=seconds)

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
        response = await self.client.responses.create(**body)
        return read_reply(response)

    async def _receive(self, request: Request, partial: PartialReply) -> Reply:
        streamed = StreamedResponse(partial)
        responses = self.client.responses.with_streaming_response
        async with responses.create(**request_body(request), stream=True) as answer:
            await receive_events(answer.http_response, streamed.take)
        return read_reply(streamed.response())


def request_body(request: Request) -> dict[str, Any]:
    """Write a request as the API takes it."""
    items: list[dict[str, Any]] = []
    for turn in request.turns:
        items += _items_of(turn)
    body: dict[str, Any] = {
        "model": request.model,
        "instructions": request.system,
        "input": items,
        "max_output_tokens": request.max_output_tokens,
        "store": False,
        "include": ["reasoning.encrypted_content"],
        # Requests of one role share their rules and tools, so they share a cache.
        "prompt_cache_key": f"goldwright-{request.role}",
    }
    if request.tools:
        body["tools"] = [_declaration(tool) for tool in request.tools]
        body["tool_choice"] = request.tool_choice
    if request.schema is not None:
        answer_format = {
            "type": "json_schema",
            "name": "answer",
            "schema": dict(request.schema),
            "strict": True,
        }
        body["text"] = {"format": answer_format}
    if request.effort is not None:
        body["reasoning"] = {"effort": request.effort}
    return body


def _declaration(tool: Tool) -> dict[str, Any]:
    return {
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": dict(tool.parameters),
        "strict": True,
    }


def _items_of(turn: Message) -> list[dict[str, Any]]:
    match turn:
        case UserMessage(text):
            return [{"role": "user", "content": text}]
        case AssistantMessage(echo):
            return list(echo)
        case ToolResults():
            return _tool_outputs(turn)


def _tool_outputs(turn: ToolResults) -> list[dict[str, Any]]:
    items = [_tool_output(result) for result in turn.results]
    if turn.note:
        items.append({"role": "user", "content": turn.note})
    return items


def _tool_output(result: ToolResult) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": result.call_id, "output": result.text}


def read_reply(response: Any) -> Reply:
    """Read a reply; one that says that there is none is raised as a fault."""
    items = [item.to_dict() for item in response.output]
    tool_uses: list[ToolUse] = []
    parts: list[dict[str, Any]] = []
    for item in items:
        if item["type"] == "function_call":
            tool_uses.append(_read_tool_use(item))
        elif item["type"] == "message":
            parts += item["content"]
    text = _join_texts(parts)
    is_refused = any(part["type"] == "refusal" for part in parts)
    stop, reason = _read_stop(response, tool_uses, is_refused=is_refused)
    usage = read_usage(_usage, response)
    model = str(response.model)
    return Reply(text, tuple(tool_uses), stop, reason, usage, model, echo=items)


def _join_texts(parts: Sequence[dict[str, Any]]) -> str:
    texts = [part["text"] for part in parts if part["type"] == "output_text"]
    return "".join(texts)


def _read_tool_use(item: dict[str, Any]) -> ToolUse:
    arguments = read_arguments(item["arguments"])
    return ToolUse(item["call_id"], item["name"], arguments)


def _read_stop(
    response: Any, tool_uses: Sequence[ToolUse], *, is_refused: bool
) -> tuple[Stop, str]:
    """Give why the reply ended, in our words and in theirs."""
    status = str(response.status)
    if status == "incomplete":
        reason = str(response.incomplete_details.reason)
        return _STOPS_BY_REASON.get(reason, "unknown"), reason
    if status == "failed":
        raise _failure_of(response)
    if status != "completed":
        return "unknown", status
    if is_refused:
        return "refused", "refusal"
    if tool_uses:
        return "tools", "function_call"
    return "done", status


def _failure_of(response: Any) -> ProviderFault:
    """Give the fault of a response with HTTP status 200 and an error in its body."""
    code = str(response.error.code)
    kind = _FAULTS_BY_CODE.get(code, "bad_request")
    message = f"{code}: {response.error.message}"
    if response.usage is None:
        return ProviderFault(kind, message)
    usage = read_usage(_usage, response)
    counted = usage if usage.counted else None
    return ProviderFault(kind, message, may_be_billed=True, usage=counted)


def _usage(response: Any) -> Usage:
    usage = response.usage
    details = usage.input_tokens_details
    cached = read_optional_tokens(getattr(details, "cached_tokens", None))
    cache_written = read_optional_tokens(getattr(details, "cache_write_tokens", None))
    # Their input tokens include the cached ones.
    uncached = read_tokens(usage.input_tokens) - cached - cache_written
    return Usage(
        fresh=uncached,
        cached=cached,
        cache_written=cache_written,
        output=read_tokens(usage.output_tokens),
    )
