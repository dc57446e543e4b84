"""Streams read event by event: whatever comes before the end of a reply is no reply."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Sequence
from typing import Any, Final

import httpx2
import pytest
from google.genai import types

from goldwright.llm.port import ProviderFault, Usage
from goldwright.llm.providers.anthropic_stream import StreamedMessage
from goldwright.llm.providers.event_stream import Event, receive_events
from goldwright.llm.providers.google_stream import StreamedContent, receive_chunks
from goldwright.llm.providers.openai_stream import StreamedResponse
from goldwright.llm.providers.partial_reply import PartialReply
from scripted.anthropic_wire import MESSAGES
from scripted.event_streams import EVENT_WRITERS
from scripted.openai_wire import RESPONSES
from scripted.wire import Call, Heard, Say, Tokens, Wire

HEARD: Final = Heard("anthropic", "scripted-1", "", (), (), None, None, "auto", {})
TOKENS: Final = Tokens(fresh=70, cached=30, written=0, output=400, thinking=32)
SAY: Final = Say("Zeile\u2028für 文字 😀.", calls=(Call("c1", "read", {"path": "ö.py"}),))
CITATION: Final = {
    "type": "char_location",
    "document_index": 0,
    "document_title": None,
    "file_id": None,
    "start_char_index": 0,
    "end_char_index": 1,
}
WIRES: Final = (MESSAGES, RESPONSES)


class Body(httpx2.AsyncByteStream):
    """A body in pieces, with an error at its end where there is one."""

    def __init__(self, pieces: Iterable[bytes], error: Exception | None = None) -> None:
        self._pieces = pieces
        self._error = error

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self._pieces:
            yield piece
        if self._error:
            raise self._error


def written(wire: Wire) -> bytes:
    """Write a whole stream."""
    reply = wire.encode(SAY, HEARD, TOKENS, 1)
    events = EVENT_WRITERS[wire.protocol].events(reply, TOKENS)
    return b"".join(event.frame() for event in events)


def read(wire: Wire, pieces: Iterable[bytes], error: Exception | None = None) -> Any:
    """Read a stream as its adapter does."""
    return asyncio.run(receive(wire, pieces, error))


async def receive(wire: Wire, pieces: Iterable[bytes], error: Exception | None = None) -> Any:
    """Read a stream."""
    streamed = (StreamedMessage if wire is MESSAGES else StreamedResponse)(PartialReply())
    answer = httpx2.Response(
        200, headers={"content-type": "text/event-stream"}, stream=Body(pieces, error)
    )
    await receive_events(answer, streamed.take)
    return streamed.message() if isinstance(streamed, StreamedMessage) else streamed.response()


def events_in(*pieces: bytes) -> list[Event]:
    """Read a stream whose last event says so."""
    taken: list[Event] = []

    def take(event: Event) -> bool:
        taken.append(event)
        return event.get("type") == "end"

    answer = httpx2.Response(
        200, headers={"content-type": "text/event-stream; charset=utf-8"}, stream=Body(pieces)
    )
    asyncio.run(receive_events(answer, take))
    return taken


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.protocol)
def test_a_stream_that_ends_at_any_byte_is_no_reply(wire: Wire) -> None:
    stream = written(wire)

    async def break_off_everywhere() -> None:
        for end in range(len(stream)):
            with pytest.raises(ProviderFault) as caught:
                await receive(wire, [stream[:end]])
            assert (caught.value.kind, caught.value.may_be_billed) == ("cut", True)

    asyncio.run(break_off_everywhere())
    assert read(wire, [stream])


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.protocol)
@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 10**6])
def test_a_stream_reads_alike_however_it_is_cut_into_packets(wire: Wire, size: int) -> None:
    stream = written(wire)
    pieces = [stream[at : at + size] for at in range(0, len(stream), size)]
    assert read(wire, pieces) == read(wire, [stream])


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.protocol)
def test_nothing_spoils_a_reply_that_is_whole(wire: Wire) -> None:
    stream = written(wire)
    assert read(wire, [stream], httpx2.ReadError("reset")) == read(wire, [stream])
    assert read(wire, [stream, b"data: {broken\n\n"]) == read(wire, [stream])


def test_events_are_read_by_the_rules_of_their_format() -> None:
    assert events_in(
        b': a comment\n\nevent: a\ndata: {"type":\ndata: "a"}\nid: 7\n\n',
        b'data:{"type": "b"}\r\n\r\ndata: [DONE]\n\nretry: 9\n\ndata: {"type": "end"}\n\n',
    ) == [{"type": "a"}, {"type": "b"}, {"type": "end"}]


@pytest.mark.parametrize("data", [b"{", b"[]", b"7", b"<html>", b'{"a": "\xff"}'])
def test_an_event_that_is_no_object_is_malformed(data: bytes) -> None:
    with pytest.raises(ProviderFault) as caught:
        events_in(b"data: " + data + b"\n\n")
    assert caught.value.kind == "malformed"


def message_of(*events: Event) -> tuple[Any, PartialReply]:
    """Put a message together."""
    partial = PartialReply()
    streamed = StreamedMessage(partial)
    start = {"id": "m", "type": "message", "role": "assistant", "model": "claude", "content": []}
    usage = {"input_tokens": 9, "cache_read_input_tokens": 4, "output_tokens": 1}
    streamed.take({"type": "message_start", "message": {**start, "usage": usage}})
    ends = [streamed.take(event) for event in events]
    assert not any(ends)
    assert streamed.take({"type": "message_stop"})
    return streamed.message(), partial


def block(index: int, content: Any, *deltas: Any) -> list[Event]:
    """Make the events of a block."""
    return [
        {"type": "content_block_start", "index": index, "content_block": content},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]


def test_what_a_client_does_not_know_yet_is_left_out() -> None:
    message, _ = message_of(
        {"type": "an_event_of_tomorrow", "index": 7},
        {"type": "ping"},
        *block(0, {"type": "text", "text": "a"}, {"type": "a_delta_of_tomorrow", "x": 1}),
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {}},
    )
    assert [part.to_dict() for part in message.content] == [{"type": "text", "text": "a"}]


def test_citations_and_signatures_are_kept() -> None:
    signed = {"type": "thinking", "thinking": "", "signature": ""}
    cited = {"type": "text", "text": "", "citations": None}
    message, _ = message_of(
        *block(
            0,
            signed,
            {"type": "thinking_delta", "thinking": "Hm"},
            {"type": "thinking_delta", "thinking": "m."},
            {"type": "signature_delta", "signature": "s" * 90},
        ),
        *block(
            1,
            cited,
            {"type": "text_delta", "text": "So."},
            {"type": "citations_delta", "citation": {**CITATION, "cited_text": "a"}},
            {"type": "citations_delta", "citation": {**CITATION, "cited_text": "b"}},
        ),
    )
    thought, text = (part.to_dict() for part in message.content)
    assert thought == {"type": "thinking", "thinking": "Hmm.", "signature": "s" * 90}
    assert [citation["cited_text"] for citation in text["citations"]] == ["a", "b"]


def test_the_last_count_stands_for_all_before_it() -> None:
    counts = {"output_tokens": 90, "cache_read_input_tokens": None}
    delta = {"stop_reason": "end_turn"}
    message, partial = message_of(
        *block(0, {"type": "text", "text": ""}, {"type": "text_delta", "text": "abcde"}),
        {"type": "message_delta", "delta": delta, "usage": counts},
    )
    assert partial.usage == Usage(fresh=9, cached=4, output=90)
    assert message.usage.cache_read_input_tokens == 4
    assert message.usage.output_tokens == 90


def test_what_was_said_counts_until_the_provider_counts() -> None:
    partial = PartialReply()
    known = [partial.usage]
    partial.say("abcde")
    known.append(partial.usage)
    partial.count(Usage(fresh=5, output=1))
    known.append(partial.usage)
    partial.count(Usage(counted=False))
    partial.count(Usage(fresh=5, output=7))
    known.append(partial.usage)
    # Half of a pair of surrogates is no text, and is counted all the same.
    partial.say("\ud83d" * 10)
    known.append(partial.usage)
    outputs = [usage and (usage.fresh, usage.output) for usage in known]
    assert outputs == [None, (0, 2), (5, 2), (5, 7), (5, 9)]


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"code": "rate_limit_exceeded", "message": "slow"}, "rate_limited"),
        ({"code": "insufficient_quota", "message": "pay"}, "spend_limit"),
        ({"code": "server_error", "message": "oh"}, "server_error"),
        ({"code": "slow_down", "message": "oh"}, "overloaded"),
        ({"code": "context_length_exceeded", "message": "long"}, "too_long"),
        ({"code": "invalid_prompt", "message": "no"}, "bad_request"),
        ({"error": {"type": "server_error", "code": None, "message": "oh"}}, "server_error"),
    ],
)
def test_an_error_event_of_a_response_has_the_kind_of_its_code(error: Any, kind: str) -> None:
    with pytest.raises(ProviderFault) as caught:
        StreamedResponse(PartialReply()).take({"type": "error", **error})
    assert caught.value.kind == kind


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("invalid_request_error", "bad_request"),
        ("authentication_error", "access"),
        ("billing_error", "spend_limit"),
        ("not_found_error", "no_such_model"),
        ("request_too_large", "too_long"),
        ("timeout_error", "gateway_timeout"),
        ("an_error_of_tomorrow", "server_error"),
    ],
)
def test_an_error_event_of_a_message_has_the_kind_of_its_type(code: str, kind: str) -> None:
    with pytest.raises(ProviderFault) as caught:
        StreamedMessage(PartialReply()).take({"type": "error", "error": {"type": code}})
    assert caught.value.kind == kind


def chunk(*parts: Any, finish: str | None = None, **usage: int) -> types.GenerateContentResponse:
    """Make a chunk of Google's."""
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": list(parts)}}
    if finish:
        candidate["finishReason"] = finish
    counts = {"promptTokenCount": 50, **usage}
    return types.GenerateContentResponse.model_validate(
        {"candidates": [candidate], "usageMetadata": counts, "modelVersion": "gemini"}
    )


def merged(*chunks: types.GenerateContentResponse) -> list[dict[str, Any]]:
    """Put chunks together, and give the parts as they go back."""
    streamed = StreamedContent(PartialReply())
    for part in chunks:
        assert not streamed.is_whole
        streamed.take(part)
    candidates = streamed.response().candidates
    assert candidates
    assert candidates[0].content
    echo = candidates[0].content.model_dump(mode="json", exclude_none=True)
    parts: list[dict[str, Any]] = echo["parts"]
    return parts


def test_texts_and_thoughts_are_joined_each_with_its_own() -> None:
    assert merged(
        chunk({"text": "I th", "thought": True}),
        chunk({"text": "ink.", "thought": True}, {"text": "It "}),
        chunk({"text": "is."}),
        chunk({"text": ""}, finish="STOP"),
    ) == [{"text": "I think.", "thought": True}, {"text": "It is."}]


def test_a_part_with_a_signature_is_neither_joined_nor_dropped() -> None:
    parts = merged(
        chunk({"text": "a"}),
        chunk({"text": "b", "thoughtSignature": "c2lnbg=="}),
        chunk({"text": "c"}),
        chunk({"functionCall": {"name": "read", "args": {}}, "thoughtSignature": "c2lnbg=="}),
        chunk({"functionCall": {"name": "read", "args": {"n": 1}}}),
        chunk({"text": "", "thoughtSignature": "c2lnbg=="}, finish="STOP"),
    )
    assert [part.get("text") for part in parts] == ["a", "b", "c", None, None, ""]
    signed = ["thought_signature" in part for part in parts]
    assert signed == [False, True, False, True, False, True]


def test_chunks_without_a_count_of_the_reply_count_by_what_they_say() -> None:
    partial = PartialReply()
    streamed = StreamedContent(partial)
    streamed.take(chunk({"text": "abcdefghi"}))
    assert partial.usage == Usage(fresh=50, output=3)
    streamed.take(chunk({"text": "j"}, candidatesTokenCount=4, thoughtsTokenCount=20))
    assert partial.usage == Usage(fresh=50, output=24)


@pytest.mark.parametrize("count", range(3))
def test_chunks_without_an_end_are_no_reply(count: int) -> None:
    streamed = StreamedContent(PartialReply())
    for _ in range(count):
        streamed.take(chunk({"text": "a"}))
    with pytest.raises(ProviderFault, match="ended before"):
        streamed.response()


def test_nothing_spoils_chunks_that_are_whole() -> None:
    async def chunks(
        parts: Sequence[types.GenerateContentResponse],
    ) -> AsyncGenerator[types.GenerateContentResponse]:
        for part in parts:
            yield part
        raise httpx2.ReadError("reset")

    whole = StreamedContent(PartialReply())
    asyncio.run(receive_chunks(chunks([chunk({"text": "a"}, finish="STOP")]), whole))
    assert whole.is_whole
    half = StreamedContent(PartialReply())
    with pytest.raises(httpx2.ReadError):
        asyncio.run(receive_chunks(chunks([chunk({"text": "a"})]), half))
