"""Streamed answers: the events into which each protocol cuts a reply, and how they go over the
wire.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import msgspec

from scripted.wire import BYTES_PER_TOKEN, Json, Tokens, canonical

EVENT_STREAM = "text/event-stream; charset=utf-8"
LAST_CHUNK = b"0\r\n\r\n"
# The real ones send a few tokens at a time, Google whole sentences.
ANTHROPIC_PIECE, RESPONSES_PIECE, GOOGLE_PIECE = 24, 16, 96
CODES_OF_RESPONSES = {
    429: "rate_limit_exceeded",
    500: "server_error",
    503: "server_is_overloaded",
    529: "server_is_overloaded",
}
EMPTY: Mapping[str, Json] = {"message": {"content": []}, "function_call": {"arguments": ""}}
TERMINAL = {"incomplete": "response.incomplete", "failed": "response.failed"}


@dataclass(frozen=True)
class Event:
    """One event; ``output`` are the tokens that the model has said once it is sent."""

    data: Json
    output: int = 0

    def frame(self) -> bytes:
        """Write the event as it goes over the wire."""
        data = msgspec.json.encode(self.data, enc_hook=dict)
        kind = self.data.get("type")
        # Google's events have no names, and the line ends of HTTP.
        return f"event: {kind}\ndata: ".encode() + data + b"\n\n" if kind else google_frame(data)


def google_frame(data: bytes) -> bytes:
    """Write an event without a name."""
    return b"data: " + data + b"\r\n\r\n"


@dataclass(frozen=True)
class EventWriter:
    """How a protocol streams: the events of a reply, an error in their midst, a reply of a shape
    that nobody expects, and an event that is no JSON.
    """

    events: Callable[[Json, Tokens], Iterator[Event]]
    error: Callable[[int, str, Json], Json]
    misshapen: Callable[[Json], Sequence[Json]]
    broken: bytes = b'event: content_block_delta\ndata: {"type": content}\n\n'


def chunk(data: bytes) -> bytes:
    """Write a chunk of a body whose length nobody knows yet."""
    return b"%x\r\n%b\r\n" % (len(data), data)


class Speaker:
    """Counts what was said so far, from a least number on; the whole is never passed."""

    def __init__(self, tokens: Tokens, least: int = 0) -> None:
        self._tokens = tokens
        self._least = least
        self._bytes = 0
        self._thought = 0

    def think(self) -> None:
        """Count the thought."""
        self._thought = self._tokens.thinking

    def say(self, text: str) -> None:
        """Count text."""
        self._bytes += len(text.encode())

    @property
    def output(self) -> int:
        """The tokens so far."""
        said = self._thought + -(-self._bytes // BYTES_PER_TOKEN)
        return min(self._tokens.output, max(self._least, said))


def pieces_of(text: str, size: int) -> list[str]:
    """Cut a text."""
    return [text[at : at + size] for at in range(0, len(text), size)]


def anthropic_events(reply: Json, tokens: Tokens) -> Iterator[Event]:
    """Cut a message."""
    # The first count comes with the first token.
    speaker = Speaker(tokens, least=1)
    begun: dict[str, Any] = {
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "stop_details": None,
    }
    usage = {**reply["usage"], "output_tokens": speaker.output}
    message = {**reply, **begun, "usage": usage}
    yield Event({"type": "message_start", "message": message}, speaker.output)
    yield Event({"type": "ping"}, speaker.output)
    for index, block in enumerate(reply["content"]):
        yield from _anthropic_block(index, block, speaker)
    ended = {name: reply[name] for name in ("stop_reason", "stop_sequence", "stop_details")}
    yield Event({"type": "message_delta", "delta": ended, "usage": reply["usage"]}, tokens.output)
    yield Event({"type": "message_stop"}, tokens.output)


def _anthropic_block(index: int, block: Json, speaker: Speaker) -> Iterator[Event]:
    empty, deltas = _anthropic_deltas(block)
    yield Event(
        {"type": "content_block_start", "index": index, "content_block": {**block, **empty}},
        speaker.output,
    )
    for delta in deltas:
        if delta["type"] == "thinking_delta":
            speaker.think()
        elif delta["type"] != "signature_delta":
            speaker.say(delta.get("text") or delta.get("partial_json") or "")
        yield Event({"type": "content_block_delta", "index": index, "delta": delta}, speaker.output)
    yield Event({"type": "content_block_stop", "index": index}, speaker.output)


def _anthropic_deltas(block: Json) -> tuple[Json, list[dict[str, str]]]:
    """Give the fields of a block that begin empty, and what fills them."""
    if block["type"] == "thinking":
        pieces = pieces_of(block["thinking"], ANTHROPIC_PIECE)
        deltas = [{"type": "thinking_delta", "thinking": piece} for piece in pieces]
        deltas.append({"type": "signature_delta", "signature": block["signature"]})
        return {"thinking": "", "signature": ""}, deltas
    if block["type"] == "tool_use":
        given = block["input"]
        text = given if isinstance(given, str) else canonical(given).decode()
        pieces = ["", *pieces_of(text, ANTHROPIC_PIECE)]
        return {"input": {}}, [{"type": "input_json_delta", "partial_json": one} for one in pieces]
    pieces = pieces_of(block["text"], ANTHROPIC_PIECE)
    return {"text": ""}, [{"type": "text_delta", "text": piece} for piece in pieces]


def responses_events(reply: Json, tokens: Tokens) -> Iterator[Event]:
    """Cut a response."""
    for number, event in enumerate(_response_events(reply, tokens)):
        yield Event({**event.data, "sequence_number": number}, event.output)


def _response_events(reply: Json, tokens: Tokens) -> Iterator[Event]:
    speaker = Speaker(tokens)
    begun = {**reply, "status": "in_progress", "output": [], "usage": None, "error": None}
    begun |= {"incomplete_details": None}
    yield Event({"type": "response.created", "response": begun})
    yield Event({"type": "response.in_progress", "response": begun})
    for index, item in enumerate(reply["output"]):
        yield from _response_item(index, item, speaker)
    kind = TERMINAL.get(reply["status"], "response.completed")
    yield Event({"type": kind, "response": reply}, tokens.output)


def _response_item(index: int, item: Json, speaker: Speaker) -> Iterator[Event]:
    at = {"item_id": item["id"], "output_index": index}
    running = {"status": "in_progress"} if "status" in item else {}
    added = {"output_index": index, "item": {**item, **EMPTY.get(item["type"], {}), **running}}
    yield Event({"type": "response.output_item.added", **added}, speaker.output)
    if item["type"] == "reasoning":
        speaker.think()
    elif item["type"] == "function_call":
        name = "response.function_call_arguments"
        yield from _response_deltas(name, at, "arguments", item["arguments"], speaker)
    else:
        for number, part in enumerate(item["content"]):
            yield from _response_part({**at, "content_index": number}, part, speaker)
    done = {"output_index": index, "item": item}
    yield Event({"type": "response.output_item.done", **done}, speaker.output)


def _response_part(at: Json, part: Json, speaker: Speaker) -> Iterator[Event]:
    key = "refusal" if part["type"] == "refusal" else "text"
    added = {**at, "part": {**part, key: ""}}
    yield Event({"type": "response.content_part.added", **added}, speaker.output)
    yield from _response_deltas(f"response.{part['type']}", at, key, part[key], speaker)
    yield Event({"type": "response.content_part.done", **at, "part": part}, speaker.output)


def _response_deltas(name: str, at: Json, key: str, text: str, speaker: Speaker) -> Iterator[Event]:
    for piece in pieces_of(text, RESPONSES_PIECE):
        speaker.say(piece)
        yield Event({"type": f"{name}.delta", **at, "delta": piece}, speaker.output)
    yield Event({"type": f"{name}.done", **at, key: text}, speaker.output)


def google_events(reply: Json, tokens: Tokens) -> Iterator[Event]:
    """Cut the parts of a reply; a call comes whole, and every event has the counts so far."""
    candidates = reply.get("candidates")
    if not candidates:
        yield Event(reply, tokens.output)
        return
    speaker = Speaker(tokens)
    candidate = candidates[0]
    content = candidate.get("content")
    pieces = list(_google_pieces(content["parts"] if content else []))
    for part in pieces:
        if "functionCall" in part:
            speaker.think()
            speaker.say(canonical(part["functionCall"]).decode())
        speaker.say(part.get("text", ""))
        told = {"content": {**content, "parts": [part]}, "index": 0}
        yield Event(
            {**reply, "candidates": [told], "usageMetadata": _google_usage(reply, speaker)},
            speaker.output,
        )
    last = {"content": {**content, "parts": []}} if content else {}
    yield Event({**reply, "candidates": [{**candidate, **last}]}, tokens.output)


def _google_pieces(parts: Sequence[Json]) -> Iterator[Json]:
    for part in parts:
        if set(part) <= {"text", "thought"}:
            yield from ({**part, "text": piece} for piece in pieces_of(part["text"], GOOGLE_PIECE))
        else:
            yield part


def _google_usage(reply: Json, speaker: Speaker) -> Json:
    usage = dict(reply["usageMetadata"])
    thoughts = usage.get("thoughtsTokenCount", 0)
    if isinstance(usage.get("candidatesTokenCount"), int):
        usage["candidatesTokenCount"] = max(0, speaker.output - thoughts)
    return usage


def _usual_error(_status: int, _message: str, usual: Json) -> Json:
    return usual


def _responses_error(status: int, message: str, _usual: Json) -> Json:
    code = CODES_OF_RESPONSES.get(status, "invalid_prompt")
    return {"type": "error", "code": code, "message": message, "param": None}


def _anthropic_misshapen(shape: Json) -> Sequence[Json]:
    return ({"type": "message_start", "message": shape}, {"type": "message_stop"})


def _responses_misshapen(shape: Json) -> Sequence[Json]:
    return ({"type": "response.completed", "response": shape},)


def _google_misshapen(shape: Json) -> Sequence[Json]:
    return (shape,)


EVENT_WRITERS: Mapping[str, EventWriter] = MappingProxyType(
    {
        "anthropic": EventWriter(anthropic_events, _usual_error, _anthropic_misshapen),
        "responses": EventWriter(responses_events, _responses_error, _responses_misshapen),
        "google": EventWriter(
            google_events, _usual_error, _google_misshapen, google_frame(b'{"candidates": none}')
        ),
    }
)
