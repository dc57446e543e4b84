"""The scripted model server, asked by the providers' own SDKs."""

import asyncio
import http.client
import json
import re
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import anthropic
import httpx2
import openai
import pytest
from google import genai
from google.genai import errors, types

from effort import first_of
from scripted.server import Fault, FaultKind, serve_in_thread
from scripted.wire import Call, Heard, Piece, PromptCache, Result, Say, Turn

pytestmark = pytest.mark.waits

KEY = "loopback" * 3
MODEL = "scripted-1"
SYSTEM = "You read code. " * 40
QUESTION = "Where are orders placed?"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"path": {"type": "string"}},
    "required": ["path"],
    "additionalProperties": False,
}
CALLS = (
    Call("call_a", "read", {"path": "shop/orders.py"}),
    Call("call_b", "read", {"path": "shop/stock.py"}),
)
PROTOCOLS = ("anthropic", "responses", "chat", "google")
SIGNING = ("anthropic", "responses", "google")


@dataclass(frozen=True)
class Answer:
    """What an SDK gave back."""

    text: str
    call_ids: tuple[str, ...]
    cached: int


class Talk(Protocol):
    """A conversation by one SDK."""

    history: list[Any]

    async def ask(self, **settings: Any) -> Answer: ...

    def answer(self, call_ids: Sequence[str]) -> None: ...

    def forge(self) -> None: ...

    async def close(self) -> None: ...


@dataclass
class AnthropicTalk:
    url: str
    timeout: float = 20.0
    history: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.client = anthropic.AsyncAnthropic(
            base_url=self.url, api_key=KEY, max_retries=0, timeout=self.timeout
        )
        text = {"type": "text", "text": QUESTION, "cache_control": {"type": "ephemeral"}}
        self.history = [{"role": "user", "content": [text]}]

    async def ask(self, **settings: Any) -> Answer:
        tool = {"name": "read", "description": "Read a file.", "input_schema": SCHEMA}
        asked: dict[str, Any] = {
            "model": MODEL,
            "max_tokens": 900,
            "system": SYSTEM,
            "messages": self.history,
        }
        reply = await self.client.messages.create(**{**asked, "tools": [tool], **settings})
        self.history.append(
            {"role": "assistant", "content": [block.to_dict() for block in reply.content]}
        )
        texts = [block.text for block in reply.content if block.type == "text"]
        ids = tuple(block.id for block in reply.content if block.type == "tool_use")
        return Answer("".join(texts), ids, reply.usage.cache_read_input_tokens or 0)

    def answer(self, call_ids: Sequence[str]) -> None:
        results = [
            {"type": "tool_result", "tool_use_id": one, "content": f"file {one}"}
            for one in call_ids
        ]
        self.history.append(
            {"role": "user", "content": [*results, {"type": "text", "text": "Go on."}]}
        )

    def forge(self) -> None:
        self.history[1]["content"][0]["signature"] = "forged"

    async def close(self) -> None:
        await self.client.close()


@dataclass
class ResponsesTalk:
    url: str
    timeout: float = 20.0
    history: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.client = openai.AsyncOpenAI(
            base_url=f"{self.url}/v1", api_key=KEY, max_retries=0, timeout=self.timeout
        )
        self.history = [{"role": "user", "content": QUESTION}]

    async def ask(self, **settings: Any) -> Answer:
        tool = {
            "type": "function",
            "name": "read",
            "description": "Read.",
            "parameters": SCHEMA,
            "strict": True,
        }
        asked: dict[str, Any] = {
            "model": MODEL,
            "instructions": SYSTEM,
            "input": self.history,
            "store": False,
        }
        asked |= {"tools": [tool], "include": ["reasoning.encrypted_content"]}
        reply = await self.client.responses.create(**{**asked, **settings})
        self.history.extend(item.to_dict() for item in reply.output)
        ids = tuple(item.call_id for item in reply.output if item.type == "function_call")
        assert reply.usage is not None
        return Answer(reply.output_text, ids, reply.usage.input_tokens_details.cached_tokens)

    def answer(self, call_ids: Sequence[str]) -> None:
        outputs = [
            {"type": "function_call_output", "call_id": one, "output": f"file {one}"}
            for one in call_ids
        ]
        self.history.extend(outputs)

    def forge(self) -> None:
        self.history = [item for item in self.history if item.get("type") != "reasoning"]

    async def close(self) -> None:
        await self.client.close()


@dataclass
class ChatTalk:
    url: str
    timeout: float = 20.0
    history: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.client = openai.AsyncOpenAI(
            base_url=f"{self.url}/v1", api_key=KEY, max_retries=0, timeout=self.timeout
        )
        self.history = [
            {"role": "system", "content": SYSTEM},
            {"role": "user", "content": QUESTION},
        ]

    async def ask(self, **settings: Any) -> Answer:
        tool = {
            "type": "function",
            "function": {"name": "read", "parameters": SCHEMA, "strict": True},
        }
        asked: dict[str, Any] = {"model": MODEL, "messages": self.history, "tools": [tool]}
        reply = await self.client.chat.completions.create(**{**asked, **settings})
        message = reply.choices[0].message
        self.history.append(message.to_dict())
        assert reply.usage is not None
        details = reply.usage.prompt_tokens_details
        ids = tuple(call.id for call in message.tool_calls or ())
        return Answer(message.content or "", ids, (details.cached_tokens or 0) if details else 0)

    def answer(self, call_ids: Sequence[str]) -> None:
        results = [
            {"role": "tool", "tool_call_id": one, "content": f"file {one}"} for one in call_ids
        ]
        self.history.extend(results)

    def forge(self) -> None:
        raise NotImplementedError

    async def close(self) -> None:
        await self.client.close()


@dataclass
class GoogleTalk:
    url: str
    timeout: float = 20.0
    history: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        options = types.HttpOptions(
            base_url=self.url,
            timeout=int(self.timeout * 1000),
            retry_options=types.HttpRetryOptions(attempts=1),
        )
        self.client = genai.Client(api_key=KEY, http_options=options)
        self.history = [types.Content(role="user", parts=[types.Part(text=QUESTION)])]

    async def ask(self, **settings: Any) -> Answer:
        tool = types.FunctionDeclaration(
            name="read", description="Read.", parameters_json_schema=SCHEMA
        )
        config: dict[str, Any] = {
            "system_instruction": SYSTEM,
            "tools": [types.Tool(function_declarations=[tool])],
        }
        config |= {"automatic_continuation": False, **settings}
        reply = await self.client.aio.models.generate_content(
            model=MODEL, contents=self.history, config=types.GenerateContentConfig(**config)
        )
        assert reply.candidates
        assert reply.usage_metadata
        content = reply.candidates[0].content
        self.history.append(content)
        ids = tuple(str(call.id) for call in reply.function_calls or ())
        text = "".join(part.text or "" for part in (content and content.parts) or ())
        return Answer(text, ids, reply.usage_metadata.cached_content_token_count or 0)

    def answer(self, call_ids: Sequence[str]) -> None:
        parts = [
            types.Part(
                function_response=types.FunctionResponse(
                    id=one, name="read", response={"output": f"file {one}"}
                )
            )
            for one in call_ids
        ]
        self.history.append(types.Content(role="user", parts=parts))

    def forge(self) -> None:
        next(
            part for part in self.history[1].parts if part.thought_signature
        ).thought_signature = b"forged"

    async def close(self) -> None:
        await self.client.aio.aclose()
        self.client.close()


TALKS: Mapping[str, Callable[..., Talk]] = {
    "anthropic": AnthropicTalk,
    "responses": ResponsesTalk,
    "chat": ChatTalk,
    "google": GoogleTalk,
}
REFUSED = (anthropic.BadRequestError, openai.BadRequestError, errors.ClientError)


def reading_brain(heard: Heard) -> Say:
    """Read two files at once, then say what they held."""
    results = [result.text for turn in heard.turns for result in turn.results]
    return Say(text=" and ".join(results)) if results else Say(text="I shall look.", calls=CALLS)


def talking(protocol: str, url: str, talk: Callable[[Talk], Any], *, timeout: float = 20.0) -> Any:
    """Run a conversation in a loop of its own and close its client."""

    async def run() -> Any:
        conversation = TALKS[protocol](url, timeout=timeout)
        try:
            return await talk(conversation)
        finally:
            await conversation.close()

    return asyncio.run(run())


async def two_turns(talk: Talk) -> tuple[Answer, Answer]:
    first = await talk.ask()
    talk.answer(first.call_ids)
    return first, await talk.ask()


def one_fault(kind: FaultKind, **facts: Any) -> Callable[[int, Heard], Fault | None]:
    return lambda _serial, _heard: Fault(kind, **facts)


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_conversation_with_parallel_calls_ends_well(protocol: str) -> None:
    with serve_in_thread(reading_brain) as running:
        first, last = talking(protocol, running.url, two_turns)
    assert first.call_ids == ("call_a", "call_b")
    assert (first.text, last.text) == ("I shall look.", "file call_a and file call_b")
    assert [entry.status for entry in running.log] == [200, 200]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_second_turn_reads_the_first_one_from_the_cache(protocol: str) -> None:
    with serve_in_thread(reading_brain) as running:
        first, last = talking(protocol, running.url, two_turns)
    assert first.cached == 0
    assert last.cached == running.log[1].usage["cached"] > 100
    whole = [
        entry.usage["fresh"] + entry.usage["cached"] + entry.usage["written"]
        for entry in running.log
    ]
    assert whole[1] > whole[0] >= last.cached
    assert running.log[0].usage["written"] == (last.cached if protocol == "anthropic" else 0)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_missing_tool_result_is_refused(protocol: str) -> None:
    async def forgetful(talk: Talk) -> None:
        first = await talk.ask()
        talk.answer(first.call_ids[:1])
        with pytest.raises(REFUSED):
            await talk.ask()

    with serve_in_thread(reading_brain) as running:
        talking(protocol, running.url, forgetful)
    assert [entry.status for entry in running.log] == [200, 400]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_call_without_any_result_is_refused(protocol: str) -> None:
    async def silent(talk: Talk) -> None:
        await talk.ask()
        with pytest.raises(REFUSED):
            await talk.ask()

    with serve_in_thread(reading_brain) as running:
        talking(protocol, running.url, silent)
    assert [entry.status for entry in running.log] == [200, 400]


@pytest.mark.parametrize("protocol", SIGNING)
def test_a_changed_thought_is_refused(protocol: str) -> None:
    async def forging(talk: Talk) -> None:
        first = await talk.ask()
        talk.answer(first.call_ids)
        talk.forge()
        with pytest.raises(REFUSED):
            await talk.ask()

    with serve_in_thread(reading_brain) as running:
        talking(protocol, running.url, forging)
    assert [entry.status for entry in running.log] == [200, 400]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_another_server_understands_the_conversation(protocol: str) -> None:
    async def moving(talk: Talk) -> str:
        first = await talk.ask()
        talk.answer(first.call_ids)
        with serve_in_thread(reading_brain) as other:
            moved = TALKS[protocol](other.url)
            moved.history = talk.history
            last = await moved.ask()
            await moved.close()
        return last.text

    with serve_in_thread(reading_brain) as running:
        assert talking(protocol, running.url, moving) == "file call_a and file call_b"


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_brain_hears_the_same_from_every_protocol(protocol: str) -> None:
    heard: list[Heard] = []

    def noting_brain(one: Heard) -> Say:
        heard.append(one)
        return reading_brain(one)

    with serve_in_thread(noting_brain) as running:
        talking(protocol, running.url, two_turns)
    last = heard[1]
    assert (last.protocol, last.model, last.system, last.tools) == (
        protocol,
        MODEL,
        SYSTEM,
        ("read",),
    )
    assert (last.tool_choice, last.schema) == ("auto", None)
    assert last.turns[:2] == (Turn("user", QUESTION), Turn("model", "I shall look.", CALLS))
    told = tuple(
        Result(call.call_id, "read", f"file {call.call_id}", is_error=False) for call in CALLS
    )
    assert (last.turns[2].who, last.turns[2].results) == ("tools", told)


OPEN = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
OPTIONAL = {**SCHEMA, "required": []}
FLAT: dict[str, Any] = {"type": "function", "name": "read", "parameters": SCHEMA, "strict": True}
MARK = {"cache_control": {"type": "ephemeral"}}


def formatted(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"output_config": {"format": {"type": "json_schema", "schema": schema}}}


def bounded(**limits: Any) -> dict[str, Any]:
    return formatted({**SCHEMA, "properties": {"path": {"type": "string", **limits}}})


def text_format(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "text": {
            "format": {"type": "json_schema", "name": "found", "schema": schema, "strict": True}
        }
    }


def response_format(schema: Mapping[str, Any]) -> dict[str, Any]:
    shape = {"name": "found", "schema": schema, "strict": True}
    return {"response_format": {"type": "json_schema", "json_schema": shape}}


@pytest.mark.parametrize(
    ("protocol", "settings", "complaint"),
    [
        ("anthropic", {"extra_body": {"temperature": 0}}, "temperature"),
        ("anthropic", {"extra_body": {"top_p": 1}}, "top_p"),
        ("anthropic", {"extra_body": {"top_k": 5}}, "top_k"),
        ("anthropic", {"extra_body": {"seed": 5}}, "Extra inputs"),
        ("anthropic", {"extra_body": {"max_tokens": None}}, "max_tokens"),
        ("anthropic", formatted(OPEN), "additionalProperties"),
        ("anthropic", formatted({**SCHEMA, "$defs": {"Other": OPEN}}), "additionalProperties"),
        ("anthropic", bounded(minimum=1), "minimum"),
        ("anthropic", bounded(maxLength=9), "maxLength"),
        ("anthropic", bounded(pattern="a"), "pattern"),
        ("anthropic", bounded(minItems=2), "minItems"),
        ("anthropic", {"system": [{"type": "text", "text": "a", **MARK}] * 4}, "maximum of 4"),
        ("anthropic", {"system": [{"type": "text", "text": " "}]}, "whitespace"),
        ("anthropic", {"tools": [], "tool_choice": {"type": "any"}}, "tool_choice"),
        ("responses", {"temperature": 0}, "temperature"),
        ("responses", {"store": True}, "store"),
        ("responses", {"extra_body": {"messages": []}}, "Unknown parameter"),
        (
            "responses",
            {"tools": [{key: FLAT[key] for key in ("type", "name", "parameters")}]},
            "strict",
        ),
        ("responses", {"tools": [{"type": "function", "function": FLAT}]}, "name"),
        ("responses", {"tools": [{**FLAT, "parameters": OPEN}]}, "additionalProperties"),
        ("responses", {"tools": [{**FLAT, "parameters": OPTIONAL}]}, "required"),
        ("responses", text_format(OPEN), "additionalProperties"),
        ("responses", text_format(OPTIONAL), "required"),
        ("responses", {"tool_choice": {"type": "function", "name": "write"}}, "write"),
        ("chat", response_format(OPEN), "additionalProperties"),
        ("chat", response_format(OPTIONAL), "required"),
        (
            "chat",
            {"tools": [{"type": "function", "function": {**FLAT, "parameters": OPEN}}]},
            "additionalProperties",
        ),
        (
            "google",
            {"response_mime_type": "application/json", "response_json_schema": SCHEMA},
            "unsupported",
        ),
        (
            "google",
            {"response_mime_type": "application/json", "response_schema": SCHEMA},
            "unsupported",
        ),
        ("google", {"tools": [], "response_json_schema": SCHEMA}, "mime type"),
    ],
)
def test_a_setting_that_the_provider_refuses_is_refused(
    protocol: str, settings: dict[str, Any], complaint: str
) -> None:
    if settings.get("response_schema"):
        settings = {
            **settings,
            "response_schema": {key: SCHEMA[key] for key in ("type", "properties", "required")},
        }
    with (
        serve_in_thread(reading_brain) as running,
        pytest.raises(REFUSED, match=re.escape(complaint)),
    ):
        talking(protocol, running.url, lambda talk: talk.ask(**settings))
    assert [(entry.status, entry.model) for entry in running.log] == [(400, "")]


Spoil = Callable[[list[Any]], object]


def texts_first(history: list[Any]) -> None:
    history[2]["content"].reverse()


def foreign_id(history: list[Any]) -> None:
    history[2]["content"][0]["tool_use_id"] = "call_z"


def twice_answered(history: list[Any]) -> None:
    history[2]["content"][1] = history[2]["content"][0]


def repeated_history(history: list[Any]) -> None:
    history.extend(history[1:3])


def late_result(history: list[Any]) -> None:
    history.insert(2, {"role": "user", "content": "Wait."})


def changed_arguments(history: list[Any]) -> None:
    history[1]["content"][-1]["input"] = {"path": "elsewhere.py"}


def input_as_text(history: list[Any]) -> None:
    history[1]["content"][-1]["input"] = "shop/orders.py"


def marked_thought(history: list[Any]) -> None:
    history[1]["content"][0].update(MARK)


def thought_after_calls(history: list[Any]) -> None:
    history.append(history.pop(1))


def arguments_as_object(history: list[Any]) -> None:
    history[2]["tool_calls"][0]["function"]["arguments"] = {"path": "a"}


def other_name(history: list[Any]) -> None:
    history[2].parts[0].function_response.name = "write"


def other_id(history: list[Any]) -> None:
    history[2].parts[0].function_response.id = "call_z"


def two_user_turns(history: list[Any]) -> None:
    history.append(types.Content(role="user", parts=[types.Part(text="Go on.")]))


def lost_output(history: list[Any]) -> None:
    history[-1]["call_id"] = "call_z"


def cut_seal(history: list[Any]) -> None:
    history[1]["encrypted_content"] = history[1]["encrypted_content"][:-1]


@pytest.mark.parametrize(
    ("protocol", "spoil", "complaint"),
    [
        ("anthropic", texts_first, "results come first"),
        ("anthropic", foreign_id, "unexpected `tool_use_id`"),
        ("anthropic", twice_answered, "multiple `tool_result`"),
        ("anthropic", repeated_history, "unique"),
        ("anthropic", late_result, "without `tool_result`"),
        ("anthropic", changed_arguments, "signature"),
        ("anthropic", input_as_text, "valid dictionary"),
        ("anthropic", marked_thought, "cache_control"),
        (
            "anthropic",
            lambda history: history.append({"role": "assistant", "content": "So"}),
            "prefill",
        ),
        ("anthropic", lambda history: history[1]["content"].pop(0), "thinking"),
        ("responses", thought_after_calls, "reasoning"),
        ("responses", cut_seal, "could not be verified"),
        ("responses", lost_output, "No tool call found"),
        ("chat", arguments_as_object, "valid string"),
        ("chat", lambda history: history.pop(2), "must be a response"),
        ("google", other_name, "function call turn"),
        ("google", other_id, "does not match"),
        ("google", two_user_turns, "alternate"),
    ],
)
def test_a_spoiled_history_is_refused(protocol: str, spoil: Spoil, complaint: str) -> None:
    async def spoiling(talk: Talk) -> None:
        first = await talk.ask()
        talk.answer(first.call_ids)
        spoil(talk.history)
        with pytest.raises(REFUSED, match=re.escape(complaint)):
            await talk.ask()

    with serve_in_thread(reading_brain) as running:
        talking(protocol, running.url, spoiling)
    assert [entry.status for entry in running.log] == [200, 400]


@pytest.mark.parametrize(
    ("protocol", "settings"),
    [
        ("anthropic", formatted(SCHEMA)),
        ("responses", text_format(SCHEMA)),
        ("chat", response_format(SCHEMA)),
        (
            "google",
            {"tools": [], "response_mime_type": "application/json", "response_json_schema": SCHEMA},
        ),
    ],
)
def test_a_closed_schema_reaches_the_brain(protocol: str, settings: dict[str, Any]) -> None:
    def brain(heard: Heard) -> Say:
        return Say(json.dumps(heard.schema))

    with serve_in_thread(brain) as running:
        answer = talking(protocol, running.url, lambda talk: talk.ask(**settings))
    assert json.loads(answer.text) == SCHEMA


@pytest.mark.parametrize(
    ("protocol", "settings"),
    [
        ("anthropic", {"tool_choice": {"type": "any"}}),
        ("responses", {"tool_choice": "required"}),
        ("chat", {"tool_choice": "required"}),
        ("google", {"tool_config": {"function_calling_config": {"mode": "ANY"}}}),
    ],
)
def test_a_required_tool_reaches_the_brain(protocol: str, settings: dict[str, Any]) -> None:
    with serve_in_thread(lambda heard: Say(heard.tool_choice)) as running:
        assert talking(protocol, running.url, lambda talk: talk.ask(**settings)).text == "required"


LOST = (anthropic.APIConnectionError, openai.APIConnectionError, httpx2.TransportError)
LATE = (anthropic.APITimeoutError, openai.APITimeoutError, httpx2.ReadTimeout)
BUSY = (anthropic.RateLimitError, openai.RateLimitError, errors.ClientError)
SHAPELESS = (AttributeError, json.JSONDecodeError)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    ("fault", "expected", "status"),
    [
        (Fault("status", 429), BUSY, 429),
        (Fault("reset_before"), LOST, 0),
        (Fault("close_before"), LOST, 0),
        (Fault("cut_body"), LOST, 200),
        (Fault("truncated_json"), (json.JSONDecodeError,), 200),
        (Fault("empty"), (json.JSONDecodeError, AssertionError), 200),
        (Fault("garbage"), SHAPELESS, 200),
        (Fault("wrong_shape"), SHAPELESS, 200),
        (Fault("hang"), LATE, 499),
        (Fault("hang", seconds=0.1), LOST, 0),
    ],
    ids=lambda value: value.kind if isinstance(value, Fault) else None,
)
def test_a_fault_is_what_the_sdk_makes_of_it(
    protocol: str, fault: Fault, expected: tuple[type[Exception], ...], status: int
) -> None:
    thought: list[Heard] = []

    def noting_brain(heard: Heard) -> Say:
        thought.append(heard)
        return Say("Never asked.")

    with (
        serve_in_thread(noting_brain, faults=lambda _serial, _heard: fault) as running,
        pytest.raises(expected),
    ):
        talking(protocol, running.url, lambda talk: talk.ask(), timeout=0.4)
    assert thought == []
    assert [(entry.status, entry.fault) for entry in running.log] == [(status, fault.kind)]


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("kind", ["slow", "trickle"])
def test_a_late_answer_arrives(protocol: str, kind: FaultKind) -> None:
    began = time.monotonic()
    with serve_in_thread(reading_brain, faults=one_fault(kind, seconds=0.3)) as running:
        answer = talking(protocol, running.url, lambda talk: talk.ask())
    assert answer.text == "I shall look."
    assert time.monotonic() - began >= 0.3
    assert [(entry.status, entry.fault) for entry in running.log] == [(200, kind)]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_fault_may_speak_in_place_of_the_brain(protocol: str) -> None:
    with serve_in_thread(
        reading_brain, faults=one_fault("say", say=Say("Something else."))
    ) as running:
        assert talking(protocol, running.url, lambda talk: talk.ask()).text == "Something else."


def test_a_status_carries_its_headers_and_its_own_body() -> None:
    body = {"type": "error", "error": {"type": "overloaded_error", "message": "Later."}}
    fault = one_fault("status", status=529, headers={"retry-after": "7"}, body=body)
    with (
        serve_in_thread(reading_brain, faults=fault) as running,
        pytest.raises(anthropic.APIStatusError) as caught,
    ):
        talking("anthropic", running.url, lambda talk: talk.ask())
    assert (caught.value.status_code, caught.value.response.headers["retry-after"]) == (529, "7")
    assert caught.value.body == body


def test_faults_are_chosen_by_serial() -> None:
    def second_only(serial: int, _heard: Heard) -> Fault | None:
        return Fault("status", 500) if serial == 2 else None

    async def twice(talk: Talk) -> None:
        first = await talk.ask()
        talk.answer(first.call_ids)
        with pytest.raises(anthropic.InternalServerError):
            await talk.ask()
        await talk.ask()

    with serve_in_thread(reading_brain, faults=second_only) as running:
        talking("anthropic", running.url, twice)
    assert [(entry.serial, entry.status) for entry in running.log] == [(1, 200), (2, 500), (3, 200)]


PATHS = {
    "anthropic": "/v1/messages",
    "responses": "/v1/responses",
    "chat": "/v1/chat/completions",
    "google": "/v1beta/models/scripted-1:generateContent",
}
QUESTIONS: dict[str, dict[str, Any]] = {
    "anthropic": {
        "model": MODEL,
        "max_tokens": 9,
        "messages": [{"role": "user", "content": QUESTION}],
    },
    "responses": {"model": MODEL, "input": QUESTION},
    "chat": {"model": MODEL, "messages": [{"role": "user", "content": QUESTION}]},
    "google": {"contents": [{"role": "user", "parts": [{"text": QUESTION}]}]},
}


def post(url: str, protocol: str, headers: Mapping[str, str]) -> httpx2.Response:
    return httpx2.post(url + PATHS[protocol], json=QUESTIONS[protocol], headers=dict(headers))


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_request_without_key_is_unauthorised(protocol: str) -> None:
    with serve_in_thread(reading_brain) as running:
        reply = post(running.url, protocol, {"anthropic-version": "2026-10-21"})
    assert reply.status_code == 401
    assert "error" in reply.json()
    assert running.log[0].key_digest == ""


def test_a_request_without_version_is_refused() -> None:
    with serve_in_thread(reading_brain) as running:
        assert post(running.url, "anthropic", {"x-api-key": KEY}).status_code == 400
        assert (
            post(running.url, "anthropic", {"x-api-key": KEY, "anthropic-version": "2"}).status_code
            == 200
        )


def test_the_log_tells_keys_apart_without_holding_them() -> None:
    with serve_in_thread(reading_brain) as running:
        for key in (KEY, KEY, f"{KEY}-2"):
            post(running.url, "google", {"x-goog-api-key": key})
    first, second, third = (entry.key_digest for entry in running.log)
    assert first == second != third
    assert KEY not in repr(running.log)


def test_an_unknown_path_is_not_found() -> None:
    with serve_in_thread(reading_brain) as running:
        assert httpx2.post(f"{running.url}/v1/embeddings", json={}).status_code == 404
    assert [(entry.protocol, entry.status) for entry in running.log] == [("", 404)]


@pytest.mark.parametrize(
    ("protocol", "headers"),
    [
        ("anthropic", {"x-api-key": KEY, "anthropic-version": "2"}),
        ("google", {"x-goog-api-key": KEY}),
    ],
)
@pytest.mark.parametrize(
    "body", [b"{", b"[]", b"7", b'{"contents": 7}', b'{"model": {}, "messages": [7]}']
)
def test_a_body_without_sense_is_refused(
    protocol: str, headers: Mapping[str, str], body: bytes
) -> None:
    with serve_in_thread(reading_brain) as running:
        reply = httpx2.post(running.url + PATHS[protocol], content=body, headers=dict(headers))
    assert (reply.status_code, [entry.status for entry in running.log]) == (400, [400])


EVERY_KEY = {"x-goog-api-key": KEY, "authorization": f"Bearer {KEY}", "anthropic-version": "2"}


@pytest.mark.parametrize(
    ("protocol", "stop", "status", "wanted"),
    [
        ("anthropic", None, 200, '"stop_reason":"end_turn"'),
        ("anthropic", "length", 200, '"stop_reason":"max_tokens"'),
        ("anthropic", "refused", 200, '"stop_reason":"refusal"'),
        ("anthropic", "paused", 200, '"stop_reason":"pause_turn"'),
        ("anthropic", "overflow", 200, '"stop_reason":"model_context_window_exceeded"'),
        ("anthropic", "unknown", 200, '"stop_reason":"a_reason_of_tomorrow"'),
        ("responses", None, 200, '"status":"completed"'),
        ("responses", "length", 200, '"incomplete_details":{"reason":"max_output_tokens"}'),
        ("responses", "filtered", 200, '"incomplete_details":{"reason":"content_filter"}'),
        ("responses", "refused", 200, '"type":"refusal"'),
        ("responses", "failed", 200, '"status":"failed"'),
        ("responses", "unknown", 200, '"status":"a_status_of_tomorrow"'),
        ("responses", "overflow", 400, '"code":"context_length_exceeded"'),
        ("chat", None, 200, '"finish_reason":"stop"'),
        ("chat", "length", 200, '"finish_reason":"length"'),
        ("chat", "refused", 200, '"refusal":"So"'),
        ("chat", "filtered", 200, '"finish_reason":"content_filter"'),
        ("chat", "overflow", 400, '"code":"context_length_exceeded"'),
        ("google", None, 200, '"finishReason":"STOP"'),
        ("google", "length", 200, '"finishReason":"MAX_TOKENS"'),
        ("google", "refused", 200, '"finishReason":"SAFETY"'),
        ("google", "filtered", 200, '"blockReason":"PROHIBITED_CONTENT"'),
        ("google", "overflow", 400, '"status":"INVALID_ARGUMENT"'),
    ],
)
def test_a_stop_is_told_in_the_words_of_the_protocol(
    protocol: str, stop: str | None, status: int, wanted: str
) -> None:
    with serve_in_thread(lambda _heard: Say("So", stop=stop)) as running:
        reply = post(running.url, protocol, EVERY_KEY)
    assert reply.status_code == status
    assert wanted in reply.text


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_script_may_bend_model_and_usage(protocol: str) -> None:
    with serve_in_thread(
        lambda _heard: Say("So", model="another", usage={"odd": "many"})
    ) as running:
        reply = post(running.url, protocol, EVERY_KEY).json()
    assert (reply.get("usage") or reply.get("usageMetadata"))["odd"] == "many"
    assert "another" in (reply.get("model"), reply.get("modelVersion"))


@pytest.mark.parametrize("protocol", first_of(PROTOCOLS, suite=1))
def test_sixty_four_slow_calls_run_at_once(protocol: str) -> None:
    async def crowd(talk: Talk) -> None:
        await asyncio.gather(*(talk.ask() for _ in range(64)))

    # The first call waits for the last one to come, which takes a while on a busy machine.
    with serve_in_thread(reading_brain, latency=lambda serial: 2.0 - serial / 64) as running:
        talking(protocol, running.url, crowd)
    assert sorted(entry.serial for entry in running.log) == list(range(1, 65))
    assert max(entry.in_flight for entry in running.log) == 64
    assert {entry.status for entry in running.log} == {200}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_client_that_leaves_is_noticed(protocol: str) -> None:
    has_arrived = threading.Event()

    def take_long(_serial: int) -> float:
        has_arrived.set()
        return 30.0

    async def impatient(talk: Talk) -> None:
        asking = asyncio.create_task(talk.ask())
        # A slow machine may take seconds until the question is on its way.
        assert await asyncio.to_thread(has_arrived.wait, 30.0)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    with serve_in_thread(reading_brain, latency=take_long) as running:
        talking(protocol, running.url, impatient)
    assert [entry.status for entry in running.log] == [499]
    assert running.log[0].usage == {"fresh": 0, "cached": 0, "written": 0, "output": 0}


@pytest.mark.parametrize(
    ("kind", "expected"), [("reset_before", ConnectionResetError), ("close_before", None)]
)
def test_a_reset_differs_from_a_close(kind: FaultKind, expected: type[Exception] | None) -> None:
    body = json.dumps(QUESTIONS["google"]).encode()
    fields = f"x-goog-api-key: {KEY}\r\ncontent-length: {len(body)}\r\n"
    head = f"POST {PATHS['google']} HTTP/1.1\r\n{fields}\r\n"
    with serve_in_thread(reading_brain, faults=one_fault(kind)) as running:
        address = ("127.0.0.1", int(running.url.rpartition(":")[2]))
        with socket.create_connection(address) as connection:
            connection.sendall(head.encode() + body)
            if expected:
                with pytest.raises(expected):
                    connection.recv(1)
            else:
                assert connection.recv(1) == b""


def test_a_connection_serves_many_requests() -> None:
    with serve_in_thread(reading_brain) as running:
        connection = http.client.HTTPConnection(running.url.removeprefix("http://"))
        sockets = set()
        for _ in range(3):
            connection.request(
                "POST", PATHS["google"], json.dumps(QUESTIONS["google"]), {"x-goog-api-key": KEY}
            )
            sockets.add(id(connection.sock))
            assert connection.getresponse().read()
        connection.close()
    assert len(sockets) == 1


def test_a_mistake_of_the_script_reaches_its_test() -> None:
    def broken(_heard: Heard) -> Say:
        raise LookupError("the script ends here")

    with pytest.raises(LookupError, match="ends here"), serve_in_thread(broken) as running:
        assert post(running.url, "google", {"x-goog-api-key": KEY}).status_code == 500


def test_nothing_is_written_to_the_cache_without_a_mark() -> None:
    headers = {"x-api-key": KEY, "anthropic-version": "2"}
    with serve_in_thread(reading_brain) as running:
        usages = [post(running.url, "anthropic", headers).json()["usage"] for _ in range(2)]
    assert [
        (one["cache_read_input_tokens"], one["cache_creation_input_tokens"]) for one in usages
    ] == [(0, 0), (0, 0)]


def test_a_mark_finds_a_prefix_at_most_twenty_pieces_back() -> None:
    cache = PromptCache()
    plain = [Piece(b"%04d" % number, marked=False) for number in range(40)]
    cache.keep(MODEL, [*plain[:4], Piece(b"0004")])
    assert cache.read(MODEL, [*plain[:24], Piece(b"0024")]) == (5, 25)
    assert cache.read(MODEL, [*plain[:25], Piece(b"0025")]) == (0, 26)
    assert cache.read("another", [*plain[:24], Piece(b"0024")]) == (0, 25)


def test_a_paused_turn_may_be_sent_again_as_it_is() -> None:
    def pausing_brain(heard: Heard) -> Say:
        return Say("Done.") if heard.turns[-1].who == "model" else Say("Wait.", stop="paused")

    async def resuming(talk: Talk) -> tuple[Answer, Answer]:
        return await talk.ask(), await talk.ask()

    with serve_in_thread(pausing_brain) as running:
        first, last = talking("anthropic", running.url, resuming)
    assert (first.text, last.text) == ("Wait.", "Done.")


@pytest.mark.parametrize("protocol", ["responses", "chat"])
def test_malformed_arguments_are_sent_and_understood_as_they_are(protocol: str) -> None:
    broken = Call("call_a", "read", {}, raw='{"path": ')
    heard: list[Heard] = []

    def stumbling_brain(one: Heard) -> Say:
        heard.append(one)
        return Say("Done.") if len(one.turns) > 1 else Say(calls=(broken,))

    with serve_in_thread(stumbling_brain) as running:
        talking(protocol, running.url, two_turns)
    assert heard[1].turns[1].calls == (broken,)


@pytest.mark.parametrize("protocol", SIGNING)
def test_a_server_without_thoughts_asks_for_none(protocol: str) -> None:
    with serve_in_thread(reading_brain, thinking=False) as running:
        talking(protocol, running.url, two_turns)
    assert [entry.status for entry in running.log] == [200, 200]
    assert running.log[0].usage["output"] < 32
