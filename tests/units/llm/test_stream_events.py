"""Each event of a stream, and what it adds to the reply and to its bill."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from json import JSONDecodeError
from typing import Any, Final

import pytest
from google.genai import errors, types

from goldwright.llm.port import FaultKind, ProviderFault, Usage
from goldwright.llm.providers.anthropic import read_reply
from goldwright.llm.providers.anthropic_stream import StreamedMessage
from goldwright.llm.providers.google_stream import StreamedContent, receive_chunks
from goldwright.llm.providers.openai_stream import StreamedResponse
from goldwright.llm.providers.partial_reply import PartialReply

START: Final = {
    "id": "m",
    "type": "message",
    "role": "assistant",
    "model": "claude",
    "content": [],
    "usage": {
        "input_tokens": 9,
        "cache_read_input_tokens": 4,
        "cache_creation_input_tokens": 2,
        "output_tokens": 1,
    },
}
END: Final = {"type": "message_delta", "delta": {"stop_reason": "tool_use"}}


def started() -> tuple[StreamedMessage, PartialReply]:
    """Begin a message."""
    partial = PartialReply()
    streamed = StreamedMessage(partial)
    assert streamed.take({"type": "message_start", "message": START}) is False
    return streamed, partial


def with_call(*pieces: str, given: object = None) -> Any:
    """Put the only block of a message together: a call whose arguments come in pieces."""
    streamed, _ = started()
    call = {"type": "tool_use", "id": "c1", "name": "read", "input": given}
    streamed.take({"type": "content_block_start", "index": 0, "content_block": call})
    for piece in pieces:
        delta = {"type": "input_json_delta", "partial_json": piece}
        streamed.take({"type": "content_block_delta", "index": 0, "delta": delta})
    streamed.take({"type": "content_block_stop", "index": 0})
    streamed.take({**END, "usage": {"output_tokens": 3}})
    return streamed.message()


def test_a_ping_is_no_sign_of_a_reply() -> None:
    partial = PartialReply()
    streamed = StreamedMessage(partial)
    assert streamed.take({"type": "ping"}) is False
    assert (partial.has_begun, partial.usage) == (False, None)
    streamed.take({"type": "message_start", "message": START})
    assert partial.has_begun


def test_all_that_is_counted_at_the_start_is_known_from_then_on() -> None:
    _, partial = started()
    assert partial.usage == Usage(fresh=9, cached=4, cache_written=2, output=1)


@pytest.mark.parametrize(
    ("newest", "expected"),
    [
        ({"output_tokens": 30}, Usage(fresh=9, cached=4, cache_written=2, output=30)),
        (
            {"output_tokens": 30, "input_tokens": 10, "cache_read_input_tokens": 5},
            Usage(fresh=10, cached=5, cache_written=2, output=30),
        ),
        (
            {"output_tokens": 30, "input_tokens": None, "cache_creation_input_tokens": 8},
            Usage(fresh=9, cached=4, cache_written=8, output=30),
        ),
        # What stood at the start is no count of the whole.
        ({}, Usage(counted=False)),
        (None, Usage(counted=False)),
        ({"output_tokens": "many"}, Usage(counted=False)),
    ],
)
def test_the_end_of_a_message_counts_anew_what_it_names(
    newest: Mapping[str, object] | None, expected: Usage
) -> None:
    streamed, _ = started()
    streamed.take({**END, "usage": newest})
    assert streamed.take({"type": "message_stop"}) is True
    reply = read_reply(streamed.message())
    assert reply.usage == expected
    assert (reply.stop, reply.model) == ("tools", "claude")


def test_what_was_counted_last_stays_where_the_end_counts_nonsense() -> None:
    streamed, partial = started()
    streamed.take({**END, "usage": {"output_tokens": -7}})
    assert partial.usage == Usage(fresh=9, cached=4, cache_written=2, output=1)
    streamed.take({**END, "usage": {"output_tokens": 7}})
    assert partial.usage == Usage(fresh=9, cached=4, cache_written=2, output=7)


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        (('{"path": ', '"a"}'), {"path": "a"}),
        (("", "{}"), {}),
        ((), {"given": 1}),
        (("",), {"given": 1}),
        (('{"path": ',), '{"path": '),
        (("[1]",), "[1]"),
    ],
)
def test_arguments_in_pieces_stand_for_those_that_a_call_began_with(
    pieces: tuple[str, ...], expected: object
) -> None:
    (call,) = with_call(*pieces, given={"given": 1}).content
    assert call.input == expected


def test_blocks_stand_in_the_order_of_their_numbers() -> None:
    streamed, partial = started()
    texts = {1: ("b", "c"), 0: ("a", "")}
    for index, (first, second) in texts.items():
        block = {"type": "text", "text": first}
        streamed.take({"type": "content_block_start", "index": index, "content_block": block})
        delta = {"type": "text_delta", "text": second}
        streamed.take({"type": "content_block_delta", "index": index, "delta": delta})
    for index in texts:
        streamed.take({"type": "content_block_stop", "index": index})
    blocks = [block.to_dict() for block in streamed.message().content]
    assert blocks == [{"type": "text", "text": "a"}, {"type": "text", "text": "bc"}]
    assert partial.said_bytes == 1


def test_a_message_without_blocks_has_the_content_that_it_began_with() -> None:
    streamed, _ = started()
    streamed.take({**END, "usage": {"output_tokens": 1}})
    assert streamed.message().content == []


ERRORS_OF_MESSAGES: Final[Mapping[str, FaultKind]] = {
    "invalid_request_error": "bad_request",
    "permission_error": "access",
    "api_error": "server_error",
    "overloaded_error": "overloaded",
}
ERRORS_OF_RESPONSES: Final[Mapping[str, FaultKind]] = {
    "rate_limit_exceeded": "rate_limited",
    "insufficient_quota": "spend_limit",
    "server_error": "server_error",
    "server_is_overloaded": "overloaded",
    "slow_down": "overloaded",
    "a_code_of_tomorrow": "bad_request",
}


@pytest.mark.parametrize(("code", "kind"), ERRORS_OF_MESSAGES.items())
def test_an_error_in_a_message_says_what_its_provider_says(code: str, kind: FaultKind) -> None:
    partial = PartialReply()
    error = {"type": code, "message": "sorry"}
    with pytest.raises(ProviderFault, match=f"^{code}: sorry$") as caught:
        StreamedMessage(partial).take({"type": "error", "error": error})
    assert caught.value.kind == kind
    assert not partial.has_begun


@pytest.mark.parametrize(("code", "kind"), ERRORS_OF_RESPONSES.items())
@pytest.mark.parametrize("name", ["code", "type"])
def test_an_error_in_a_response_says_what_its_provider_says(
    code: str, kind: FaultKind, name: str
) -> None:
    partial = PartialReply()
    error = {name: code, "message": "sorry"}
    with pytest.raises(ProviderFault, match=f"^{code}: sorry$") as caught:
        StreamedResponse(partial).take({"type": "error", "error": error})
    assert caught.value.kind == kind
    assert not partial.has_begun


def test_the_code_of_an_error_stands_before_its_type() -> None:
    event = {"type": "error", "code": "slow_down", "message": "sorry"}
    with pytest.raises(ProviderFault, match=r"^slow_down: sorry$"):
        StreamedResponse(PartialReply()).take(event)


@pytest.mark.parametrize("kind", ["response.completed", "response.incomplete", "response.failed"])
def test_a_response_is_whole_with_its_last_event(kind: str) -> None:
    partial = PartialReply()
    streamed = StreamedResponse(partial)
    assert streamed.take({"type": "response.created", "response": {"model": "early"}}) is False
    assert (partial.has_begun, partial.usage) == (True, None)
    delta = {"type": "response.output_text.delta", "delta": "abcde"}
    assert streamed.take(delta) is False
    # Not all deltas are text.
    assert streamed.take({"type": "response.audio.delta", "delta": {"data": "x"}}) is False
    assert partial.usage == Usage(output=2)
    assert streamed.take({"type": kind, "response": {"model": "m", "status": "s"}}) is True
    response = streamed.response()
    assert (response.model, response.status) == ("m", "s")


def chunk(*parts: Any, candidate: Mapping[str, Any] | None = None, **fields: Any) -> Any:
    """Make a chunk of Google's."""
    content = {"content": {"role": "model", "parts": list(parts)}} if parts else {}
    candidates = {"candidates": [{**content, **(candidate or {})}]} if parts or candidate else {}
    return types.GenerateContentResponse.model_validate({**candidates, **fields})


def together(*chunks: Any) -> types.GenerateContentResponse:
    """Put chunks together."""
    streamed = StreamedContent(PartialReply())
    for one in chunks:
        streamed.take(one)
    return streamed.response()


def test_the_newest_of_each_field_of_google_counts_and_may_be_left_out_later() -> None:
    response = together(
        chunk({"text": "a"}, modelVersion="early", usageMetadata={"promptTokenCount": 5}),
        chunk({"text": "b"}, modelVersion="late"),
        chunk(candidate={"finishReason": "STOP"}, usageMetadata={"promptTokenCount": 7}),
    )
    assert response.model_version == "late"
    assert response.usage_metadata is not None
    assert response.usage_metadata.prompt_token_count == 7
    assert response.text == "ab"


def test_a_prompt_that_was_blocked_is_a_whole_reply_without_a_candidate() -> None:
    streamed = StreamedContent(PartialReply())
    with pytest.raises(ProviderFault, match="ended before the reply did"):
        streamed.response()
    streamed.take(chunk(promptFeedback={"blockReason": "SAFETY"}))
    assert streamed.is_whole
    assert streamed.response().candidates is None


def test_a_candidate_without_an_end_is_not_whole_whatever_is_said_of_the_prompt() -> None:
    streamed = StreamedContent(PartialReply())
    streamed.take(chunk({"text": "a"}, promptFeedback={"blockReason": "SAFETY"}))
    assert not streamed.is_whole
    with pytest.raises(ProviderFault, match="ended before the reply did") as caught:
        streamed.response()
    assert (caught.value.kind, caught.value.may_be_billed) == ("cut", True)


def test_the_candidate_that_says_why_it_ended_counts() -> None:
    finished = {"finishReason": "MAX_TOKENS", "finishMessage": "enough"}
    response = together(
        chunk({"text": "a"}),
        chunk({"text": "b"}, candidate=finished),
        chunk({"text": "c"}),
    )
    assert response.candidates
    assert response.candidates[0].finish_message == "enough"
    assert response.text == "abc"


def test_the_first_of_several_candidates_counts() -> None:
    both = [
        {"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": "STOP"}
        for text in ("first", "second")
    ]
    assert together(chunk(candidates=both)).text == "first"


def test_an_end_without_content_is_a_reply_without_any() -> None:
    response = together(chunk(candidate={"finishReason": "SAFETY"}))
    assert response.candidates
    assert response.candidates[0].content is None


def test_parts_that_are_nothing_but_text_are_joined_and_empty_ones_dropped() -> None:
    response = together(
        chunk({"text": "", "thought": True}),
        chunk({"text": "Hm", "thought": True}),
        chunk({"text": "."}, {"text": ""}, {"text": "."}),
        chunk({"functionCall": {"name": "read", "args": {}}}),
        chunk({"functionCall": {"name": "list", "args": {}}}),
        chunk({"text": ""}, candidate={"finishReason": "STOP"}),
    )
    assert response.candidates
    content = response.candidates[0].content
    assert content
    assert content.model_dump(exclude_none=True) == {
        "role": "model",
        "parts": [
            {"text": "Hm", "thought": True},
            {"text": ".."},
            {"function_call": {"name": "read", "args": {}}},
            {"function_call": {"name": "list", "args": {}}},
        ],
    }


@pytest.mark.parametrize(
    ("usage", "said", "expected"),
    [
        # Nothing counts the reply: what it says does, calls by their arguments.
        ({"promptTokenCount": 50}, {"text": "abcde"}, Usage(fresh=50, output=2)),
        (
            {"promptTokenCount": 50},
            {"functionCall": {"name": "read", "args": {"a": 1}}},
            Usage(fresh=50, output=2),
        ),
        ({"promptTokenCount": 50}, {"functionCall": {"name": "read"}}, Usage(fresh=50, output=1)),
        (None, {"text": "abcde"}, Usage(output=2)),
        # The provider counts: thinking is output, and what was cached is not fresh.
        (
            {
                "promptTokenCount": 50,
                "cachedContentTokenCount": 20,
                "candidatesTokenCount": 3,
                "thoughtsTokenCount": 9,
            },
            {"text": "a" * 400},
            Usage(fresh=30, cached=20, output=12),
        ),
        ({"promptTokenCount": 50, "candidatesTokenCount": 0}, {"text": "abc"}, Usage(fresh=50)),
    ],
)
def test_a_chunk_counts_or_is_counted_by_what_it_says(
    usage: Mapping[str, int] | None, said: Mapping[str, Any], expected: Usage
) -> None:
    partial = PartialReply()
    StreamedContent(partial).take(chunk(said, usageMetadata=usage))
    assert partial.has_begun
    assert partial.usage == expected


def broken(document: str | None, message: str = "Expecting value", at: int = 0) -> Exception:
    """The SDK's error of a chunk that is no JSON."""
    error = errors.UnknownApiResponseError("Failed to parse response")
    if document is not None:
        error.__cause__ = JSONDecodeError(message, document, at)
    return error


def received(error: Exception, *chunks: Any) -> StreamedContent:
    """Receive chunks, and an error behind them."""

    async def come() -> AsyncGenerator[types.GenerateContentResponse]:
        for one in chunks:
            yield one
        raise error

    streamed = StreamedContent(PartialReply())
    asyncio.run(receive_chunks(come(), streamed))
    return streamed


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (broken('{"a": ', at=6), "cut"),
        (broken('{"a": ', at=7), "cut"),
        (broken('{"a": "b', "Unterminated string starting at", 6), "cut"),
        (broken("<html>"), "malformed"),
        (broken('{"a": x', at=6), "malformed"),
        (broken(None), "malformed"),
    ],
)
def test_a_chunk_that_is_cut_off_is_told_from_one_that_is_no_json(
    error: Exception, kind: FaultKind
) -> None:
    with pytest.raises(ProviderFault, match="Failed to parse response") as caught:
        received(error, chunk({"text": "a"}))
    assert (caught.value.kind, caught.value.may_be_billed) == (kind, True)
    whole = received(error, chunk({"text": "a"}, candidate={"finishReason": "STOP"}))
    assert whole.response().text == "a"
