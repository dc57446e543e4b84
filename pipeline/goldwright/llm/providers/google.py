"""Google's Gemini API.

Quirks of SDK 3.4 (2026-11): its timeout is in milliseconds and infinite by default; with aiohttp
installed it retries in silence unless told to make one attempt; it may go on by itself after a
reply; a reply's content goes back verbatim, with its thought signatures; thinking is not counted
among the output tokens.
"""

from typing import Any, Final

import httpx2
from google import genai
from google.genai import errors, types

from goldwright.canonical import canonical_json
from goldwright.llm.port import (
    AssistantMessage,
    Message,
    ProviderFault,
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
    "STOP": "done",
    "MAX_TOKENS": "length",
    "SAFETY": "refused",
    "RECITATION": "refused",
    "BLOCKLIST": "refused",
    "PROHIBITED_CONTENT": "refused",
    "SPII": "refused",
}
_GARBLED: Final = frozenset(
    {"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "MALFORMED_RESPONSE"}
)
_NO_ID: Final = "call-"
_CONNECTIONS: Final = 1000


class GoogleAdapter:
    """Speaks the Gemini API through the official SDK."""

    def __init__(self, *, key: str, base_url: str | None, seconds: float) -> None:
        self._key = key
        self._seconds = seconds
        limits = httpx2.Limits(max_connections=_CONNECTIONS, max_keepalive_connections=100)
        options = types.HttpOptions(
            base_url=base_url,
            timeout=int(seconds * 1000),
            retry_options=types.HttpRetryOptions(attempts=1),
            async_client_args={"limits": limits, "follow_redirects": False},
        )
        self._client = genai.Client(api_key=key, vertexai=False, http_options=options)

    async def ask(self, request: Request) -> Reply:
        """Answer a request in one HTTP request."""
        return await attempt(
            lambda: self._send(request),
            seconds=self._seconds,
            secret=self._key,
            errors=(errors.APIError,),
        )

    async def close(self) -> None:
        """Close every connection."""
        await self._client.aio.aclose()
        self._client.close()

    async def _send(self, request: Request) -> Reply:
        contents: Any = [_content(turn) for turn in request.turns]
        response = await self._client.aio.models.generate_content(
            model=request.model, contents=contents, config=_config(request)
        )
        return _reply(response, request.model)


def _config(request: Request) -> types.GenerateContentConfig:
    config = types.GenerateContentConfig(
        system_instruction=request.system,
        max_output_tokens=request.max_output_tokens,
        automatic_continuation=False,
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )
    if request.tools:
        declared = [
            types.FunctionDeclaration(
                name=tool.name,
                description=tool.description,
                parameters_json_schema=dict(tool.parameters),
            )
            for tool in request.tools
        ]
        mode = (
            types.FunctionCallingConfigMode.NONE
            if request.tools_closed
            else types.FunctionCallingConfigMode.AUTO
        )
        config.tools = [types.Tool(function_declarations=declared)]
        config.tool_config = types.ToolConfig(
            function_calling_config=types.FunctionCallingConfig(mode=mode)
        )
    elif request.schema is not None:
        # Most models refuse a schema beside tools; the reply is read strictly in either case.
        config.response_mime_type = "application/json"
        config.response_json_schema = dict(request.schema)
    return config


def _content(turn: Message) -> types.Content:
    match turn:
        case UserMessage(text):
            return types.Content(role="user", parts=[types.Part(text=text)])
        case AssistantMessage(echo):
            # Signatures are bytes, written as base64 in JSON; only its reader reads them back.
            return types.Content.model_validate_json(canonical_json(echo))
        case ToolResults(results, note):
            parts = [_result(one) for one in results]
            return types.Content(
                role="user", parts=parts + ([types.Part(text=note)] if note else [])
            )


def _result(result: ToolResult) -> types.Part:
    named = {"error" if result.is_error else "output": result.text}
    own_id = None if result.call_id.startswith(_NO_ID) else result.call_id
    return types.Part(
        function_response=types.FunctionResponse(id=own_id, name=result.name, response=named)
    )


def _reply(response: types.GenerateContentResponse, model: str) -> Reply:
    usage = usage_of(lambda: _usage(response.usage_metadata))
    said_model = str(response.model_version or model)
    if not response.candidates:
        blocked = response.prompt_feedback.block_reason if response.prompt_feedback else None
        if blocked is None:
            raise ProviderFault("cut", "a reply without a candidate", may_be_billed=True)
        return Reply("", (), "refused", f"prompt blocked: {blocked.name}", usage, said_model)
    candidate = response.candidates[0]
    parts = (candidate.content.parts if candidate.content else None) or []
    calls = [part.function_call for part in parts if part.function_call]
    uses = tuple(
        ToolUse(call.id or f"{_NO_ID}{number}", str(call.name), dict(call.args or {}))
        for number, call in enumerate(calls, start=1)
    )
    reason = candidate.finish_reason.name if candidate.finish_reason else "none"
    if reason in _GARBLED:
        raise ProviderFault("malformed", f"finish reason {reason}", may_be_billed=True)
    stop = _STOPS.get(reason, "unknown")
    return Reply(
        text="".join(part.text for part in parts if part.text and not part.thought),
        tool_uses=uses,
        stop="tools" if uses and stop == "done" else stop,
        stop_reason=reason,
        usage=usage,
        model=said_model,
        echo=candidate.content.model_dump(mode="json", exclude_none=True)
        if candidate.content
        else None,
    )


def _usage(usage: Any) -> Usage:
    cached = tokens_if_told(usage.cached_content_token_count)
    return Usage(
        fresh=tokens(usage.prompt_token_count) - cached,
        cached=cached,
        output=tokens(usage.candidates_token_count) + tokens_if_told(usage.thoughts_token_count),
    )
