"""Replies that come as streams: the same as in one piece, and with a bill where they break off."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

import pytest

from effort import first_of
from goldwright.canonical import canonical_json
from goldwright.llm.catalog import Api, open_adapter
from goldwright.llm.port import (
    Adapter,
    AssistantMessage,
    ProviderFault,
    Reply,
    Request,
    Tool,
    ToolResult,
    ToolResults,
    Usage,
    UserMessage,
)
from scripted.server import Entry, Fault, serve_in_thread
from scripted.wire import THINKING_TOKENS, Call, Heard, Say

pytestmark = pytest.mark.waits

APIS: Final[tuple[Api, ...]] = ("anthropic", "responses", "google")
MODEL: Final = "scripted-1"
TOOL: Final = Tool(
    "read",
    "Read a file.",
    {
        "type": "object",
        "properties": {"path": {"type": "string"}},
        "required": ["path"],
        "additionalProperties": False,
    },
)
LONG: Final = 'Zeile für Zeile — 文字\u2028and a line\r\n\t"quoted" \\ 😀. ' * 9
LOOKS: Final = tuple(Call(f"c{n}", "read", {"path": f"shop/ö{n}.py", "deep": [n]}) for n in (1, 2))
SAYS: Final[Sequence[Say]] = (
    Say("Short."),
    Say(LONG),
    Say(),
    Say(" \n"),
    Say('{"path": "\\ud800", "line": NaN}'),
    Say(calls=LOOKS),
    Say("I look.", calls=LOOKS[:1]),
    Say(LONG, calls=LOOKS),
    Say(calls=(Call("c1", "read", {}),)),
    Say("I cannot.", stop="refused"),
    Say(stop="refused"),
    Say("No.", stop="filtered"),
    Say(LONG[:40], stop="length"),
    Say(calls=LOOKS, stop="length"),
    Say("Half.", stop="paused"),
    Say("Half.", stop="unknown"),
    Say("So.", model="scripted-1-2026"),
    Say("So.", usage={"output_tokens": None, "candidatesTokenCount": None}),
    Say("So.", usage={"input_tokens": None, "promptTokenCount": None}),
    Say("So.", usage={"input_tokens": -5, "promptTokenCount": -5}),
    Say("So.", usage={"output_tokens": "many"}),
)
BROKEN_CALLS: Final = (
    Say(calls=(Call("c1", "read", {}, raw='{"path": '),)),
    Say(calls=(Call("c1", "read", {}, raw='["path"]'),)),
    Say(calls=(LOOKS[0], Call("c2", "read", {}, raw='{"path": NaN}'))),
)


def request(*turns: Any) -> Request:
    """Ask with a tool."""
    turns = turns or (UserMessage("Where?"),)
    return Request("oracle:q", MODEL, "You find places.", turns, (TOOL,), max_output_tokens=900)


@asynccontextmanager
async def opened(
    api: Api, url: str, *, seconds: float = 20.0, stream: bool = True
) -> AsyncIterator[Adapter]:
    """Open an adapter to a server."""
    base = f"{url}/v1" if api == "responses" else url
    adapter = open_adapter(api, key="a-key", base_url=base, seconds=seconds, stream=stream)
    try:
        yield adapter
    finally:
        await adapter.close()


async def ask_once(api: Api, url: str, *, seconds: float = 20.0, stream: bool = True) -> Reply:
    """Ask one question."""
    async with opened(api, url, seconds=seconds, stream=stream) as adapter:
        return await adapter.ask(request())


def hear(api: Api, say: Say, *, stream: bool) -> tuple[Reply, Entry]:
    """Ask once, and give the reply with what was billed."""
    with serve_in_thread(lambda _: say) as running:
        reply = asyncio.run(ask_once(api, running.url, stream=stream))
    (entry,) = running.log
    return reply, entry


def fault_of(api: Api, broken: Fault, *, seconds: float = 20.0) -> tuple[ProviderFault, Entry]:
    """Ask once, and give what went wrong with what was billed."""
    with (
        serve_in_thread(lambda _: Say("Never said."), faults=lambda *_: broken) as running,
        pytest.raises(ProviderFault) as caught,
    ):
        asyncio.run(ask_once(api, running.url, seconds=seconds))
    (entry,) = running.log
    return caught.value, entry


def as_bytes(reply: Reply) -> str:
    """Write all of a reply."""
    calls = [[use.call_id, use.name, use.arguments] for use in reply.tool_uses]
    usage = reply.usage
    counts = [usage.fresh, usage.cached, usage.cache_written, usage.output, usage.counted]
    rest = [reply.text, reply.stop, reply.stop_reason, reply.model, reply.echo]
    return canonical_json([calls, counts, rest])


@pytest.mark.filterwarnings(
    "ignore:A_REASON_OF_TOMORROW:UserWarning", "ignore:Pydantic serializer:UserWarning"
)
@pytest.mark.parametrize(
    ("api", "say"),
    [
        *((api, say) for api in APIS for say in SAYS),
        *((api, say) for api in APIS[:2] for say in BROKEN_CALLS),
    ],
)
def test_a_streamed_reply_is_the_same_to_the_byte(api: Api, say: Say) -> None:
    streamed, entry = hear(api, say, stream=True)
    whole, plain_entry = hear(api, say, stream=False)
    assert as_bytes(streamed) == as_bytes(whole)
    assert entry.usage == plain_entry.usage


@pytest.mark.parametrize("api", APIS)
def test_what_was_streamed_is_taken_back_with_its_signatures(api: Api) -> None:
    """The server signs thoughts, and refuses an echo of another wording."""

    def look(heard: Heard) -> Say:
        return Say("Done.") if len(heard.turns) > 1 else Say(LONG, calls=LOOKS)

    async def talk(url: str) -> Reply:
        async with opened(api, url) as adapter:
            first = await adapter.ask(request())
            results = tuple(ToolResult(use.call_id, use.name, "x = 1") for use in first.tool_uses)
            echo = AssistantMessage(first.echo)
            return await adapter.ask(request(UserMessage("Where?"), echo, ToolResults(results)))

    with serve_in_thread(look) as server:
        assert asyncio.run(talk(server.url)).text == "Done."


def test_who_wants_no_streams_asks_for_none() -> None:
    heard: list[Heard] = []

    def answer(one: Heard) -> Say:
        heard.append(one)
        return Say("Done.")

    with serve_in_thread(answer) as running:
        for stream in (True, False):
            asyncio.run(ask_once("anthropic", running.url, stream=stream))
    assert [one.body.get("stream") for one in heard] == [True, None]


@pytest.mark.parametrize("api", APIS)
def test_streams_follow_one_another_on_one_connection(api: Api) -> None:
    async def ask(url: str) -> None:
        async with opened(api, url) as adapter:
            for _ in range(4):
                await adapter.ask(request())

    with serve_in_thread(lambda _: Say(LONG)) as running:
        asyncio.run(ask(running.url))
    assert len(running.log) == 4
    assert running.server.connections == 1


# Where a stream breaks off: at its first events, in the midst of a text, before its last event.
PLACES: Final = (1, 2, 5, 8, 10**6)
BREAKS: Final = (
    ("cut_after", "cut"),
    ("reset_after", "cut"),
    ("end_early", "cut"),
    ("bad_event", "malformed"),
)


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("kind", "expected"), BREAKS)
def test_a_stream_that_breaks_off_is_a_fault_with_a_bill(
    api: Api, place: int, kind: Any, expected: str
) -> None:
    fault, entry = fault_of(api, Fault(kind, events=place, say=Say(LONG)))
    assert (fault.kind, fault.may_be_billed) == (expected, True)
    check_usage(api, fault.usage, entry)


@pytest.mark.parametrize("api", first_of(APIS, suite=1))
def test_a_stream_that_stops_coming_is_a_timeout_with_a_bill(api: Api) -> None:
    fault, entry = fault_of(api, Fault("stall", events=5, say=Say(LONG)), seconds=1.5)
    assert (fault.kind, fault.may_be_billed, entry.status) == ("timeout", True, 499)
    check_usage(api, fault.usage, entry)


def check_usage(api: Api, usage: Usage | None, entry: Entry) -> None:
    """Compare what a fault tells with what is billed; Responses are counted at their end alone."""
    billed = entry.usage
    if api == "responses":
        assert (usage or Usage()) == Usage(output=billed["output"])
        return
    assert usage == Usage(billed["fresh"], billed["cached"], billed["written"], billed["output"])


@pytest.mark.parametrize(
    ("api", "status", "expected"),
    [
        *((api, 429, "rate_limited") for api in APIS),
        *((api, 500, "server_error") for api in APIS),
        *((api, 529, "overloaded") for api in APIS),
        *((api, 503, "overloaded") for api in ("responses", "google")),
    ],
)
@pytest.mark.parametrize("place", [0, 4])
def test_an_error_in_a_stream_is_what_its_status_would_be(
    api: Api, status: int, expected: str, place: int
) -> None:
    broken = Fault("error_event", status=status, events=place, say=Say(LONG))
    fault, entry = fault_of(api, broken)
    # Before anything of a reply came, nothing is billed, as after the status alone.
    assert (fault.kind, fault.may_be_billed) == (expected, place > 0)
    if place:
        check_usage(api, fault.usage, entry)
    else:
        assert fault.usage is None


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("place", [4, 10**6])
def test_a_call_that_breaks_off_tells_no_less_than_its_arguments(api: Api, place: int) -> None:
    broken = Fault("cut_after", events=place, say=Say(calls=LOOKS))
    fault, entry = fault_of(api, broken)
    told = (fault.usage or Usage()).output
    # The server bills thoughts, which are not always to be seen.
    assert entry.usage["output"] - THINKING_TOKENS <= told <= entry.usage["output"]


@pytest.mark.parametrize("api", APIS)
def test_nothing_of_a_stream_costs_what_was_presumed(api: Api) -> None:
    for broken in (Fault("reset_before"), Fault("empty"), Fault("cut_after", events=0)):
        fault, _ = fault_of(api, broken)
        assert (fault.kind, fault.may_be_billed, fault.usage) == ("cut", True, None)


@pytest.mark.parametrize("api", first_of(APIS[::-1], suite=1))
def test_a_time_limit_ends_a_stream_that_goes_on_and_on(api: Api) -> None:
    """Each read is in time, the whole is not."""
    fault, entry = fault_of(api, Fault("trickle", seconds=60.0, say=Say(LONG)), seconds=1.5)
    assert (fault.kind, fault.may_be_billed, entry.status) == ("timeout", True, 499)


@pytest.mark.parametrize("api", APIS)
def test_a_server_that_does_not_stream_is_told_from_one_that_breaks_off(api: Api) -> None:
    page = Fault("garbage", body=b'{"fine": "but no stream"}')
    fault, _ = fault_of(api, page)
    assert fault.kind in {"malformed", "cut"}
    if api != "google":
        assert "stream = false" in str(fault)
