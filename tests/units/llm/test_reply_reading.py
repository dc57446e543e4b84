"""What becomes of a reply, field by field, in the words of each provider."""

from collections.abc import Mapping
from typing import Any, Final

import anthropic
import pytest
from google.genai import types
from openai.types.chat import ChatCompletion
from openai.types.responses import Response

from goldwright.llm.port import FaultKind, ProviderFault, Reply, ToolUse, Usage
from goldwright.llm.providers import anthropic as messages
from goldwright.llm.providers import chat, google, openai

UNCOUNTED: Final = Usage(counted=False)


def of_anthropic(*content: Mapping[str, Any], **fields: Any) -> Reply:
    usage = {
        "input_tokens": 9,
        "cache_read_input_tokens": 4,
        "cache_creation_input_tokens": 2,
        "output_tokens": 3,
    }
    whole = {"model": "m", "stop_reason": "end_turn", "usage": usage, "content": list(content)}
    return messages.read_reply(anthropic.types.Message.construct(**{**whole, **fields}))


def of_openai(*output: Mapping[str, Any], **fields: Any) -> Reply:
    usage = {"input_tokens": 9, "output_tokens": 3, "input_tokens_details": {"cached_tokens": 4}}
    whole = {"model": "m", "status": "completed", "usage": usage, "output": list(output)}
    return openai.read_reply(Response.construct(**{**whole, **fields}))


def of_chat(message: Mapping[str, Any], finish: str = "stop", **fields: Any) -> Reply:
    choice = {"index": 0, "finish_reason": finish, "message": message}
    later = {"index": 1, "finish_reason": "length", "message": {"content": "another"}}
    usage = {
        "prompt_tokens": 9,
        "completion_tokens": 3,
        "prompt_tokens_details": {"cached_tokens": 4},
    }
    whole = {"model": "m", "choices": [choice, later], "usage": usage}
    return chat.read_reply(ChatCompletion.construct(**{**whole, **fields}))


def of_google(*parts: Mapping[str, Any], finish: str | None = "STOP", **fields: Any) -> Reply:
    usage = {
        "promptTokenCount": 9,
        "cachedContentTokenCount": 4,
        "candidatesTokenCount": 3,
        "thoughtsTokenCount": 5,
    }
    content = {"role": "model", "parts": list(parts)}
    candidates = [{"content": content, "finishReason": finish}]
    whole = {"candidates": candidates, "usageMetadata": usage, "modelVersion": "m-2"}
    response = types.GenerateContentResponse.model_validate({**whole, **fields})
    return google.read_reply(response, "m")


@pytest.mark.filterwarnings("ignore:Pydantic serializer:UserWarning")
def test_a_message_of_anthropic() -> None:
    thinking = {"type": "thinking", "thinking": "Hm.", "signature": "s"}
    calls: list[dict[str, Any]] = [
        {"type": "tool_use", "id": "c1", "name": "read", "input": {"path": "a"}},
        {"type": "tool_use", "id": "c2", "name": "read", "input": '{"path": '},
    ]
    texts = [{"type": "text", "text": "I "}, {"type": "text", "text": "look."}]
    reply = of_anthropic(thinking, *texts, *calls, stop_reason="tool_use")
    # The API takes nothing but an object back.
    echo = [thinking, *texts, calls[0], {**calls[1], "input": {}}]
    tool_uses = (ToolUse("c1", "read", {"path": "a"}), ToolUse("c2", "read", None))
    usage = Usage(fresh=9, cached=4, cache_written=2, output=3)
    assert reply == Reply("I look.", tool_uses, "tools", "tool_use", usage, "m", echo)


def test_a_response_of_openai() -> None:
    reasoning = {"type": "reasoning", "id": "r", "encrypted_content": "e"}
    call = {"type": "function_call", "call_id": "c1", "name": "read"}
    calls = [{**call, "arguments": '{"path": "a"}'}, {**call, "arguments": '{"path": '}]
    parts = [{"type": "output_text", "text": "I "}, {"type": "output_text", "text": "look."}]
    message = {"type": "message", "role": "assistant", "content": parts}
    reply = of_openai(reasoning, message, *calls)
    tool_uses = (ToolUse("c1", "read", {"path": "a"}), ToolUse("c1", "read", None))
    usage = Usage(fresh=5, cached=4, output=3)
    echo = [reasoning, message, *calls]
    assert reply == Reply("I look.", tool_uses, "tools", "function_call", usage, "m", echo)


def test_a_chat_completion() -> None:
    function = {"name": "read", "arguments": '{"path": "a"}'}
    calls = [
        {"id": "c1", "type": "function", "function": function},
        {"id": "c2", "type": "function", "function": {"name": "read", "arguments": "[]"}},
    ]
    message = {
        "role": "assistant",
        "content": "I look.",
        "tool_calls": calls,
        "reasoning_content": "Hm.",
        "refusal": None,
        "audio": {"id": "a"},
    }
    reply = of_chat(message, "tool_calls")
    echo = {name: message[name] for name in ("role", "content", "tool_calls", "reasoning_content")}
    tool_uses = (ToolUse("c1", "read", {"path": "a"}), ToolUse("c2", "read", None))
    usage = Usage(fresh=5, cached=4, output=3)
    assert reply == Reply("I look.", tool_uses, "tools", "tool_calls", usage, "m", echo)


def test_a_reply_of_google() -> None:
    parts: list[dict[str, Any]] = [
        {"text": "Hm.", "thought": True},
        {"text": "I "},
        {"functionCall": {"id": "c1", "name": "read", "args": {"path": "a"}}},
        {"text": "look."},
        {"functionCall": {"name": "list"}},
    ]
    reply = of_google(*parts)
    echo = {
        "role": "model",
        "parts": [
            {"text": "Hm.", "thought": True},
            {"text": "I "},
            {"function_call": {"id": "c1", "name": "read", "args": {"path": "a"}}},
            {"text": "look."},
            {"function_call": {"name": "list"}},
        ],
    }
    tool_uses = (ToolUse("c1", "read", {"path": "a"}), ToolUse("call-2", "list", {}))
    usage = Usage(fresh=5, cached=4, output=8)
    assert reply == Reply("I look.", tool_uses, "tools", "STOP", usage, "m-2", echo)


@pytest.mark.parametrize(
    ("fields", "stop", "reason"),
    [
        ({}, "done", "completed"),
        ({"status": "in_progress"}, "unknown", "in_progress"),
        (
            {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}},
            "length",
            "max_output_tokens",
        ),
        (
            {"status": "incomplete", "incomplete_details": {"reason": "content_filter"}},
            "refused",
            "content_filter",
        ),
        (
            {"status": "incomplete", "incomplete_details": {"reason": "of_tomorrow"}},
            "unknown",
            "of_tomorrow",
        ),
    ],
)
def test_the_status_of_a_response_says_why_it_ended(
    fields: Mapping[str, Any], stop: str, reason: str
) -> None:
    message = {"type": "message", "content": [{"type": "output_text", "text": "So."}]}
    reply = of_openai(message, **fields)
    assert (reply.text, reply.stop, reply.stop_reason) == ("So.", stop, reason)


def test_a_refusal_is_no_text() -> None:
    refusal = {"type": "message", "content": [{"type": "refusal", "refusal": "No."}]}
    reply = of_openai(refusal)
    assert (reply.text, reply.stop, reply.stop_reason) == ("", "refused", "refusal")
    # Before the calls that it may come with.
    call = {"type": "function_call", "call_id": "c1", "name": "read", "arguments": "{}"}
    assert of_openai(refusal, call).stop == "refused"
    reply = of_chat({"content": None, "refusal": "No."})
    assert (reply.text, reply.stop, reply.echo) == ("", "refused", {"role": "assistant"})


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("rate_limit_exceeded", "rate_limited"),
        ("server_error", "server_error"),
        ("invalid_prompt", "bad_request"),
    ],
)
@pytest.mark.parametrize(
    ("usage", "is_billed", "counted"),
    [
        (None, False, None),
        ({"input_tokens": 9, "output_tokens": 3}, True, Usage(fresh=9, output=3)),
        ({"input_tokens": -9, "output_tokens": 3}, True, None),
    ],
)
def test_a_response_that_failed_is_a_fault_with_what_it_has_used(
    code: str, kind: FaultKind, usage: dict[str, Any] | None, *, is_billed: bool, counted: Usage
) -> None:
    error = {"code": code, "message": "sorry"}
    told = None if usage is None else {**usage, "input_tokens_details": None}
    with pytest.raises(ProviderFault, match=f"^{code}: sorry$") as caught:
        of_openai(status="failed", error=error, usage=told)
    fault = caught.value
    assert (fault.kind, fault.may_be_billed, fault.usage) == (kind, is_billed, counted)


def test_a_server_of_chats_may_say_that_it_is_done_and_ask_for_tools() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "read", "arguments": ""}}
    message = {"content": "", "tool_calls": [call]}
    assert of_chat(message).stop == "tools"
    assert of_chat(message).tool_uses == (ToolUse("c1", "read", {}),)
    assert of_chat(message, "length").stop == "length"
    assert of_chat(message, "content_filter").stop == "refused"
    assert of_chat({"content": "So."}).stop == "done"


@pytest.mark.parametrize("content", [7, ["So."], {"text": "So."}])
def test_content_that_is_no_text_is_no_reply(content: object) -> None:
    with pytest.raises(TypeError, match=f"^the content of a message is a {type(content).__name__}"):
        of_chat({"content": content})


@pytest.mark.parametrize(
    "reason", ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "MALFORMED_RESPONSE"]
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_call_that_google_could_not_read_is_a_fault_with_a_bill(reason: str) -> None:
    with pytest.raises(ProviderFault, match=f"^finish reason {reason}$") as caught:
        of_google({"text": "So."}, finish=reason)
    fault = caught.value
    assert (fault.kind, fault.may_be_billed) == ("malformed", True)
    assert fault.usage == Usage(fresh=5, cached=4, output=8)
    with pytest.raises(ProviderFault) as caught:
        of_google({"text": "So."}, finish=reason, usageMetadata=None)
    assert caught.value.usage is None


def test_a_reply_of_google_without_a_reason_a_version_or_content() -> None:
    reply = of_google({"text": "So."}, finish=None, modelVersion=None)
    assert (reply.stop, reply.stop_reason, reply.model) == ("unknown", "none", "m")
    empty = of_google(candidates=[{"finishReason": "SAFETY"}])
    assert (empty.text, empty.tool_uses, empty.stop, empty.echo) == ("", (), "refused", None)
    without_parts = of_google(candidates=[{"content": {"role": "model"}, "finishReason": "STOP"}])
    assert (without_parts.text, without_parts.stop) == ("", "done")
    assert without_parts.echo == {"role": "model"}


def test_calls_beside_another_end_do_not_hide_it() -> None:
    call = {"functionCall": {"name": "read", "args": {}}}
    assert of_google(call, finish="MAX_TOKENS").stop == "length"
    assert of_google(call, finish="SAFETY").stop == "refused"


def test_a_prompt_that_google_blocked_is_a_refusal_and_no_candidate_at_all_is_none() -> None:
    blocked = of_google(candidates=None, promptFeedback={"blockReason": "SAFETY"})
    usage = Usage(fresh=5, cached=4, output=8)
    assert blocked == Reply("", (), "refused", "prompt blocked: SAFETY", usage, "m-2")
    feedbacks: tuple[object, ...] = (None, {})
    for feedback in feedbacks:
        with pytest.raises(ProviderFault, match=r"^a reply without a candidate$") as caught:
            of_google(candidates=None, promptFeedback=feedback)
        assert (caught.value.kind, caught.value.may_be_billed) == ("cut", True)


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"input_tokens": 9, "output_tokens": 3}, Usage(fresh=9, output=3)),
        ({"output_tokens": 3}, UNCOUNTED),
        ({"input_tokens": 9}, UNCOUNTED),
        (None, UNCOUNTED),
    ],
)
def test_anthropic_counts_input_and_output_and_may_leave_out_the_caches(
    usage: object, expected: Usage
) -> None:
    counted = anthropic.types.Usage.construct(**usage) if isinstance(usage, dict) else usage
    text = {"type": "text", "text": "So."}
    assert of_anthropic(text, usage=counted).usage == expected


@pytest.mark.parametrize(
    ("details", "expected"),
    [
        ({"cached_tokens": 4, "cache_write_tokens": 3}, Usage(2, 4, 3, 3)),
        ({"cached_tokens": 9}, Usage(0, 9, 0, 3)),
        ({"cached_tokens": 10}, UNCOUNTED),
        ({"cached_tokens": 4, "cache_write_tokens": 6}, UNCOUNTED),
        ({}, Usage(9, 0, 0, 3)),
        (None, Usage(9, 0, 0, 3)),
    ],
)
def test_openai_counts_what_was_cached_among_its_input(details: object, expected: Usage) -> None:
    usage = {"input_tokens": 9, "output_tokens": 3, "input_tokens_details": details}
    assert of_openai(usage=usage).usage == expected
    is_written = isinstance(details, dict) and "cache_write_tokens" in details
    if not is_written:
        counts = {"prompt_tokens": 9, "completion_tokens": 3, "prompt_tokens_details": details}
        assert of_chat({"content": "So."}, usage=counts).usage == expected


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ({"promptTokenCount": 9, "candidatesTokenCount": 3}, Usage(9, output=3)),
        ({"promptTokenCount": 9}, UNCOUNTED),
        ({"candidatesTokenCount": 3}, UNCOUNTED),
        (
            {"promptTokenCount": 9, "candidatesTokenCount": 3, "cachedContentTokenCount": 10},
            UNCOUNTED,
        ),
        (None, UNCOUNTED),
    ],
)
def test_google_counts_what_was_cached_among_its_prompt(counts: object, expected: Usage) -> None:
    assert of_google({"text": "So."}, usageMetadata=counts).usage == expected
