"""What holds of every way of speaking to models, with the real SDKs against a strict server on this
machine.
"""

import asyncio
import importlib
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest

from goldwright.live_agents.author import CandidateBatch
from goldwright.live_agents.judge import JudgeReply
from goldwright.live_agents.model_tools import declare_tools
from goldwright.llm.catalog import APIS, Api, open_adapter
from goldwright.llm.port import (
    Adapter,
    ProviderFault,
    Reply,
    Request,
    ToolResult,
    ToolResults,
    UserMessage,
)
from goldwright.llm.port import AssistantMessage as Echo
from goldwright.llm.reply_schema import reply_schema
from goldwright.records import AnswerDraft, NarrativeVerdictDraft, ReportDraft
from scripted.server import Fault, Running, serve_in_thread
from scripted.wire import Call, Heard, Say

T = TypeVar("T")

MODELS = {
    "anthropic": "claude-sonnet-5",
    "responses": "gpt-5",
    "chat": "qwen3-coder",
    "google": "gemini-3.8-flash",
}
LONGEST_ADAPTER = 220
TOOLS = declare_tools(frozenset({"list", "search", "read", "outline", "log", "blame"}))


def look_twice(heard: Heard) -> Say:
    """Ask for two files at once, then for a search, then hand back the last word."""
    shown = sum(len(turn.results) for turn in heard.turns)
    if heard.tool_choice == "none" or shown >= 3:
        return Say(text='{"verdict": "equivalent", "reason": "same"}')
    if shown == 2:
        return Say(text="One more.", calls=(Call("c3", "list", {"pattern": "*.py"}),))
    reads = (Call(f"c{n}", "read", {"path": f"{n}.py", "first": 1, "last": None}) for n in (1, 2))
    return Say(calls=tuple(reads))


@pytest.fixture(params=list(APIS))
def api(request: pytest.FixtureRequest) -> Api:
    """Each way of speaking in turn."""
    found: Api = request.param
    return found


@pytest.fixture
def server() -> Iterator[Running]:
    """A model that looks around and then answers."""
    with serve_in_thread(look_twice) as running:
        yield running


def talk(
    api: Api, url: str, work: Callable[[Adapter], Awaitable[T]], *, seconds: float = 20.0
) -> T:
    """Do some work with an adapter, and close it."""

    async def run() -> T:
        base = f"{url}/v1" if api in {"responses", "chat"} else url
        adapter = open_adapter(api, key="a-key", base_url=base, seconds=seconds)
        try:
            return await work(adapter)
        finally:
            await adapter.close()

    return asyncio.run(run())


def request_for(api: Api, **fields: object) -> Request:
    """Make a first request with all tools and a schema."""
    request = Request(
        "oracle:q",
        MODELS[api],
        "# The Oracle",
        (UserMessage("Go."),),
        TOOLS,
        schema=reply_schema(NarrativeVerdictDraft),
    )
    return Request(**{**vars(request), **fields})


async def ask(adapter: Adapter, request: Request) -> Reply:
    """Ask once."""
    return await adapter.ask(request)


async def converse(adapter: Adapter, request: Request) -> list[Reply]:
    """Answer every call until the last word."""
    replies = [await adapter.ask(request)]
    while replies[-1].stop == "tools":
        results = tuple(
            ToolResult(use.call_id, use.name, "L1│x = 1") for use in replies[-1].tool_uses
        )
        turns = (*request.turns, Echo(replies[-1].echo), ToolResults(results))
        request = Request(**{**vars(request), "turns": turns})
        replies.append(await adapter.ask(request))
    return replies


def test_an_adapter_is_short_enough_to_be_read_at_one_sitting(api: Api) -> None:
    """It translates, and has no room for anything else."""
    file = importlib.import_module(APIS[api][0]).__file__
    assert file
    assert len(Path(file).read_text().splitlines()) <= LONGEST_ADAPTER


def test_a_conversation_with_parallel_calls_goes_through_word_for_word(
    api: Api, server: Running
) -> None:
    """The server is strict about pairs, order, schemas and what it wants back; every request is one
    HTTP request.
    """
    replies = talk(api, server.url, lambda adapter: converse(adapter, request_for(api)))
    assert [reply.stop for reply in replies] == ["tools", "tools", "done"]
    assert [use.arguments for use in replies[0].tool_uses] == [
        {"path": f"{n}.py", "first": 1, "last": None} for n in (1, 2)
    ]
    assert replies[-1].text == '{"verdict": "equivalent", "reason": "same"}'
    assert all(MODELS[api] in reply.model for reply in replies)
    assert [entry.status for entry in server.log] == [200, 200, 200]


def test_what_is_counted_is_what_the_provider_counts(api: Api, server: Running) -> None:
    """Fresh, cached and written input exclude each other, and thinking is output."""
    replies = talk(api, server.url, lambda adapter: converse(adapter, request_for(api)))
    for reply, entry in zip(replies, server.log, strict=True):
        assert reply.usage.counted
        assert (
            reply.usage.fresh + reply.usage.cache_written
            == entry.usage["fresh"] + entry.usage["written"]
        )
        assert reply.usage.cached == entry.usage["cached"]
        assert reply.usage.output == entry.usage["output"]
    assert replies[-1].usage.cached > 0


def test_closed_tools_are_offered_and_not_to_be_used(api: Api, server: Running) -> None:
    """The model hands back its last word at once."""
    replies = talk(
        api, server.url, lambda adapter: converse(adapter, request_for(api, tools_closed=True))
    )
    assert [reply.stop for reply in replies] == ["done"]


@pytest.mark.parametrize("model", [CandidateBatch, AnswerDraft, ReportDraft, JudgeReply])
def test_the_schema_of_each_role_is_taken(api: Api, server: Running, model: type) -> None:
    """With tools and without."""
    schema = reply_schema(model)
    with_tools = request_for(api, schema=schema, tools_closed=True)
    assert talk(api, server.url, lambda adapter: converse(adapter, with_tools))[-1].stop == "done"
    with serve_in_thread(lambda _: Say(text="{}")) as plain:
        alone = request_for(api, schema=schema, tools=())
        assert talk(api, plain.url, lambda adapter: converse(adapter, alone))[-1].stop == "done"


@pytest.mark.parametrize(
    "fault",
    [
        Fault("status", status=503),
        Fault("reset_before"),
        Fault("trickle", seconds=5.0),
        Fault("hang", seconds=5.0),
    ],
    ids=lambda fault: fault.kind,
)
def test_one_attempt_is_one_request_whatever_happens_and_ends_in_time(
    api: Api, fault: Fault
) -> None:
    """No SDK tries again by itself, none waits for more than the attempt may take."""
    # Half a second is short for a busy machine to connect in: faults that come at once get longer.
    seconds = 0.5 if fault.seconds else 20.0
    with (
        serve_in_thread(look_twice, faults=lambda _, __: fault) as server,
        pytest.raises(ProviderFault),
    ):
        talk(api, server.url, lambda adapter: adapter.ask(request_for(api)), seconds=seconds)
    # On a machine that is busy enough the time is up before the request was sent.
    assert len(server.log) == 1 or (fault.seconds and not server.log)


def test_a_model_that_is_cut_off_is_never_through(api: Api) -> None:
    """Half an answer has its own way of stopping."""
    with serve_in_thread(lambda _: Say(text='{"verdict": "equ', stop="length")) as server:
        reply = talk(api, server.url, lambda adapter: adapter.ask(request_for(api)))
    assert reply.stop == "length"


def test_refusing_is_no_answer(api: Api) -> None:
    """A refusal has its own way of stopping, in each provider's own clothes."""
    with serve_in_thread(lambda _: Say(stop="refused")) as server:
        reply = talk(api, server.url, lambda adapter: adapter.ask(request_for(api)))
    assert reply.stop == "refused"


def test_results_come_back_in_their_order_with_our_note_behind_them(api: Api) -> None:
    """A tool that failed is told as such where the protocol has a word for it."""
    heard: list[Heard] = []

    def look_once(one: Heard) -> Say:
        heard.append(one)
        if len(one.turns) > 1:
            return Say(text="{}")
        return Say(calls=tuple(Call(f"c{n}", "read", {"path": f"{n}.py"}) for n in (1, 2)))

    async def look(adapter: Adapter) -> Reply:
        request = request_for(api, schema=None)
        first = await adapter.ask(request)
        good, bad = first.tool_uses
        results = (
            ToolResult(good.call_id, good.name, "L1│x = 1"),
            ToolResult(bad.call_id, bad.name, "no such file", is_error=True),
        )
        turns = (*request.turns, Echo(first.echo), ToolResults(results, "Two more calls."))
        return await adapter.ask(request_for(api, schema=None, turns=turns))

    with serve_in_thread(look_once) as server:
        assert talk(api, server.url, look).text == "{}"
    # Some protocols have a message of the user for the note, others a part of the same one.
    told = [turn for turn in heard[-1].turns if turn.who != "model"][1:]
    shown = [result for turn in told for result in turn.results]
    assert [result.call_id for result in shown] == ["c1", "c2"]
    assert "x = 1" in shown[0].text
    assert "no such file" in shown[1].text
    assert shown[1].is_error == (api in {"anthropic", "google"})
    assert not shown[0].is_error
    assert told[-1].text == "Two more calls."


def test_what_is_sent_is_what_was_asked(api: Api) -> None:
    """Rules, model, room, tools and schema arrive as they are."""
    heard: list[Heard] = []

    def answer(one: Heard) -> Say:
        heard.append(one)
        return Say(text="{}")

    schema = reply_schema(NarrativeVerdictDraft)
    with serve_in_thread(answer) as server:
        for fields in ({"tools": ()}, {"schema": None}, {"tools_closed": True}):
            request = request_for(api, max_output_tokens=4321, **fields)
            talk(api, server.url, partial(ask, request=request))
    plain, with_tools, closed = heard
    for one in heard:
        assert (one.model, one.system, one.max_output_tokens) == (
            MODELS[api],
            "# The Oracle",
            4321,
        )
        assert [turn.text for turn in one.turns] == ["Go."]
    assert plain.tools == ()
    assert plain.schema == schema
    assert with_tools.schema is None
    assert set(with_tools.tools) == {tool.name for tool in TOOLS}
    assert (with_tools.tool_choice, closed.tool_choice) == ("auto", "none")


@pytest.mark.parametrize(
    ("stop", "expected"), [("length", "length"), ("filtered", "refused"), ("unknown", "unknown")]
)
@pytest.mark.filterwarnings(
    "ignore:A_REASON_OF_TOMORROW:UserWarning", "ignore:Pydantic serializer:UserWarning"
)
def test_every_end_that_is_no_answer_has_a_word_of_ours(api: Api, stop: str, expected: str) -> None:
    with serve_in_thread(lambda _: Say(text="half", stop=stop)) as server:
        reply = talk(api, server.url, lambda adapter: adapter.ask(request_for(api)))
    assert reply.stop == expected
    assert reply.stop_reason
    assert reply.tool_uses == ()


def test_nothing_is_stored_and_requests_of_one_role_share_a_cache() -> None:
    """Responses are kept for a month unless that is forbidden."""
    heard: list[Heard] = []

    def answer(one: Heard) -> Say:
        heard.append(one)
        return Say(text="{}")

    with serve_in_thread(answer) as server:
        for item in ("oracle:q1", "oracle:q2", "judge:q1"):
            request = request_for("responses", item=item)
            talk("responses", server.url, partial(ask, request=request))
    assert [one.body["store"] for one in heard] == [False] * 3
    assert [one.body["prompt_cache_key"] for one in heard] == [
        "goldwright-oracle",
        "goldwright-oracle",
        "goldwright-judge",
    ]
