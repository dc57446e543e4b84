"""Chat Completions, as every OpenAI-compatible server speaks it (Ollama, vLLM, llama.cpp and the
like).

Such servers differ in what they know beyond the core: nothing is sent here that the core does not
have, and counts that may be missing are taken as missing. ``max_tokens`` is the name that all of
them know.
"""

from typing import Any, Final

import httpx2
import openai

from goldwright.llm.port import (
    AssistantMessage,
    Message,
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

_STOPS: Final[dict[str, Stop]] = {
    "stop": "done",
    "tool_calls": "tools",
    "function_call": "tools",
    "length": "length",
    "content_filter": "refused",
}
_ECHOED: Final = ("role", "content", "tool_calls", "reasoning_content")


class ChatCompletionsAdapter:
    """Speaks Chat Completions through OpenAI's SDK."""

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
        completion = await self._client.chat.completions.create(**_body(request))
        return _reply(completion)


def _body(request: Request) -> dict[str, Any]:
    messages = [{"role": "system", "content": request.system}]
    body: dict[str, Any] = {
        "model": request.model,
        "messages": messages + [message for turn in request.turns for message in _messages(turn)],
        "max_tokens": request.max_output_tokens,
    }
    if request.tools:
        body["tools"] = [_tool(tool) for tool in request.tools]
        body["tool_choice"] = "none" if request.tools_closed else "auto"
    if request.schema is not None:
        named = {"name": "answer", "schema": dict(request.schema), "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": named}
    return body


def _tool(tool: Tool) -> dict[str, Any]:
    function = {
        "name": tool.name,
        "description": tool.description,
        "parameters": dict(tool.parameters),
        "strict": True,
    }
    return {"type": "function", "function": function}


def _messages(turn: Message) -> list[dict[str, Any]]:
    match turn:
        case UserMessage(text):
            return [{"role": "user", "content": text}]
        case AssistantMessage(echo):
            return [echo]
        case ToolResults(results, note):
            answers = [
                {"role": "tool", "tool_call_id": one.call_id, "content": one.text}
                for one in results
            ]
            return answers + ([{"role": "user", "content": note}] if note else [])


def _reply(completion: Any) -> Reply:
    choice = completion.choices[0]
    message = choice.message
    uses = tuple(
        ToolUse(call.id, call.function.name, arguments_of(call.function.arguments))
        for call in message.tool_calls or ()
    )
    reason = str(choice.finish_reason)
    stop = _STOPS.get(reason, "unknown")
    if message.refusal:
        stop = "refused"
    elif uses and stop == "done":
        # Some servers ask for tools and say that they are through.
        stop = "tools"
    echo = {
        key: value
        for key, value in message.to_dict().items()
        if key in _ECHOED and value is not None
    }
    return Reply(
        text=_text(message.content),
        tool_uses=uses,
        stop=stop,
        stop_reason=reason,
        usage=usage_of(lambda: _usage(completion.usage)),
        model=str(completion.model),
        echo={"role": "assistant", **echo},
    )


def _text(content: Any) -> str:
    if content is None:
        return ""
    if not isinstance(content, str):
        raise TypeError(f"the content of a message is a {type(content).__name__}")
    return content


def _usage(usage: Any) -> Usage:
    cached = tokens_if_told(getattr(usage.prompt_tokens_details, "cached_tokens", None))
    return Usage(
        fresh=tokens(usage.prompt_tokens) - cached,
        cached=cached,
        output=tokens(usage.completion_tokens),
    )
