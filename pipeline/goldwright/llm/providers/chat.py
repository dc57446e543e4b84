"""Chat Completions, as every OpenAI-compatible server speaks it (Ollama, vLLM, llama.cpp etc.).

Such servers differ in what they know beyond the core: nothing is sent here that the core does not
have, and counts that may be missing are taken as missing. ``max_tokens`` is the name that all of
them know.
"""

from typing import Any, Final

import openai

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
from goldwright.llm.providers.attempt import AttemptLimits
from goldwright.llm.providers.openai_client import open_client
from goldwright.llm.providers.reply_values import (
    read_arguments,
    read_optional_tokens,
    read_tokens,
    read_usage,
)

_STOPS: Final[dict[str, Stop]] = {
    "stop": "done",
    "tool_calls": "tools",
    "function_call": "tools",
    "length": "length",
    "content_filter": "refused",
}
_ECHOED: Final = frozenset({"role", "content", "tool_calls", "reasoning_content"})


class ChatCompletionsAdapter:
    """Speaks Chat Completions through OpenAI's SDK."""

    def __init__(self, *, key: str, base_url: str | None, seconds: float) -> None:
        self._limits = AttemptLimits(seconds, key, (openai.OpenAIError,), address=base_url)
        self._client = open_client(key=key, base_url=base_url, seconds=seconds)

    async def ask(self, request: Request) -> Reply:
        """Answer a request in one HTTP request."""
        return await self._limits.attempt(self._send(request))

    async def close(self) -> None:
        """Close every connection."""
        await self._client.close()

    async def _send(self, request: Request) -> Reply:
        body = _body(request)
        completion = await self._client.chat.completions.create(**body)
        return read_reply(completion)


def _body(request: Request) -> dict[str, Any]:
    system = {"role": "system", "content": request.system}
    messages: list[dict[str, Any]] = [system]
    for turn in request.turns:
        messages += _messages_of(turn)
    body: dict[str, Any] = {
        "model": request.model,
        "messages": messages,
        "max_tokens": request.max_output_tokens,
    }
    if request.tools:
        body["tools"] = [_declaration(tool) for tool in request.tools]
        body["tool_choice"] = request.tool_choice
    if request.schema is not None:
        schema = {"name": "answer", "schema": dict(request.schema), "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    if request.effort is not None:
        body["reasoning_effort"] = request.effort
    return body


def _declaration(tool: Tool) -> dict[str, Any]:
    function = {
        "name": tool.name,
        "description": tool.description,
        "parameters": dict(tool.parameters),
        "strict": True,
    }
    return {"type": "function", "function": function}


def _messages_of(turn: Message) -> list[dict[str, Any]]:
    match turn:
        case UserMessage(text):
            return [{"role": "user", "content": text}]
        case AssistantMessage(echo):
            return [echo]
        case ToolResults():
            return _tool_messages(turn)


def _tool_messages(turn: ToolResults) -> list[dict[str, Any]]:
    messages = [_tool_message(result) for result in turn.results]
    if turn.note:
        messages.append({"role": "user", "content": turn.note})
    return messages


def _tool_message(result: ToolResult) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": result.call_id, "content": result.text}


def read_reply(completion: Any) -> Reply:
    """Read a reply as the others do."""
    choice = completion.choices[0]
    message = choice.message
    calls = message.tool_calls or ()
    tool_uses = tuple(_read_tool_use(call) for call in calls)
    reason = str(choice.finish_reason)
    stop = _STOPS.get(reason, "unknown")
    if message.refusal:
        # The finish reason of a refusal is that of an ordinary end.
        stop = "refused"
    elif tool_uses and stop == "done":
        # Some servers ask for tools and say that they are done.
        stop = "tools"
    text = _read_text(message.content)
    usage = read_usage(_usage, completion)
    model = str(completion.model)
    echo = _echo_of(message)
    return Reply(text, tool_uses, stop, reason, usage, model, echo)


def _read_tool_use(call: Any) -> ToolUse:
    arguments = read_arguments(call.function.arguments)
    return ToolUse(call.id, call.function.name, arguments)


def _echo_of(message: Any) -> dict[str, Any]:
    """Give the fields of a message that a server takes back."""
    echo: dict[str, Any] = {"role": "assistant"}
    for key, value in message.to_dict().items():
        if key not in _ECHOED or value is None:
            continue
        echo[key] = value
    return echo


def _read_text(content: Any) -> str:
    if content is None:
        return ""
    if not isinstance(content, str):
        raise TypeError(f"the content of a message is a {type(content).__name__}")
    return content


def _usage(completion: Any) -> Usage:
    usage = completion.usage
    details = usage.prompt_tokens_details
    cached = read_optional_tokens(getattr(details, "cached_tokens", None))
    # Their prompt tokens include the cached ones.
    uncached = read_tokens(usage.prompt_tokens) - cached
    output = read_tokens(usage.completion_tokens)
    return Usage(fresh=uncached, cached=cached, output=output)
