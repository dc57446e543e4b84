"""Google's Gemini API.

Quirks of SDK 3.4 (2026-11): its timeout is in milliseconds and infinite by default; with aiohttp
installed it retries unnoticed unless told to make one attempt; it may go on by itself after a
reply; a reply's content goes back verbatim, with its thought signatures; thinking is not counted
among the output tokens.
"""

from typing import Any, Final

from google.genai import errors, types

from goldwright.canonical import canonical_json
from goldwright.llm.catalog import CloudAccess
from goldwright.llm.port import (
    AssistantMessage,
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
from goldwright.llm.providers.google_clouds import open_client
from goldwright.llm.providers.google_stream import StreamedContent, receive_chunks
from goldwright.llm.providers.partial_reply import PartialReply
from goldwright.llm.providers.reply_values import read_optional_tokens, read_tokens, read_usage

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
# Calls may come without an id; ours are never sent to Google.
_OWN_ID_PREFIX: Final = "call-"


class GoogleAdapter:
    """Speaks the Gemini API through the official SDK; batches go over the same client."""

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
        self.limits = AttemptLimits(seconds, key, (errors.APIError,), address=base_url)
        self.client = open_client(cloud, key, base_url, seconds)

    async def ask(self, request: Request) -> Reply:
        """Answer a request in one HTTP request."""
        if self._streams:
            partial = PartialReply()
            return await self.limits.attempt(self._receive(request, partial), partial)
        return await self.limits.attempt(self._send(request))

    async def close(self) -> None:
        """Close every connection."""
        await self.client.aio.aclose()
        self.client.close()

    async def _send(self, request: Request) -> Reply:
        response = await self.client.aio.models.generate_content(**request_arguments(request))
        return read_reply(response, request.model)

    async def _receive(self, request: Request, partial: PartialReply) -> Reply:
        streamed = StreamedContent(partial)
        models = self.client.aio.models
        chunks: Any = await models.generate_content_stream(**request_arguments(request))
        await receive_chunks(chunks, streamed)
        return read_reply(streamed.response(), request.model)


def request_arguments(request: Request) -> dict[str, Any]:
    """Write a request as the SDK takes it."""
    contents = [_content_of(turn) for turn in request.turns]
    return {"model": request.model, "contents": contents, "config": _config(request)}


def _config(request: Request) -> types.GenerateContentConfig:
    function_calling = types.AutomaticFunctionCallingConfig(disable=True)
    config = types.GenerateContentConfig(
        system_instruction=request.system,
        max_output_tokens=request.max_output_tokens,
        automatic_continuation=False,
        automatic_function_calling=function_calling,
    )
    if request.tools:
        declarations = [_declaration(tool) for tool in request.tools]
        config.tools = [types.Tool(function_declarations=declarations)]
        config.tool_config = _tool_config(request)
    elif request.schema is not None:
        # Most models refuse a schema beside tools; the reply is read strictly in either case.
        config.response_mime_type = "application/json"
        config.response_json_schema = dict(request.schema)
    if request.effort is not None:
        level = types.ThinkingLevel(request.effort.upper())
        config.thinking_config = types.ThinkingConfig(thinking_level=level)
    return config


def _declaration(tool: Tool) -> types.FunctionDeclaration:
    return types.FunctionDeclaration(
        name=tool.name,
        description=tool.description,
        parameters_json_schema=dict(tool.parameters),
    )


def _tool_config(request: Request) -> types.ToolConfig:
    mode = types.FunctionCallingConfigMode(request.tool_choice.upper())
    return types.ToolConfig(function_calling_config=types.FunctionCallingConfig(mode=mode))


def _content_of(turn: Message) -> types.Content:
    match turn:
        case UserMessage(text):
            return types.Content(role="user", parts=[types.Part(text=text)])
        case AssistantMessage(echo):
            # Signatures are bytes, written as Base64 in JSON; only the SDK's reader of JSON reads
            # them back.
            return types.Content.model_validate_json(canonical_json(echo))
        case ToolResults(results, note):
            parts = [_result_part(result) for result in results]
            if note:
                parts.append(types.Part(text=note))
            return types.Content(role="user", parts=parts)


def _result_part(result: ToolResult) -> types.Part:
    key = "error" if result.is_error else "output"
    response = types.FunctionResponse(name=result.name, response={key: result.text})
    if not result.call_id.startswith(_OWN_ID_PREFIX):
        response.id = result.call_id
    return types.Part(function_response=response)


def read_reply(response: types.GenerateContentResponse, requested_model: str) -> Reply:
    """Read a reply; one that says that there is none is raised as a fault."""
    usage = read_usage(_usage, response)
    model = str(response.model_version or requested_model)
    if not response.candidates:
        return _read_blocked_prompt(response, usage, model)
    candidate = response.candidates[0]
    parts = _parts_of(candidate)
    tool_uses = _read_tool_uses(parts)
    finish_reason = candidate.finish_reason
    reason = finish_reason.name if finish_reason else "none"
    # Google reports a call it could not parse as the end of the reply; another attempt may do.
    if reason in _GARBLED:
        message = f"finish reason {reason}"
        counted = usage if usage.counted else None
        raise ProviderFault("malformed", message, may_be_billed=True, usage=counted)
    stop = _STOPS.get(reason, "unknown")
    if tool_uses and stop == "done":
        # There is no reason of its own for a reply that asks for tools.
        stop = "tools"
    return Reply(_read_text(parts), tool_uses, stop, reason, usage, model, _echo_of(candidate))


def _read_blocked_prompt(
    response: types.GenerateContentResponse, usage: Usage, model: str
) -> Reply:
    feedback = response.prompt_feedback
    if feedback is None or feedback.block_reason is None:
        raise ProviderFault("cut", "a reply without a candidate", may_be_billed=True)
    reason = f"prompt blocked: {feedback.block_reason.name}"
    return Reply("", (), "refused", reason, usage, model)


def _parts_of(candidate: types.Candidate) -> list[types.Part]:
    if candidate.content is None:
        return []
    return candidate.content.parts or []


def _read_tool_uses(parts: list[types.Part]) -> tuple[ToolUse, ...]:
    tool_uses: list[ToolUse] = []
    for part in parts:
        call = part.function_call
        if call:
            call_id = call.id or f"{_OWN_ID_PREFIX}{len(tool_uses) + 1}"
            tool_uses.append(ToolUse(call_id, str(call.name), dict(call.args or {})))
    return tuple(tool_uses)


def _read_text(parts: list[types.Part]) -> str:
    return "".join(part.text for part in parts if part.text and not part.thought)


def _echo_of(candidate: types.Candidate) -> dict[str, Any] | None:
    if candidate.content is None:
        return None
    return candidate.content.model_dump(mode="json", exclude_none=True)


def _usage(response: types.GenerateContentResponse) -> Usage:
    usage: Any = response.usage_metadata
    cached = read_optional_tokens(usage.cached_content_token_count)
    thinking = read_optional_tokens(usage.thoughts_token_count)
    output = read_tokens(usage.candidates_token_count) + thinking
    # Their prompt tokens include the cached ones.
    return Usage(read_tokens(usage.prompt_token_count) - cached, cached, output=output)
