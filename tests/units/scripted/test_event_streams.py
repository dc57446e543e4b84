"""The streams of the scripted server, read by what the SDKs have for streams."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import anthropic
import httpx2
import openai
import pytest
from google import genai
from google.genai import errors, types

from scripted.server import Fault, FaultKind, serve_in_thread
from scripted.wire import THINKING_TOKENS, Call, Heard, Say

KEY = "loopback" * 3
MODEL = "scripted-1"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"path": {"type": "string"}},
    "required": ["path"],
    "additionalProperties": False,
}
TEXT = "It is decided where orders are placed, and — nowhere else. " * 5
SAY = Say(TEXT, calls=(Call("c1", "read", {"path": "shop/ä.py"}), Call("c2", "read", {})))
FAULTS: tuple[FaultKind, ...] = (
    "cut_after",
    "reset_after",
    "end_early",
    "error_event",
    "bad_event",
)


@asynccontextmanager
async def claude(url: str) -> AsyncIterator[anthropic.AsyncAnthropic]:
    """Open Anthropic's SDK."""
    async with anthropic.AsyncAnthropic(
        api_key=KEY, base_url=url, max_retries=0, timeout=20.0
    ) as client:
        yield client


def claude_request() -> dict[str, Any]:
    tool = {"name": "read", "description": "Read.", "input_schema": SCHEMA}
    message = {"role": "user", "content": "Where?"}
    return {"model": MODEL, "max_tokens": 900, "messages": [message], "tools": [tool]}


def gpt_request() -> dict[str, Any]:
    tool = {"type": "function", "name": "read", "parameters": SCHEMA, "strict": True}
    asked = {"model": MODEL, "input": "Where?", "tools": [tool], "store": False}
    return {**asked, "include": ["reasoning.encrypted_content"]}


async def ask_claude(url: str) -> tuple[Any, Any]:
    async with claude(url) as client:
        async with client.messages.stream(**claude_request()) as stream:
            streamed = await stream.get_final_message()
        whole = await client.messages.create(**claude_request())
    return streamed.to_dict(), whole.to_dict()


async def ask_gpt(url: str) -> tuple[Any, Any]:
    async with openai.AsyncOpenAI(
        api_key=KEY, base_url=f"{url}/v1", max_retries=0, timeout=20.0
    ) as client:
        async with client.responses.stream(**gpt_request()) as stream:
            kinds = [event.type async for event in stream]
            streamed = await stream.get_final_response()
        whole = await client.responses.create(**gpt_request())
    assert kinds[0] == "response.created"
    assert kinds[-1] == "response.completed"
    assert "response.function_call_arguments.delta" in kinds
    return streamed.to_dict(), whole.to_dict()


async def ask_gemini(url: str) -> tuple[Any, Any]:
    client = genai.Client(api_key=KEY, http_options=types.HttpOptions(base_url=url))
    asked: Any = {"model": MODEL, "contents": "Where?"}
    chunks = [chunk async for chunk in await client.aio.models.generate_content_stream(**asked)]
    whole = await client.aio.models.generate_content(**asked)
    await client.aio.aclose()
    client.close()
    counts = [
        usage.candidates_token_count or 0 for chunk in chunks if (usage := chunk.usage_metadata)
    ]
    assert counts == sorted(counts)
    assert [bool(chunk.candidates and chunk.candidates[0].finish_reason) for chunk in chunks] == [
        *([False] * (len(chunks) - 1)),
        True,
    ]
    return _said(chunks), _said([whole])


def _said(chunks: list[types.GenerateContentResponse]) -> Any:
    """Give the text, the calls, the signatures and the last count of some chunks."""
    parts = [part for chunk in chunks for part in chunk.parts or ()]
    text = "".join(part.text or "" for part in parts)
    calls = [part.function_call for part in parts if part.function_call]
    signatures = [part.thought_signature for part in parts if part.thought_signature]
    return text, calls, signatures, chunks[-1].usage_metadata


def without_numbers(answer: Any) -> Any:
    """Leave out what tells one answer from the next: ids, and what a cache knew."""
    if isinstance(answer, dict):
        return {
            name: without_numbers(value)
            for name, value in answer.items()
            if name not in ("id", "usage", "parsed_arguments", "parsed", "parsed_output")
        }
    return [without_numbers(value) for value in answer] if isinstance(answer, list) else answer


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.mark.parametrize("ask", [ask_claude, ask_gpt])
def test_an_sdk_puts_the_same_together_as_it_gets_in_one_piece(
    ask: Callable[[str], Awaitable[tuple[Any, Any]]],
) -> None:
    async def both(url: str) -> tuple[Any, Any]:
        return await ask(url)

    with serve_in_thread(lambda _: SAY) as running:
        streamed, whole = asyncio.run(both(running.url))
    assert without_numbers(streamed) == without_numbers(whole)
    first, second = running.log
    assert first.usage["output"] == second.usage["output"]


def test_chunks_say_the_same_as_one_piece() -> None:
    with serve_in_thread(lambda _: SAY) as running:
        streamed, whole = asyncio.run(ask_gemini(running.url))
    assert streamed[:3] == whole[:3]
    assert streamed[0] == TEXT
    assert streamed[3].candidates_token_count == whole[3].candidates_token_count


def told_by_claude(url: str) -> list[Any]:
    """Stream a message with the SDK, and give the events that came before the fault."""
    seen: list[Any] = []

    async def read() -> None:
        async with claude(url) as client:
            stream = await client.messages.create(**claude_request(), stream=True)
            async for event in stream:
                seen.append(event)  # noqa: PERF401  # what came before the error counts

    try:
        asyncio.run(read())
    except (anthropic.APIError, httpx2.HTTPError, ValueError) as error:
        seen.append(error)
    return seen


@pytest.mark.parametrize("kind", FAULTS)
def test_a_stream_breaks_off_after_so_many_events(kind: FaultKind) -> None:
    fault = Fault(kind, events=6, say=Say(TEXT), status=529)
    with serve_in_thread(lambda _: SAY, faults=lambda *_: fault) as running:
        *events, error = told_by_claude(running.url)
    if kind == "end_early":
        # The SDK takes it for the end of the message.
        events.append(error)
    # The ping is one of the six, and is not told.
    assert len(events) == 5
    expected = {
        "cut_after": httpx2.RemoteProtocolError,
        "reset_after": httpx2.ReadError,
        "error_event": anthropic.APIStatusError,
        "bad_event": ValueError,
    }
    if kind in expected:
        assert isinstance(error, expected[kind])
    texts = [event.delta.text for event in events if event.type == "content_block_delta"]
    said = len("".join(texts).encode())
    (entry,) = running.log
    assert (entry.status, entry.fault) == (200, kind)
    assert entry.usage["output"] == -(-said // 4)
    assert entry.usage["fresh"] > 0


def test_a_thought_is_billed_once_it_is_thought() -> None:
    def bill(events: int) -> int:
        fault = Fault("cut_after", events=events, say=SAY)
        with serve_in_thread(lambda _: SAY, faults=lambda *_: fault) as running:
            told_by_claude(running.url)
        return running.log[0].usage["output"]

    bills = [bill(events) for events in range(1, 12)]
    assert bills == sorted(bills)
    assert bills[0] == 1
    assert bills[-1] > THINKING_TOKENS


@pytest.mark.parametrize(("kind", "expected"), [
    ("cut_after", openai.APIConnectionError),
    ("end_early", ValueError),
    ("error_event", openai.InternalServerError),
    ("stall", openai.APITimeoutError),
])  # fmt: skip
def test_who_asks_for_no_stream_gets_the_plain_fault(
    kind: FaultKind, expected: type[Exception]
) -> None:
    async def ask(url: str) -> None:
        async with openai.AsyncOpenAI(
            api_key=KEY, base_url=f"{url}/v1", max_retries=0, timeout=0.5
        ) as client:
            message: Any = {"role": "user", "content": "Where?"}
            await client.chat.completions.create(model=MODEL, messages=[message])

    with (
        serve_in_thread(lambda _: SAY, faults=lambda *_: Fault(kind)) as running,
        pytest.raises(expected),
    ):
        asyncio.run(ask(running.url))


def test_an_error_among_chunks_has_its_status() -> None:
    async def read(url: str) -> None:
        client = genai.Client(api_key=KEY, http_options=types.HttpOptions(base_url=url))
        try:
            async for _ in await client.aio.models.generate_content_stream(
                model=MODEL, contents="Where?"
            ):
                pass
        finally:
            await client.aio.aclose()
            client.close()

    fault = Fault("error_event", status=503, events=1, say=Say(TEXT))
    with (
        serve_in_thread(lambda _: SAY, faults=lambda *_: fault) as running,
        pytest.raises(errors.ServerError) as caught,
    ):
        asyncio.run(read(running.url))
    assert caught.value.code == 503


def test_chunks_come_as_events_alone() -> None:
    heard: list[Heard] = []

    def brain(one: Heard) -> Say:
        heard.append(one)
        return SAY

    body = {"contents": [{"role": "user", "parts": [{"text": "Where?"}]}]}
    path = f"/v1beta/models/{MODEL}:streamGenerateContent"
    with serve_in_thread(brain) as running:
        reply = httpx2.post(running.url + path, json=body, headers={"x-goog-api-key": KEY})
    assert (reply.status_code, heard) == (400, [])
