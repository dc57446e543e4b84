"""The generateContent protocol, as strict as its provider."""

import base64
from collections.abc import Mapping, Sequence
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
    canonical,
    limit_at,
    list_at,
    mapping_at,
    must_be_known,
    refuse,
    sign,
    text_at,
)

KNOWN_FIELDS = frozenset(
    "cachedContent contents generationConfig labels model safetySettings serviceTier store "
    "systemInstruction toolConfig tools".split()
)
STOPS = {
    "length": "MAX_TOKENS",
    "refused": "SAFETY",
    "paused": "CONTINUATION",
    "unknown": "A_REASON_OF_TOMORROW",
}
CHOICES = {"AUTO": "auto", "VALIDATED": "auto", "NONE": "none", "ANY": "required"}
STATUSES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    409: "ABORTED",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}


def key_of(headers: Mapping[str, str]) -> str:
    """Return the key of a request, and refuse one without."""
    key = headers.get("x-goog-api-key", "")
    if not key:
        raise RequestError(
            STATUS_OF_A_MISSING_KEY, "", "Request is missing required authentication credential."
        )
    return key


def error_body(status: int, code: str, message: str) -> dict[str, Any]:
    """Write an error."""
    name = code if code.isupper() else STATUSES.get(status, "UNKNOWN")
    return {"error": {"code": status, "message": message, "status": name, "details": []}}


def decode(body: Json, model: str, thinking: bool) -> Heard:
    """Read a request."""
    must_be_known(
        body, KNOWN_FIELDS, 'Invalid JSON payload received. Unknown name "{}": Cannot find field.'
    )
    config = mapping_at(body.get("generationConfig") or {}, "generationConfig")
    tools = _tools(body)
    return Heard(
        protocol="google",
        model=model,
        system=_system(body),
        turns=_turns(body, signed=thinking),
        tools=tools,
        schema=_schema(config, tools),
        max_output_tokens=limit_at(
            config.get("maxOutputTokens"), "generationConfig.maxOutputTokens"
        ),
        tool_choice=_tool_choice(body, tools),
        body=body,
    )


def encode(say: Say, heard: Heard, tokens: Tokens, serial: int) -> dict[str, Any]:
    """Write a reply."""
    if say.stop == "overflow":
        raise refuse("The input token count exceeds the maximum number of tokens allowed.")
    usage: dict[str, Any] = {
        "promptTokenCount": tokens.fresh + tokens.cached,
        "candidatesTokenCount": tokens.output - tokens.thinking,
        "totalTokenCount": tokens.fresh + tokens.cached + tokens.output,
    }
    usage |= {"cachedContentTokenCount": tokens.cached} if tokens.cached else {}
    usage |= {"thoughtsTokenCount": tokens.thinking} if tokens.thinking else {}
    reply = {
        "usageMetadata": {**usage, **(say.usage or {})},
        "modelVersion": say.model or heard.model,
        "responseId": f"resp-{serial:08}",
    }
    if say.stop == "filtered":
        return {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, **reply}
    return {"candidates": [_candidate(say, signed=bool(tokens.thinking))], **reply}


def pieces(body: Json) -> tuple[Piece, ...]:
    """Cut a prompt into its head and its contents."""
    head = [body.get("systemInstruction"), body.get("tools")]
    return tuple(Piece(canonical(part)) for part in (head, *body["contents"]))


def thinks(_heard: Heard, say: Say) -> bool:
    """Tell whether a reply carries a thought's signature."""
    return bool(say.calls)


def _candidate(say: Say, *, signed: bool) -> dict[str, Any]:
    if any(call.raw is not None for call in say.calls):
        return {
            "index": 0,
            "finishReason": "MALFORMED_FUNCTION_CALL",
            "finishMessage": "Malformed function call",
        }
    parts: list[dict[str, Any]] = [{"text": say.text}] if say.text else []
    for at, call in enumerate(say.calls):
        part: dict[str, Any] = {
            "functionCall": {"id": call.call_id, "name": call.name, "args": call.arguments}
        }
        if signed and at == 0:
            part["thoughtSignature"] = base64.b64encode(_signature(say.text, say.calls)).decode()
        parts.append(part)
    stop = STOPS[say.stop] if say.stop else "STOP"
    content = {} if stop == "SAFETY" else {"content": {"role": "model", "parts": parts}}
    return {**content, "index": 0, "finishReason": stop}


def _turns(body: Json, *, signed: bool) -> tuple[Turn, ...]:
    contents = [
        mapping_at(one, f"contents[{at}]")
        for at, one in enumerate(list_at(body.get("contents"), "contents"))
    ]
    if not contents:
        raise refuse("* GenerateContentRequest.contents: contents is not specified")
    turns: list[Turn] = []
    for at, content in enumerate(contents):
        wanted = "model" if at % 2 else "user"
        if content.get("role", "user") != wanted:
            raise refuse(
                "Please ensure that the turns alternate between user and model: "
                f"contents[{at}] is not {wanted}."
            )
        parts = [
            mapping_at(part, f"contents[{at}].parts")
            for part in list_at(content.get("parts"), f"contents[{at}]")
        ]
        if not parts:
            raise refuse(
                f"* GenerateContentRequest.contents[{at}].parts: contents.parts must not be empty."
            )
        calls = turns[-1].calls if turns else ()
        turns.append(
            _model_turn(parts, at, signed=signed) if wanted == "model" else _user_turn(parts, calls)
        )
    if turns[-1].calls:
        raise refuse("Please ensure that single turn requests end with a user role.")
    return tuple(turns)


def _model_turn(parts: Sequence[Json], at: int, *, signed: bool) -> Turn:
    spoken = [part for part in parts if "functionCall" in part]
    calls = tuple(
        _call(part, f"contents[{at}].parts", number) for number, part in enumerate(spoken)
    )
    text = _text_of([part for part in parts if "functionCall" not in part])
    if calls and signed and "thoughtSignature" not in spoken[0]:
        raise refuse(
            f"Function call `{calls[0].name}` in the {at}. content block is missing a "
            "`thought_signature`."
        )
    for part in spoken:
        if "thoughtSignature" in part and (
            part is not spoken[0] or _bytes_in(part) != _signature(text, calls)
        ):
            raise refuse("Corrupted thought signature.")
    return Turn("model", text, calls)


def _call(part: Json, where: str, number: int) -> Call:
    call = mapping_at(part["functionCall"], where)
    name = text_at(call.get("name"), f"{where}.functionCall.name")
    return Call(
        str(call.get("id") or f"unnamed-{number}"), name, mapping_at(call.get("args") or {}, where)
    )


def _user_turn(parts: Sequence[Json], calls: Sequence[Call]) -> Turn:
    answers = [
        mapping_at(part["functionResponse"], "functionResponse")
        for part in parts
        if "functionResponse" in part
    ]
    if answers and not calls:
        raise refuse(
            "Please ensure that function response turn comes immediately after a function call "
            "turn."
        )
    if sorted(str(one.get("name")) for one in answers) != sorted(call.name for call in calls):
        raise refuse(
            "Please ensure that the number of function response parts is equal to the number of "
            "function call parts of the function call turn, and that their names are the same."
        )
    text = _text_of([part for part in parts if "functionResponse" not in part])
    return Turn("tools", text, results=_results(answers, calls)) if answers else Turn("user", text)


def _results(answers: Sequence[Json], calls: Sequence[Call]) -> tuple[Result, ...]:
    waiting = list(calls)
    results = []
    for answer in answers:
        fitting = [
            call
            for call in waiting
            if call.name == answer["name"] and answer.get("id") in (None, call.call_id)
        ]
        if not fitting:
            raise refuse(f"Function response {answer.get('id')} does not match any function call.")
        waiting.remove(fitting[0])
        told = mapping_at(answer.get("response"), "functionResponse.response")
        results.append(Result(fitting[0].call_id, fitting[0].name, _told(told), "error" in told))
    return tuple(results)


def _told(response: Json) -> str:
    value = response.get("output", response.get("error", response.get("result", response)))
    return value if isinstance(value, str) else canonical(value).decode()


def _text_of(parts: Sequence[Json]) -> str:
    for part in parts:
        if not isinstance(part.get("text"), str):
            raise refuse(
                "* GenerateContentRequest.contents.parts.data: required oneof field 'data' must "
                "have one value"
            )
    return "".join(part["text"] for part in parts if not part.get("thought"))


def _signature(text: str, calls: Sequence[Call]) -> bytes:
    return bytes.fromhex(sign("google", text, calls))


def _bytes_in(part: Json) -> bytes:
    signature = text_at(part["thoughtSignature"], "thoughtSignature").rstrip("=")
    try:
        return base64.urlsafe_b64decode(
            signature.replace("+", "-").replace("/", "_") + "=" * (-len(signature) % 4)
        )
    except ValueError as error:
        raise refuse("Invalid value at 'contents.parts.thought_signature' (TYPE_BYTES)") from error


def _system(body: Json) -> str:
    instruction = mapping_at(body.get("systemInstruction") or {"parts": []}, "systemInstruction")
    return _text_of(list_at(instruction.get("parts"), "systemInstruction.parts"))


def _tools(body: Json) -> tuple[str, ...]:
    groups = [mapping_at(group, "tools") for group in list_at(body.get("tools") or [], "tools")]
    declared = [
        one for group in groups for one in list_at(group.get("functionDeclarations") or [], "tools")
    ]
    for one in declared:
        if "parameters" in one and "parametersJsonSchema" in one:
            raise refuse("Only one of `parameters` and `parameters_json_schema` may be set.")
    return tuple(
        text_at(mapping_at(one, "tools").get("name"), "functionDeclarations.name")
        for one in declared
    )


def _schema(config: Json, tools: Sequence[str]) -> Json | None:
    schemas = [
        config[key]
        for key in ("responseJsonSchema", "responseSchema")
        if config.get(key) is not None
    ]
    mime = config.get("responseMimeType")
    if tools and (schemas or mime == "application/json"):
        raise refuse(
            "Function calling with a response mime type: 'application/json' is unsupported"
        )
    if schemas and mime != "application/json":
        raise refuse(
            "Response schema is only supported with response mime type: 'application/json'"
        )
    if len(schemas) > 1:
        raise refuse("Only one of `response_schema` and `response_json_schema` may be set.")
    return mapping_at(schemas[0], "generationConfig.responseSchema") if schemas else None


def _tool_choice(body: Json, tools: Sequence[str]) -> str:
    config = (
        mapping_at(body.get("toolConfig") or {}, "toolConfig").get("functionCallingConfig") or {}
    )
    mode, allowed = config.get("mode") or "AUTO", config.get("allowedFunctionNames") or []
    if mode not in CHOICES:
        raise refuse(f"Invalid value at 'tool_config.function_calling_config.mode': {mode}")
    if allowed and (mode not in ("ANY", "VALIDATED") or set(allowed) - set(tools)):
        raise refuse("`allowed_function_names` needs mode ANY and declared functions.")
    if mode == "ANY" and not tools:
        raise refuse("Function calling mode is ANY, but no function declarations are provided.")
    return str(allowed[0]) if len(allowed) == 1 else CHOICES[mode]


GENERATE_CONTENT = Wire(
    protocol="google",
    key_of=key_of,
    decode=decode,
    encode=encode,
    error_body=error_body,
    pieces=pieces,
    thinks=thinks,
    wrong_shape={
        "candidates": [{"content": "not a content", "finishReason": 7}],
        "usageMetadata": "many",
    },
)
