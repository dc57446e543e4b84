"""OpenAI's Responses API, held without state on their side.

Newer models refuse tools on Chat Completions while they reason. ``store`` is true by default and
would keep our requests for a month; without it, reasoning comes back encrypted and is echoed with
the calls it led to.
"""

from typing import Any, Final

import httpx2
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
    ToolResults,
    ToolUse,
    Usage,
    UserMessage,
)
from goldwright.llm.providers.attempt import arguments_of, attempt, tokens, tokens_if_told, usage_of

_FAILED: Final[dict[str, FaultKind]] = {
    "rate_limit_exceeded": "rate_limited",
    "server_error": "server_error",
}
_INCOMPLETE: Final[dict[str, Stop]] = {"max_output_tokens": "length", "content_filter": "refused"}


class OpenAIAdapter:
    """Speaks the Responses API through the official SDK."""

    def __init__(self, *, key: str, base_url: str | None, seconds: float) -> None:
        self._key = key
        self._seconds = seconds
        # A redirect would carry the key and the prompt to somebody else.
        lines = openai.DefaultAsyncHttpxClient(follow_redirects=False)
        timeout = httpx2.Timeout(seconds, connect=10.0)
        self._client = openai.AsyncOpenAI(
            api_key=key, base_url=base_url, max_retries=0, timeout=timeout, http_client=lines
        )

    async def ask(self, request: Request) -> Reply:
        """Answer a request in one HTTP request."""
        return await attempt(
            lambda: self._send(request),
            seconds=self._seconds,
            secret=self._key,
            errors=(openai.OpenAIError,),
        )

    async def close(self) -> None:
        """Close every connection."""
        await self._client.close()

    async def _send(self, request: Request) -> Reply:
        response = await self._client.responses.create(**_body(request))
        return _reply(response)


def _body(request: Request) -> dict[str, Any]:
    body: dict[str, Any] = {
        "model": request.model,
        "instructions": request.system,
        "input": [item for turn in request.turns for item in _items(turn)],
        "max_output_tokens": request.max_output_tokens,
        "store": False,
        "include": ["reasoning.encrypted_content"],
        "prompt_cache_key": f"goldwright-{request.item.partition(':')[0]}",
    }
    if request.tools:
        body["tools"] = [_tool(tool) for tool in request.tools]
        body["tool_choice"] = "none" if request.tools_closed else "auto"
    if request.schema is not None:
        named = {
            "type": "json_schema",
            "name": "answer",
            "schema": dict(request.schema),
            "strict": True,
        }
        body["text"] = {"format": named}
    return body


def _tool(tool: Tool) -> dict[str, Any]:
    return {
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": dict(tool.parameters),
        "strict": True,
    }


def _items(turn: Message) -> list[dict[str, Any]]:
    match turn:
        case UserMessage(text):
            return [{"role": "user", "content": text}]
        case AssistantMessage(echo):
            return list(echo)
        case ToolResults(results, note):
            items = [
                {"type": "function_call_output", "call_id": one.call_id, "output": one.text}
                for one in results
            ]
            return items + ([{"role": "user", "content": note}] if note else [])


def _reply(response: Any) -> Reply:
    items = [item.to_dict() for item in response.output]
    uses = tuple(
        ToolUse(item["call_id"], item["name"], arguments_of(item["arguments"]))
        for item in items
        if item["type"] == "function_call"
    )
    parts = [part for item in items if item["type"] == "message" for part in item["content"]]
    refused = any(part["type"] == "refusal" for part in parts)
    stop, reason = _stop(response, has_uses=bool(uses), refused=refused)
    return Reply(
        text="".join(part["text"] for part in parts if part["type"] == "output_text"),
        tool_uses=uses,
        stop=stop,
        stop_reason=reason,
        usage=usage_of(lambda: _usage(response.usage)),
        model=str(response.model),
        echo=items,
    )


def _stop(response: Any, *, has_uses: bool, refused: bool) -> tuple[Stop, str]:
    status = str(response.status)
    if status == "incomplete":
        reason = str(response.incomplete_details.reason)
        return _INCOMPLETE.get(reason, "unknown"), reason
    if status == "failed":
        # HTTP said 200; the error stands in the body.
        code = str(response.error.code)
        kind = _FAILED.get(code, "bad_request")
        raise ProviderFault(
            kind, f"{code}: {response.error.message}", may_be_billed=response.usage is not None
        )
    if status != "completed":
        return "unknown", status
    if refused:
        return "refused", "refusal"
    return ("tools", "function_call") if has_uses else ("done", status)


def _usage(usage: Any) -> Usage:
    details = usage.input_tokens_details
    cached = tokens_if_told(getattr(details, "cached_tokens", None))
    written = tokens_if_told(getattr(details, "cache_write_tokens", None))
    fresh = tokens(usage.input_tokens) - cached - written
    return Usage(
        fresh=fresh, cached=cached, cache_written=written, output=tokens(usage.output_tokens)
    )
