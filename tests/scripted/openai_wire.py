"""The Responses and Chat Completions protocols, as strict as their provider."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from scripted.wire import (
    STATUS_OF_A_MISSING_KEY,
    Call,
    Heard,
    Json,
    Piece,
    RequestError,
    Result,
    Say,
    Tokens,
    Turn,
    Wire,
    bearer,
    canonical,
    limit_at,
    list_at,
    mapping_at,
    must_be_known,
    must_be_strict,
    refuse,
    sign,
    text_at,
)

ENCRYPTED = "reasoning.encrypted_content"
UNKNOWN_PARAMETER = "Unknown parameter: '{}'."
WRITTEN_AT = 1_700_000_000
RESPONSES_FIELDS = frozenset(
    "background context_management conversation include input instructions max_output_tokens "
    "max_tool_calls metadata model parallel_tool_calls previous_response_id prompt "
    "prompt_cache_key prompt_cache_options prompt_cache_retention reasoning safety_identifier "
    "service_tier store stream text tool_choice tools top_logprobs truncation user".split()
)
CHAT_FIELDS = frozenset(
    "frequency_penalty logit_bias logprobs max_completion_tokens max_tokens messages metadata "
    "model n parallel_tool_calls prediction presence_penalty prompt_cache_key "
    "prompt_cache_options prompt_cache_retention reasoning_effort response_format "
    "safety_identifier seed service_tier stop store stream temperature tool_choice tools "
    "top_logprobs top_p user verbosity".split()
)
TEXT_TYPES = {"assistant": ("output_text", "refusal")}
RESPONSES_STOPS: Mapping[str, Mapping[str, Any]] = {
    "length": {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}},
    "filtered": {"status": "incomplete", "incomplete_details": {"reason": "content_filter"}},
    "paused": {"status": "in_progress"},
    "unknown": {"status": "a_status_of_tomorrow"},
    "failed": {
        "status": "failed",
        "error": {"code": "server_error", "message": "The model failed to answer."},
    },
}
CHAT_STOPS = {
    "length": "length",
    "filtered": "content_filter",
    "refused": "stop",
    "paused": "a_reason_of_tomorrow",
    "unknown": "a_reason_of_tomorrow",
}
ERROR_TYPES = {
    401: ("invalid_request_error", "invalid_api_key"),
    403: ("invalid_request_error", "unsupported_country_region_territory"),
    404: ("invalid_request_error", "model_not_found"),
    429: ("rate_limit_error", "rate_limit_exceeded"),
}


def key_of(headers: Mapping[str, str]) -> str:
    """Return the key of a request, and refuse one without."""
    key = bearer(headers)
    if not key:
        raise RequestError(STATUS_OF_A_MISSING_KEY, "", "You didn't provide an API key.")
    return key


def error_body(status: int, code: str, message: str) -> dict[str, Any]:
    """Write an error of either protocol."""
    usual = ("server_error", None) if status >= 500 else ("invalid_request_error", None)
    kind, usual_code = ERROR_TYPES.get(status, usual)
    return {"error": {"message": message, "type": kind, "param": None, "code": code or usual_code}}


def decode_responses(body: Json, _model: str, thinking: bool) -> Heard:
    """Read a request for a response."""
    for name in ("temperature", "top_p"):
        if name in body:
            raise refuse(
                f"Unsupported parameter: '{name}' is not supported with this model.",
                "unsupported_parameter",
            )
    must_be_known(body, RESPONSES_FIELDS, UNKNOWN_PARAMETER)
    if _asks_encrypted(body) and body.get("store") is not False:
        raise refuse(
            "Encrypted content is only returned when 'store' is false.", "invalid_parameter"
        )
    if body.get("previous_response_id"):
        raise refuse(
            "Previous response not found: nothing is stored here.", "previous_response_not_found"
        )
    spoken = _Conversation(expects_reasoning=thinking and _asks_encrypted(body))
    for at, item in enumerate(_input_items(body)):
        spoken.hear(mapping_at(item, f"input[{at}]"), f"input[{at}]")
    tools = [_flat_tool(tool, f"tools[{at}]") for at, tool in enumerate(body.get("tools") or ())]
    wanted = mapping_at(body.get("text") or {}, "text").get("format") or {}
    return Heard(
        protocol="responses",
        model=text_at(body.get("model"), "model"),
        system="\n".join(
            [text for text in (body.get("instructions") or "", *spoken.system) if text]
        ),
        turns=spoken.end(),
        tools=tuple(tools),
        schema=_strict_schema(wanted, wanted, "text.format"),
        max_output_tokens=limit_at(body.get("max_output_tokens"), "max_output_tokens"),
        tool_choice=_tool_choice(body, tools, lambda choice: choice.get("name")),
        body=body,
    )


def decode_chat(body: Json, _model: str, _thinking: bool) -> Heard:
    """Read a request for a chat completion."""
    must_be_known(body, CHAT_FIELDS, UNKNOWN_PARAMETER)
    _check_plain(body)
    messages = [
        mapping_at(one, f"messages[{at}]")
        for at, one in enumerate(list_at(body.get("messages"), "messages"))
    ]
    if not messages:
        raise refuse("Invalid 'messages': empty array.", "empty_array")
    tools = [_nested_tool(tool, f"tools[{at}]") for at, tool in enumerate(body.get("tools") or ())]
    wanted = mapping_at(body.get("response_format") or {}, "response_format")
    limit = body.get("max_completion_tokens", body.get("max_tokens"))
    return Heard(
        protocol="chat",
        model=text_at(body.get("model"), "model"),
        system="\n".join(
            _chat_text(one, "messages")
            for one in messages
            if one.get("role") in ("system", "developer")
        ),
        turns=tuple(_chat_turns(messages)),
        tools=tuple(tools),
        schema=_strict_schema(wanted, wanted.get("json_schema"), "response_format"),
        max_output_tokens=limit_at(limit, "max_completion_tokens"),
        tool_choice=_tool_choice(
            body,
            tools,
            lambda choice: mapping_at(choice.get("function"), "tool_choice").get("name"),
        ),
        body=body,
    )


def encode_response(say: Say, heard: Heard, tokens: Tokens, serial: int) -> dict[str, Any]:
    """Write a response."""
    _check_window(say)
    usage = {
        "input_tokens": tokens.fresh + tokens.cached,
        "input_tokens_details": {"cached_tokens": tokens.cached, "cache_write_tokens": 0},
        "output_tokens": tokens.output,
        "output_tokens_details": {"reasoning_tokens": tokens.thinking},
        "total_tokens": tokens.fresh + tokens.cached + tokens.output,
    }
    return {
        "id": f"resp_{serial:08}",
        "object": "response",
        "created_at": WRITTEN_AT,
        "status": "completed",
        "error": None,
        "incomplete_details": None,
        "instructions": heard.body.get("instructions"),
        "model": say.model or heard.model,
        "output": _output(say, serial, reasons=bool(tokens.thinking)),
        "parallel_tool_calls": True,
        "tool_choice": heard.body.get("tool_choice") or "auto",
        "tools": heard.body.get("tools") or [],
        "usage": {**usage, **(say.usage or {})},
        **RESPONSES_STOPS.get(say.stop or "", {}),
    }


def encode_chat(say: Say, heard: Heard, tokens: Tokens, serial: int) -> dict[str, Any]:
    """Write a chat completion."""
    _check_window(say)
    usage = {
        "prompt_tokens": tokens.fresh + tokens.cached,
        "prompt_tokens_details": {"cached_tokens": tokens.cached},
        "completion_tokens": tokens.output,
        "completion_tokens_details": {"reasoning_tokens": tokens.thinking},
        "total_tokens": tokens.fresh + tokens.cached + tokens.output,
    }
    message: dict[str, Any] = {"role": "assistant", "content": say.text or None, "refusal": None}
    if say.stop == "refused":
        message |= {"content": None, "refusal": say.text or "I can't help with that."}
    if say.calls:
        message["tool_calls"] = [
            {
                "id": call.call_id,
                "type": "function",
                "function": {"name": call.name, "arguments": _arguments(call)},
            }
            for call in say.calls
        ]
    finish = CHAT_STOPS[say.stop] if say.stop else "tool_calls" if say.calls else "stop"
    return {
        "id": f"chatcmpl-{serial:08}",
        "object": "chat.completion",
        "created": WRITTEN_AT,
        "model": say.model or heard.model,
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": finish}],
        "usage": {**usage, **(say.usage or {})},
    }


def pieces_of_response(body: Json) -> tuple[Piece, ...]:
    """Cut a prompt into its settings and its items."""
    head = [body.get("tools"), body.get("instructions"), body.get("text")]
    return tuple(Piece(canonical(part)) for part in (head, *_input_items(body)))


def pieces_of_chat(body: Json) -> tuple[Piece, ...]:
    """Cut a prompt into its settings and its messages."""
    head = [body.get("tools"), body.get("response_format")]
    return tuple(Piece(canonical(part)) for part in (head, *body["messages"]))


def reasons_openly(heard: Heard, say: Say) -> bool:
    """Tell whether a response begins with a reasoning item."""
    return _asks_encrypted(heard.body) and bool(say.calls)


def reasons_never(_heard: Heard, _say: Say) -> bool:
    """Say that a chat completion shows no reasoning."""
    return False


@dataclass
class _Conversation:
    """The items of a Responses input, heard one after the other."""

    expects_reasoning: bool
    system: list[str] = field(default_factory=list)
    _turns: list[Turn] = field(default_factory=list)
    _text: str = ""
    _calls: list[Call] = field(default_factory=list)
    _reasoning: Json | None = None
    _open: dict[str, str] = field(default_factory=dict)

    def hear(self, item: Json, where: str) -> None:
        """Take the next item."""
        match item.get("type", "message"):
            case "reasoning":
                self._hear_reasoning(item)
            case "function_call":
                self._hear_call(item, where)
            case "function_call_output":
                self._hear_output(item, where)
            case "message":
                self._hear_message(item, where)
            case other:
                raise refuse(f"Invalid value: '{other}' at '{where}.type'.", "invalid_value")

    def end(self) -> tuple[Turn, ...]:
        """Return the turns, once every call has its output."""
        self._close_model_turn()
        if self._open:
            raise refuse(f"No tool output found for function call {', '.join(sorted(self._open))}.")
        if not self._turns:
            raise refuse("Invalid 'input': there must be one.", "missing_required_parameter")
        return tuple(self._turns)

    def _hear_reasoning(self, item: Json) -> None:
        self._close_model_turn()
        self._reasoning = item

    def _hear_call(self, item: Json, where: str) -> None:
        call_id, name, raw = (
            text_at(item.get(key), f"{where}.{key}") for key in ("call_id", "name", "arguments")
        )
        if call_id in self._open or any(
            call_id == call.call_id for turn in self._turns for call in turn.calls
        ):
            raise refuse(f"Duplicate function call {call_id} at '{where}'.")
        self._calls.append(_call(call_id, name, raw))
        self._open[call_id] = name

    def _hear_output(self, item: Json, where: str) -> None:
        self._close_model_turn()
        call_id = text_at(item.get("call_id"), f"{where}.call_id")
        if call_id not in self._open:
            raise refuse(f"No tool call found for function call output with call_id {call_id}.")
        told = _text(item.get("output"), ("input_text",), f"{where}.output")
        result = Result(call_id, self._open.pop(call_id), told, is_error=False)
        before = self._turns.pop().results if self._turns and self._turns[-1].who == "tools" else ()
        self._turns.append(Turn("tools", results=(*before, result)))

    def _hear_message(self, item: Json, where: str) -> None:
        role = item.get("role")
        told = _text(
            item.get("content"), TEXT_TYPES.get(str(role), ("input_text",)), f"{where}.content"
        )
        if role == "assistant":
            self._text += told
            return
        self._close_model_turn()
        if role in ("system", "developer"):
            self.system.append(told)
        elif role == "user":
            self._turns.append(Turn("user", told))
        else:
            raise refuse(f"Invalid value: '{role}' at '{where}.role'.", "invalid_value")

    def _close_model_turn(self) -> None:
        if self._reasoning is not None:
            self._check_reasoning(self._reasoning)
        elif self._calls and self.expects_reasoning:
            first = self._calls[0].call_id
            raise refuse(
                f"Item '{first}' of type 'function_call' was provided without its required "
                "'reasoning' item."
            )
        if self._text or self._calls:
            self._turns.append(Turn("model", self._text, tuple(self._calls)))
        self._text, self._calls, self._reasoning = "", [], None

    def _check_reasoning(self, item: Json) -> None:
        if not self._text and not self._calls:
            raise refuse(
                f"Item '{item.get('id')}' of type 'reasoning' was provided without its required "
                "following item."
            )
        if item.get("encrypted_content") != sign("responses", self._text, self._calls):
            raise refuse(
                f"The encrypted content of item '{item.get('id')}' could not be verified.",
                "invalid_encrypted_content",
            )


def _chat_turns(messages: Sequence[Json]) -> Iterator[Turn]:
    at = 0
    while at < len(messages):
        message, where = messages[at], f"messages[{at}]"
        at += 1
        match message.get("role"):
            case "system" | "developer":
                continue
            case "user":
                yield Turn("user", _chat_text(message, where))
            case "assistant":
                turn = _chat_model_turn(message, where)
                yield turn
                answers = messages[at : at + len(turn.calls)]
                at += len(answers)
                if turn.calls:
                    yield _chat_results(turn.calls, answers)
            case "tool":
                raise refuse(
                    "messages with role 'tool' must be a response to a preceding message with "
                    "'tool_calls'."
                )
            case other:
                raise refuse(f"Invalid value: '{other}' at '{where}.role'.", "invalid_value")


def _chat_model_turn(message: Json, where: str) -> Turn:
    calls = []
    for at, call in enumerate(message.get("tool_calls") or ()):
        function = mapping_at(
            mapping_at(call, where).get("function"), f"{where}.tool_calls[{at}].function"
        )
        name, raw = (
            text_at(function.get(key), f"{where}.tool_calls[{at}].{key}")
            for key in ("name", "arguments")
        )
        calls.append(_call(text_at(call.get("id"), f"{where}.tool_calls[{at}].id"), name, raw))
    if message.get("content") is None and not calls and not message.get("refusal"):
        raise refuse(
            f"Invalid value for 'content': expected a string, got null, at '{where}'.",
            "invalid_value",
        )
    return Turn(
        "model", "" if message.get("content") is None else _chat_text(message, where), tuple(calls)
    )


def _chat_results(calls: Sequence[Call], answers: Sequence[Json]) -> Turn:
    told = {one.get("tool_call_id"): one for one in answers if one.get("role") == "tool"}
    missing = [call.call_id for call in calls if call.call_id not in told]
    if missing:
        raise refuse(
            "An assistant message with 'tool_calls' must be followed by tool messages responding "
            "to each 'tool_call_id'. The following tool_call_ids did not have response messages: "
            f"{', '.join(missing)}"
        )
    names = {call.call_id: call.name for call in calls}
    results = (
        Result(str(key), names[str(key)], _chat_text(one, "tool"), is_error=False)
        for key, one in told.items()
    )
    return Turn("tools", results=tuple(results))


def _chat_text(message: Json, where: str) -> str:
    return _text(message.get("content"), ("text",), f"{where}.content")


def _text(content: object, kinds: Sequence[str], where: str) -> str:
    if isinstance(content, str):
        return content
    parts = [mapping_at(part, where) for part in list_at(content, where)]
    for part in parts:
        if str(part.get("type")) not in kinds:
            raise refuse(
                f"Invalid value: '{part.get('type')}' at '{where}'. Supported: {kinds}",
                "invalid_value",
            )
    return "".join(
        text_at(part.get(part["type"].removeprefix("input_").removeprefix("output_")), where)
        for part in parts
    )


def _call(call_id: str, name: str, raw: str) -> Call:
    try:
        arguments = msgspec.json.decode(raw)
    except msgspec.DecodeError:
        arguments = None
    return (
        Call(call_id, name, arguments)
        if isinstance(arguments, dict)
        else Call(call_id, name, {}, raw)
    )


def _arguments(call: Call) -> str:
    return canonical(call.arguments).decode() if call.raw is None else call.raw


def _output(say: Say, serial: int, *, reasons: bool) -> list[dict[str, Any]]:
    output: list[dict[str, Any]] = []
    if reasons:
        sealed = sign("responses", say.text, say.calls)
        output.append(
            {
                "id": f"rs_{serial:08}",
                "type": "reasoning",
                "summary": [],
                "encrypted_content": sealed,
            }
        )
    if say.text or say.stop == "refused":
        part = {"type": "output_text", "text": say.text, "annotations": [], "logprobs": []}
        if say.stop == "refused":
            part = {"type": "refusal", "refusal": say.text or "I can't help with that."}
        message = {
            "id": f"msg_{serial:08}",
            "type": "message",
            "role": "assistant",
            "status": "completed",
        }
        output.append({**message, "content": [part]})
    for at, call in enumerate(say.calls):
        item = {"id": f"fc_{serial:08}_{at}", "type": "function_call", "status": "completed"}
        output.append(
            {**item, "call_id": call.call_id, "name": call.name, "arguments": _arguments(call)}
        )
    return output


def _check_window(say: Say) -> None:
    if say.stop == "overflow":
        raise refuse(
            "Your input exceeds the context window of this model.", "context_length_exceeded"
        )


def _check_plain(body: Json) -> None:
    if body.get("stream"):
        raise refuse("This server does not stream chats.", "unsupported_value")


def _asks_encrypted(body: Json) -> bool:
    return ENCRYPTED in (body.get("include") or ())


def _input_items(body: Json) -> list[Any]:
    told = body.get("input")
    return [{"role": "user", "content": told}] if isinstance(told, str) else list_at(told, "input")


def _flat_tool(tool: object, where: str) -> str:
    shape = mapping_at(tool, where)
    if shape.get("type") != "function":
        raise refuse(f"Invalid value: '{shape.get('type')}' at '{where}.type'.", "invalid_value")
    for key in ("name", "parameters", "strict"):
        if key not in shape:
            raise refuse(
                f"Missing required parameter: '{where}.{key}'.", "missing_required_parameter"
            )
    return _checked_tool(shape, where)


def _nested_tool(tool: object, where: str) -> str:
    shape = mapping_at(mapping_at(tool, where).get("function"), f"{where}.function")
    if "name" not in shape:
        raise refuse(
            f"Missing required parameter: '{where}.function.name'.", "missing_required_parameter"
        )
    return _checked_tool(shape, f"{where}.function")


def _checked_tool(shape: Json, where: str) -> str:
    name = text_at(shape["name"], f"{where}.name")
    if shape.get("strict"):
        must_be_strict(
            mapping_at(shape.get("parameters"), f"{where}.parameters"), f"function '{name}'"
        )
    return name


def _strict_schema(wanted: Json, held: Any, where: str) -> Json | None:
    if wanted.get("type") != "json_schema":
        return None
    shape = mapping_at(held, where)
    name = text_at(shape.get("name"), f"{where}.name")
    schema = mapping_at(shape.get("schema"), f"{where}.schema")
    if shape.get("strict"):
        must_be_strict(schema, f"response_format '{name}'")
    return schema


def _tool_choice(body: Json, tools: Sequence[str], name_in: Any) -> str:
    choice = body.get("tool_choice")
    if choice is None:
        return "auto"
    if not tools:
        raise refuse("'tool_choice' is only allowed when 'tools' are specified.")
    name = (
        choice
        if isinstance(choice, str)
        else text_at(name_in(mapping_at(choice, "tool_choice")), "tool_choice.name")
    )
    if name not in (("auto", "none", "required") if isinstance(choice, str) else tools):
        raise refuse(f"Tool choice '{name}' not found in 'tools' parameter.", "invalid_value")
    return str(name)


RESPONSES = Wire(
    protocol="responses",
    key_of=key_of,
    decode=decode_responses,
    encode=encode_response,
    error_body=error_body,
    pieces=pieces_of_response,
    thinks=reasons_openly,
    wrong_shape={
        "id": 7,
        "object": "response",
        "status": ["completed"],
        "output": "not a list",
        "usage": "many",
    },
)
CHAT = Wire(
    protocol="chat",
    key_of=key_of,
    decode=decode_chat,
    encode=encode_chat,
    error_body=error_body,
    pieces=pieces_of_chat,
    thinks=reasons_never,
    wrong_shape={
        "id": 7,
        "choices": [{"message": "not a message", "finish_reason": 7}],
        "usage": "many",
    },
)
