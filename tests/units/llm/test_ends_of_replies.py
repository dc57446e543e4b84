"""Why a reply ended, and what an error in a stream was: each word of a provider has one of ours."""

import anthropic
import pytest
from google.genai import types
from openai.types.chat import ChatCompletion
from openai.types.responses import Response

from goldwright.llm.port import FaultKind, ProviderFault, Stop
from goldwright.llm.providers import anthropic as messages
from goldwright.llm.providers import chat, google, openai
from goldwright.llm.providers.anthropic_stream import StreamedMessage
from goldwright.llm.providers.partial_reply import PartialReply


@pytest.mark.parametrize(
    ("reason", "stop"),
    [
        ("end_turn", "done"),
        ("stop_sequence", "done"),
        ("tool_use", "tools"),
        ("max_tokens", "length"),
        ("refusal", "refused"),
        ("pause_turn", "paused"),
        ("model_context_window_exceeded", "overflow"),
        ("a_reason_of_tomorrow", "unknown"),
    ],
)
def test_each_end_of_a_message_of_anthropic(reason: str, stop: Stop) -> None:
    usage = anthropic.types.Usage(input_tokens=1, output_tokens=1)
    message = anthropic.types.Message.construct(
        content=[], stop_reason=reason, model="m", usage=usage
    )
    reply = messages.read_reply(message)
    assert (reply.stop, reply.stop_reason) == (stop, reason)


@pytest.mark.parametrize(
    ("reason", "stop"),
    [
        ("STOP", "done"),
        ("MAX_TOKENS", "length"),
        ("SAFETY", "refused"),
        ("RECITATION", "refused"),
        ("BLOCKLIST", "refused"),
        ("PROHIBITED_CONTENT", "refused"),
        ("SPII", "refused"),
        ("LANGUAGE", "unknown"),
    ],
)
def test_each_end_of_a_candidate_of_google(reason: str, stop: Stop) -> None:
    response = types.GenerateContentResponse.model_validate(
        {"candidates": [{"finishReason": reason}], "modelVersion": "m"}
    )
    assert google.read_reply(response, "m").stop == stop


@pytest.mark.parametrize(
    ("reason", "stop"),
    [
        ("stop", "done"),
        ("tool_calls", "tools"),
        ("function_call", "tools"),
        ("length", "length"),
        ("content_filter", "refused"),
        ("a_reason_of_tomorrow", "unknown"),
    ],
)
def test_each_end_of_a_chat_completion(reason: str, stop: Stop) -> None:
    message = {"role": "assistant", "content": "So."}
    choice = {"index": 0, "finish_reason": reason, "message": message}
    completion = ChatCompletion.construct(id="c", model="m", choices=[choice])
    assert chat.read_reply(completion).stop == stop


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("invalid_request_error", "bad_request"),
        ("authentication_error", "access"),
        ("billing_error", "spend_limit"),
        ("permission_error", "access"),
        ("not_found_error", "no_such_model"),
        ("request_too_large", "too_long"),
        ("rate_limit_error", "rate_limited"),
        ("api_error", "server_error"),
        ("timeout_error", "gateway_timeout"),
        ("overloaded_error", "overloaded"),
        ("an_error_of_tomorrow", "server_error"),
    ],
)
def test_each_error_in_a_stream_of_anthropic_is_that_of_its_status(
    code: str, kind: FaultKind
) -> None:
    event = {"type": "error", "error": {"type": code, "message": "no"}}
    with pytest.raises(ProviderFault) as caught:
        StreamedMessage(PartialReply()).take(event)
    assert caught.value.kind == kind


def test_what_was_read_from_a_cache_or_written_to_it_is_no_fresh_token() -> None:
    details = {"cached_tokens": 30, "cache_write_tokens": 20}
    usage = {"input_tokens": 100, "output_tokens": 5, "input_tokens_details": details}
    response = Response.construct(status="completed", model="m", output=[], usage=usage)
    counted = openai.read_reply(response).usage
    assert (counted.fresh, counted.cached, counted.cache_written) == (50, 30, 20)
