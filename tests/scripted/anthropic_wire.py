"""The Messages protocol, as strict as its provider."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

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
    describes_object,
    limit_at,
    list_at,
    mapping_at,
    must_be_known,
    refuse,
    sign,
    subschemas,
    text_at,
)

MOST_CACHE_MARKS = 4
THOUGHT = "Looking where this is decided."
KNOWN_FIELDS = frozenset(
    "cache_control container context_management inference_geo max_tokens mcp_servers messages "
    "metadata model output_config service_tier speed stop_sequences stream system thinking "
    "tool_choice tools".split()
)
SAMPLING_FIELDS = ("temperature", "top_p", "top_k")
BARRED_KEYWORDS = frozenset(
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern "
    "maxItems".split()
)
STOPS = {
    "length": "max_tokens",
    "refused": "refusal",
    "filtered": "refusal",
    "paused": "pause_turn",
    "overflow": "model_context_window_exceeded",
    "unknown": "a_reason_of_tomorrow",
}
ERROR_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}
IDENTIFIER = re.compile(r"[A-Za-z0-9_-]{1,128}")


def key_of(headers: Mapping[str, str]) -> str:
    """Return the key of a request, and refuse one without key or version."""
    key = bearer(headers) or headers.get("x-api-key", "")
    if not key:
        raise RequestError(STATUS_OF_A_MISSING_KEY, "", "x-api-key header is required")
    if not headers.get("anthropic-version"):
        raise refuse("anthropic-version: header is required")
    return key


def decode(body: Json, _model: str, thinking: bool) -> Heard:
    """Read a request."""
    for name in SAMPLING_FIELDS:
        if name in body:
            raise refuse(f"`{name}` is not supported by this model.")
    must_be_known(body, KNOWN_FIELDS, "{}: Extra inputs are not permitted")
    limit = limit_at(body.get("max_tokens"), "max_tokens")
    if limit is None:
        raise refuse("max_tokens: Field required")
    _check_marks(body)
    return Heard(
        protocol="anthropic",
        model=text_at(body.get("model"), "model"),
        system=_text_of(body.get("system", ""), "system"),
        turns=_turns(body, expects_thinking=thinking and _may_think(body)),
        tools=_tools(body),
        schema=_schema(body),
        max_output_tokens=limit,
        tool_choice=_tool_choice(body),
        body=body,
    )


def encode(say: Say, heard: Heard, tokens: Tokens, serial: int) -> dict[str, Any]:
    """Write a reply."""
    content: list[dict[str, Any]] = []
    if tokens.thinking:
        signature = sign("anthropic", THOUGHT + say.text, say.calls)
        content.append({"type": "thinking", "thinking": THOUGHT, "signature": signature})
    if say.text:
        content.append({"type": "text", "text": say.text, "citations": None})
    content.extend(_tool_use(call) for call in say.calls)
    stop = STOPS[say.stop] if say.stop else "tool_use" if say.calls else "end_turn"
    refusal = (
        {"type": "refusal", "category": None, "explanation": None} if stop == "refusal" else None
    )
    return {
        "id": f"msg_{serial:08}",
        "type": "message",
        "role": "assistant",
        "model": say.model or heard.model,
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        "stop_details": refusal,
        "usage": {**_usage(tokens), **(say.usage or {})},
    }


def error_body(status: int, code: str, message: str) -> dict[str, Any]:
    """Write an error."""
    kind = code if code.endswith("_error") else ERROR_TYPES.get(status, "api_error")
    return {
        "type": "error",
        "error": {"type": kind, "message": message},
        "request_id": "req_scripted",
    }


def pieces(body: Json) -> tuple[Piece, ...]:
    """Cut a prompt into tools, system blocks and message blocks; a change of settings spoils the
    messages only.
    """
    settings = [
        body.get("tool_choice"),
        body.get("thinking"),
        (body.get("output_config") or {}).get("format"),
    ]
    cut = [_piece("tool", block) for block in body.get("tools") or ()]
    cut += [_piece("system", block) for block in _blocks(body.get("system") or [])]
    for message in body["messages"]:
        cut += [_piece([settings, message["role"]], block) for block in _blocks(message["content"])]
    if body.get("cache_control"):
        cut[-1] = Piece(cut[-1].data)
    return tuple(cut)


def thinks(heard: Heard, say: Say) -> bool:
    """Tell whether a reply begins with a thought."""
    return _may_think(heard.body) and bool(say.calls or say.stop == "paused")


def _may_think(body: Json) -> bool:
    return (body.get("thinking") or {}).get("type") != "disabled"


def _turns(body: Json, *, expects_thinking: bool) -> tuple[Turn, ...]:
    messages = [
        mapping_at(one, f"messages.{at}")
        for at, one in enumerate(list_at(body.get("messages"), "messages"))
    ]
    if not messages or messages[0].get("role") != "user":
        raise refuse("messages: first message must use the user role, and there must be one")
    turns: list[Turn] = []
    open_calls: tuple[Call, ...] = ()
    for at, message in enumerate(messages):
        turn = _turn(message, f"messages.{at}", open_calls, expects_thinking=expects_thinking)
        _check_new_calls(turn, turns, at)
        turns.append(turn)
        open_calls = turn.calls
    _check_end(messages, turns, expects_thinking=expects_thinking)
    if any(turn.calls for turn in turns) and not body.get("tools"):
        raise refuse(
            "Requests which have `tool_use` or `tool_result` blocks in messages must define tools."
        )
    return tuple(turns)


def _turn(message: Json, where: str, open_calls: Sequence[Call], *, expects_thinking: bool) -> Turn:
    content = message.get("content")
    blocks = _blocks(content if isinstance(content, str) else list_at(content, f"{where}.content"))
    blocks = [mapping_at(block, f"{where}.content.{at}") for at, block in enumerate(blocks)]
    if not blocks:
        raise refuse(f"{where}: all messages must have non-empty content")
    match message.get("role"):
        case "user":
            return _user_turn(blocks, where, open_calls)
        case "assistant":
            if open_calls:
                raise refuse(_unanswered(where, {call.call_id for call in open_calls}))
            return _model_turn(blocks, where, expects_thinking=expects_thinking)
    raise refuse(f"{where}.role: Input should be 'user' or 'assistant'")


def _user_turn(blocks: Sequence[Json], where: str, open_calls: Sequence[Call]) -> Turn:
    names = {call.call_id: call.name for call in open_calls}
    results = [block for block in blocks if block.get("type") == "tool_result"]
    answered = [
        text_at(block.get("tool_use_id"), f"{where}.content.tool_use_id") for block in results
    ]
    foreign = sorted(set(answered) - set(names))
    if foreign:
        raise refuse(
            f"{where}: unexpected `tool_use_id` found in `tool_result` blocks: {', '.join(foreign)}"
        )
    if len(set(answered)) < len(answered):
        raise refuse(
            f"{where}: each tool_use must have a single result. Found multiple `tool_result` blocks"
        )
    first = [block.get("type") == "tool_result" for block in blocks[: len(names)]]
    if set(names) - set(answered) or not all(first):
        raise refuse(_unanswered(where, set(names) - set(answered)))
    told = "".join(
        _text_block(block, where) for block in blocks if block.get("type") != "tool_result"
    )
    if not results:
        return Turn("user", told)
    return Turn("tools", told, results=tuple(_result(block, names, where) for block in results))


def _result(block: Json, names: Mapping[str, str], where: str) -> Result:
    call_id = block["tool_use_id"]
    text = _text_of(block.get("content") or "", f"{where}.tool_result.content")
    return Result(call_id, names[call_id], text, block.get("is_error") is True)


def _model_turn(blocks: Sequence[Json], where: str, *, expects_thinking: bool) -> Turn:
    calls = tuple(_call(block, where) for block in blocks if block.get("type") == "tool_use")
    texts = [block for block in blocks if block.get("type") not in ("tool_use", "thinking")]
    text = "".join(_text_block(block, where) for block in texts)
    thoughts = [block for block in blocks if block.get("type") == "thinking"]
    if calls and expects_thinking and blocks[0].get("type") != "thinking":
        raise refuse(
            f"{where}.content.0.type: Expected `thinking`, but found `{blocks[0].get('type')}`. "
            "A final `assistant` message must start with a thinking block "
            "(preceding the `tool_use` blocks)."
        )
    for thought in thoughts:
        if thought.get("signature") != sign("anthropic", f"{thought.get('thinking')}{text}", calls):
            raise refuse(f"{where}.content: Invalid `signature` in `thinking` block")
    return Turn("model", text, calls)


def _call(block: Json, where: str) -> Call:
    call_id, name = (text_at(block.get(key), f"{where}.tool_use.{key}") for key in ("id", "name"))
    for value in (call_id, name):
        if not IDENTIFIER.fullmatch(value):
            raise refuse(f"{where}.tool_use: String should match pattern '^[a-zA-Z0-9_-]+$'")
    return Call(call_id, name, mapping_at(block.get("input"), f"{where}.tool_use.input"))


def _check_new_calls(turn: Turn, before: Sequence[Turn], at: int) -> None:
    taken = [call.call_id for one in (*before, turn) for call in one.calls]
    if len(set(taken)) < len(taken):
        raise refuse(f"messages.{at}: `tool_use` ids must be unique")


def _check_end(messages: Sequence[Json], turns: Sequence[Turn], *, expects_thinking: bool) -> None:
    if turns[-1].calls:
        raise refuse(
            _unanswered(f"messages.{len(turns) - 1}", {call.call_id for call in turns[-1].calls})
        )
    paused = expects_thinking and _blocks(messages[-1]["content"])[0].get("type") == "thinking"
    if turns[-1].who == "model" and not paused:
        raise refuse(
            "This model does not support assistant message prefill. "
            "The conversation must end with a user message."
        )


def _unanswered(where: str, ids: set[str]) -> str:
    return (
        f"{where}: `tool_use` ids were found without `tool_result` blocks immediately after: "
        f"{', '.join(sorted(ids))}. Each `tool_use` block must have a corresponding `tool_result` "
        "block in the next message, and the results come first."
    )


def _blocks(content: str | list[Any]) -> list[Any]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _text_of(content: object, where: str) -> str:
    if isinstance(content, str):
        return content
    return "".join(
        _text_block(mapping_at(block, where), where) for block in list_at(content, where)
    )


def _text_block(block: Json, where: str) -> str:
    if block.get("type") != "text":
        raise refuse(
            f"{where}: Input tag '{block.get('type')}' does not match any of the expected tags"
        )
    text = text_at(block.get("text"), f"{where}.text")
    if not text.strip():
        raise refuse(f"{where}: text content blocks must contain non-whitespace text")
    return text


def _tools(body: Json) -> tuple[str, ...]:
    tools = [mapping_at(tool, f"tools.{at}") for at, tool in enumerate(body.get("tools") or ())]
    for at, tool in enumerate(tools):
        if not IDENTIFIER.fullmatch(text_at(tool.get("name"), f"tools.{at}.name")):
            raise refuse(f"tools.{at}.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'")
        schema = mapping_at(tool.get("input_schema"), f"tools.{at}.input_schema")
        if schema.get("type") != "object":
            raise refuse(f"tools.{at}.input_schema.type: Input should be 'object'")
        if tool.get("strict"):
            _check_closed(schema, f"tools.{at}.input_schema")
    names = tuple(tool["name"] for tool in tools)
    if len(set(names)) < len(names):
        raise refuse("tools: Tool names must be unique.")
    return names


def _schema(body: Json) -> Json | None:
    config = mapping_at(body.get("output_config") or {}, "output_config")
    if config.get("format") is None:
        return None
    wanted = mapping_at(config["format"], "output_config.format")
    if wanted.get("type") != "json_schema":
        raise refuse("output_config.format.type: Input should be 'json_schema'")
    schema = mapping_at(wanted.get("schema"), "output_config.format.schema")
    _check_closed(schema, "output_config.format.schema")
    return schema


def _check_closed(schema: Json, where: str) -> None:
    for place, part in subschemas(schema):
        if describes_object(part) and part.get("additionalProperties") is not False:
            raise refuse(
                f"{where}: {place}: For 'object' type, 'additionalProperties' must be explicitly "
                "set to false"
            )
        barred = sorted(BARRED_KEYWORDS & set(part))
        if barred:
            raise refuse(f"{where}: {place}: properties {', '.join(barred)} are not supported")
        if part.get("minItems", 0) > 1:
            raise refuse(
                f"{where}: {place}: For 'array' type, 'minItems' values other than 0 or 1 are not "
                "supported"
            )


def _tool_choice(body: Json) -> str:
    choice = body.get("tool_choice")
    if choice is None:
        return "auto"
    kind = mapping_at(choice, "tool_choice").get("type")
    if not body.get("tools"):
        raise refuse("tool_choice: may only be specified while providing `tools`.")
    if kind in ("any", "tool") and (body.get("thinking") or {}).get("type") in (
        "enabled",
        "adaptive",
    ):
        raise refuse("Thinking may not be enabled when tool_choice forces tool use.")
    if kind == "tool":
        return text_at(choice.get("name"), "tool_choice.name")
    if kind not in ("auto", "any", "none"):
        raise refuse(f"tool_choice: Input tag '{kind}' does not match any of the expected tags")
    return "required" if kind == "any" else str(kind)


def _check_marks(body: Json) -> None:
    marks = list(_marks(body))
    if len(marks) > MOST_CACHE_MARKS:
        raise refuse(
            f"A maximum of 4 blocks with cache_control may be provided. Found {len(marks)}."
        )
    lives = [mapping_at(mark, "cache_control").get("ttl", "5m") for mark in marks]
    if any(mark.get("type") != "ephemeral" for mark in marks) or set(lives) - {"5m", "1h"}:
        raise refuse("cache_control: type should be 'ephemeral', and ttl '5m' or '1h'")
    if lives != sorted(lives):
        raise refuse("cache_control.ttl: a ttl='1h' block must not come after a ttl='5m' block.")


def _marks(body: Json) -> Iterator[Any]:
    for message in (
        {"content": body.get("tools")},
        {"content": body.get("system")},
        *body.get("messages", ()),
    ):
        content = message.get("content") if isinstance(message, dict) else None
        for block in content if isinstance(content, list) else ():
            if isinstance(block, dict) and block.get("cache_control"):
                if block.get("type") == "thinking":
                    raise refuse("thinking.cache_control: Extra inputs are not permitted")
                yield block["cache_control"]
    if body.get("cache_control"):
        yield body["cache_control"]


def _piece(place: object, block: Any) -> Piece:
    bare = {key: value for key, value in block.items() if key != "cache_control"}
    return Piece(canonical([place, bare]), marked=bool(block.get("cache_control")))


def _tool_use(call: Call) -> dict[str, Any]:
    return {
        "type": "tool_use",
        "id": call.call_id,
        "name": call.name,
        "input": call.arguments if call.raw is None else call.raw,
        "caller": {"type": "direct"},
    }


def _usage(tokens: Tokens) -> dict[str, Any]:
    return {
        "input_tokens": tokens.fresh,
        "cache_read_input_tokens": tokens.cached,
        "cache_creation_input_tokens": tokens.written,
        "cache_creation": {
            "ephemeral_5m_input_tokens": tokens.written,
            "ephemeral_1h_input_tokens": 0,
        },
        "output_tokens": tokens.output,
        "output_tokens_details": {"thinking_tokens": tokens.thinking},
        "service_tier": "standard",
    }


MESSAGES = Wire(
    protocol="anthropic",
    key_of=key_of,
    decode=decode,
    encode=encode,
    error_body=error_body,
    pieces=pieces,
    thinks=thinks,
    wrong_shape={
        "id": 7,
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": "not a list",
        "stop_reason": ["end_turn"],
        "usage": {"input_tokens": "many", "output_tokens": None},
    },
    reports_writes=True,
)
