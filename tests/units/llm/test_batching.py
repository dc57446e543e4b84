"""Batches: gathered while requests come, answered each to its own, joined again after a crash."""

import asyncio
import itertools
import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from goldwright.canonical import canonical_json
from goldwright.errors import BudgetError, ProviderError
from goldwright.journal import CallEntry
from goldwright.llm import batching
from goldwright.llm.batch_pace import BatchPace
from goldwright.llm.batch_port import EntryResult, HandedIn, StillUnderWayError
from goldwright.llm.batching import BatchingProvider
from goldwright.llm.budget import Budget, BudgetedProvider
from goldwright.llm.call_journal import CallJournal
from goldwright.llm.journaling import JournalingProvider, ReplayingProvider
from goldwright.llm.port import (
    FaultKind,
    Provider,
    ProviderFault,
    Reply,
    Request,
    Usage,
    UserMessage,
)
from goldwright.llm.pricing import ModelPricing, TokenRates
from goldwright.llm.providers.anthropic import AnthropicAdapter
from goldwright.llm.providers.anthropic_batch import AnthropicBatches
from goldwright.stages.stage_graph import roles_from
from scripted.server import serve_in_thread
from scripted.wire import Say

PRICING = ModelPricing(TokenRates(input=0, cached=0, cache_write=0, output=1000))
OUTPUT = 7
MOST_OUTPUT = 100
PACE = BatchPace(gathering=1.0, first_poll=2.0, longest_poll=9.0)


class Killed(BaseException):
    """The end of the process."""


@dataclass
class Log:
    """The file of calls in memory; the process dies right after entry number ``dies_after``."""

    entries: list[CallEntry] = field(default_factory=list)
    dies_after: int | None = None

    def append(self, kind: str, body: Mapping[str, object]) -> CallEntry:
        if self.is_dead:
            raise Killed
        entry = CallEntry(len(self.entries), kind, json.loads(canonical_json(body)))
        self.entries.append(entry)
        if self.is_dead:
            raise Killed
        return entry

    @property
    def is_dead(self) -> bool:
        """Whether the process has died: nothing is written any more."""
        return self.dies_after is not None and len(self.entries) >= self.dies_after


@dataclass
class Provider24h:
    """A provider of batches that outlives the processes that ask it.

    Attributes:
        faults: What befalls the next calls, one each; None for nothing.
        loses: Whether a fault of handing in comes after the batch was taken.
        knows_labels: Whether batches are found by label, or by their results alone.
        lost_from_sight: What befalls the next attempts to look for a batch.
        polls: How often a batch is asked about until it has ended.
        discarded: The labels of the batches whose files were deleted.
        deletes_nothing: Whether deleting fails.
    """

    faults: list[FaultKind | None] = field(default_factory=list)
    loses: bool = False
    knows_labels: bool = True
    polls: int = 2
    batches: dict[str, tuple[str, Mapping[str, Request]]] = field(default_factory=dict)
    asked: Counter[str] = field(default_factory=Counter)
    billed: Counter[str] = field(default_factory=Counter)
    discarded: list[str] = field(default_factory=list)
    deletes_nothing: bool = False
    lost_from_sight: list[FaultKind] = field(default_factory=list)

    async def submit(self, batch: HandedIn, requests: Mapping[str, Request]) -> str:
        kind = self.faults.pop(0) if self.faults else None
        if kind is not None and not self.loses:
            raise ProviderFault(kind, "not today")
        name = f"batch-{len(self.batches)}"
        self.batches[name] = (batch.label, dict(requests))
        self.billed.update(request.item for request in requests.values())
        if kind is not None:
            raise ProviderFault(kind, "taken and lost", may_be_billed=True)
        return name

    async def find(self, batch: HandedIn, known: Collection[str]) -> str | None:
        if self.lost_from_sight:
            raise ProviderFault(self.lost_from_sight.pop(0), "not today")
        is_under_way = False
        for name, (label, requests) in reversed(self.batches.items()):
            if len(requests) != len(batch.entries) or name in known:
                continue
            self.asked[name] += 1
            shows = self.knows_labels or self.asked[name] > self.polls
            if shows and label == batch.label:
                return name
            is_under_way = is_under_way or not shows
        if is_under_way:
            raise StillUnderWayError
        return None

    async def has_ended(self, batch_id: str) -> bool:
        if self.faults:
            kind = self.faults.pop(0)
            if kind is not None:
                raise ProviderFault(kind, "not today")
        self.asked[batch_id] += 1
        return self.asked[batch_id] > self.polls

    async def results(self, batch: HandedIn) -> dict[str, EntryResult]:
        assert batch.label not in self.discarded
        requests = self.batches[batch.batch_id or ""][1]
        return {custom_id: reply_to(request) for custom_id, request in requests.items()}

    async def discard(self, batch: HandedIn) -> None:
        if self.deletes_nothing:
            raise ProviderFault("server_error", "not today")
        self.discarded.append(batch.label)

    async def close(self) -> None:
        """Nothing is open."""


def request(item: str, size: int = 1) -> Request:
    return Request(
        item=item,
        model="m",
        system="",
        turns=(UserMessage("?" * size),),
        max_output_tokens=MOST_OUTPUT,
    )


def reply_to(one: Request) -> Reply:
    return Reply(f"to {one.item}", (), "done", "end", Usage(fresh=1, output=OUTPUT), "m", echo=[])


class Process:
    """One life of the program over a log: its journal, its budget and its provider."""

    def __init__(self, log: Log, provider: Provider24h, ceiling: int | None = None) -> None:
        self.slept: list[float] = []
        self.journal = CallJournal(log, roles_from)
        self.budget = Budget(ceiling)
        for item, spend in self.journal.spent_by_item().items():
            self.budget.spend(item, spend.most_micro_usd)
        for (item, key), cost in self.journal.awaited_calls().items():
            self.budget.hold(item, key, cost.most_micro_usd)
        self._provider = provider

    async def ask(self, requests: Sequence[Request]) -> list[Reply | BaseException]:
        """Ask all at once, and give what came of each."""
        provider, batches = self._stack()
        batches.follow_earlier()
        asked = [asyncio.create_task(provider.ask(one)) for one in requests]
        try:
            return await asyncio.gather(*asked, return_exceptions=True)
        finally:
            for task in asked:
                task.cancel()
            await batches.close()

    def _stack(self) -> tuple[Provider, BatchingProvider]:
        batches = BatchingProvider(
            self._provider,
            self.journal,
            "m",
            pace=PACE,
            sleep=self._sleep,
            secret="s",  # noqa: S106  # made up
            note=lambda _text: None,
        )
        journaling = JournalingProvider(
            batches,
            self.journal,
            PRICING,
            stopping=lambda: None,
            now=lambda: datetime(2026, 11, 23, tzinfo=UTC),
            in_batches=True,
        )
        budgeted = BudgetedProvider(journaling, self.budget, PRICING)
        return ReplayingProvider(budgeted, self.journal), batches

    async def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        # Whatever else is ready goes first.
        for _ in range(20):
            await asyncio.sleep(0)


def run(process: Process, requests: Sequence[Request]) -> list[Reply | BaseException]:
    """Ask, and die where one of those who asked does."""
    results = asyncio.run(process.ask(requests))
    for result in results:
        if isinstance(result, Killed):
            raise result
    return results


def texts(results: Sequence[Reply | BaseException]) -> list[str]:
    return [result.text if isinstance(result, Reply) else repr(result) for result in results]


def test_what_waits_together_is_one_batch_and_everybody_gets_their_own_reply() -> None:
    provider = Provider24h()
    process = Process(Log(), provider)
    requests = [request(f"judge:{number}") for number in range(30)]
    assert texts(run(process, requests)) == [f"to judge:{number}" for number in range(30)]
    assert len(provider.batches) == 1
    # Gathered once and again to see that nothing new came; then polls that come ever more rarely.
    assert process.slept == [1.0, 2.0, 3.0, 4.5]


@pytest.mark.parametrize(("entries", "size", "batches"), [(5, 1, 2), (4, 600, 2), (2, 2000, 2)])
def test_no_batch_is_larger_than_providers_take(
    monkeypatch: pytest.MonkeyPatch, entries: int, size: int, batches: int
) -> None:
    monkeypatch.setattr(batching, "MOST_ENTRIES", 3)
    monkeypatch.setattr(batching, "MOST_BYTES", 2000)
    provider = Provider24h()
    requests = [request(f"judge:{number}", size) for number in range(entries)]
    assert len(texts(run(Process(Log(), provider), requests))) == entries
    assert len(provider.batches) == batches


def test_a_fault_of_handing_in_keeps_the_entries_together() -> None:
    provider = Provider24h(faults=["overloaded", "server_error", None])
    results = run(Process(Log(), provider), [request("judge:a"), request("judge:b")])
    assert texts(results) == ["to judge:a", "to judge:b"]
    assert len(provider.batches) == 1


@pytest.mark.parametrize("knows_labels", [True, False])
def test_a_batch_whose_answer_was_lost_is_looked_for(*, knows_labels: bool) -> None:
    provider = Provider24h(faults=["cut", None], loses=True, knows_labels=knows_labels)
    results = run(Process(Log(), provider), [request("judge:a")])
    assert texts(results) == ["to judge:a"]
    assert provider.billed == {"judge:a": 1}


@pytest.mark.parametrize("kinds", [["access"], ["unreachable"] * 99])
def test_a_batch_that_nobody_can_look_for_is_not_handed_in_again(kinds: list[FaultKind]) -> None:
    log = Log()
    provider = Provider24h(faults=["cut", None], loses=True, lost_from_sight=list(kinds))
    for _ in range(2):
        (stopped,) = run(Process(log, provider), [request("judge:a")])
        assert isinstance(stopped, ProviderError)
        assert "resume waits for it again" in str(stopped)
        provider.lost_from_sight[:] = kinds
    provider.lost_from_sight.clear()
    assert texts(run(Process(log, provider), [request("judge:a")])) == ["to judge:a"]
    assert provider.billed == {"judge:a": 1}


def test_a_bad_hour_of_a_provider_does_not_hide_a_batch() -> None:
    provider = Provider24h(
        faults=["cut", None], loses=True, lost_from_sight=["overloaded", "server_error", "cut"]
    )
    assert texts(run(Process(Log(), provider), [request("judge:a")])) == ["to judge:a"]
    assert provider.billed == {"judge:a": 1}


def test_anthropics_batches_of_one_size_are_told_apart_by_their_results() -> None:
    """Another run with the same key has handed in as many requests since."""

    async def find_each(url: str) -> None:
        adapter = AnthropicAdapter(key="k", base_url=url, seconds=5.0, stream=False)
        batches = AnthropicBatches(adapter)
        ours, others, nowhere = (
            HandedIn(f"gw-{name}", "m", {f"gw-{name}-0": ("judge:a", "k")})
            for name in ("ours", "others", "nowhere")
        )
        asked = replace(request("judge:a"), system="Judge.")
        try:
            own_id = await batches.submit(ours, {"gw-ours-0": asked})
            other_id = await batches.submit(others, {"gw-others-0": asked})
            with pytest.raises(StillUnderWayError):
                await batches.find(ours, frozenset())
            assert await batches.find(ours, frozenset()) == own_id
            assert await batches.find(others, {own_id}) == other_id
            assert await batches.find(ours, {own_id}) is None
            assert await batches.find(nowhere, frozenset()) is None
        finally:
            await batches.close()

    with serve_in_thread(lambda _heard: Say(text="yes")) as server:
        asyncio.run(find_each(server.url))


def test_what_is_refused_for_good_is_told_to_everybody_and_costs_nothing() -> None:
    log = Log()
    provider = Provider24h(faults=["access"])
    process = Process(log, provider)
    results = run(process, [request("judge:a"), request("judge:b")])
    faults = [result for result in results if isinstance(result, ProviderFault)]
    assert [fault.kind for fault in faults] == ["access", "access"]
    assert faults[0] is not faults[1]
    assert process.journal.total.micro_usd == 0
    assert CallJournal(log, roles_from).open_batches("m") == ()


def test_bad_hours_of_a_provider_are_waited_out() -> None:
    bad_hours: list[FaultKind | None] = ["server_error"] * 40
    bad_hours.insert(0, None)
    provider = Provider24h(faults=bad_hours)
    assert texts(run(Process(Log(), provider), [request("judge:a")])) == ["to judge:a"]


@pytest.mark.parametrize("kinds", [["access"], ["unreachable"] * 99])
def test_a_batch_of_which_nobody_can_say_how_it_stands_is_kept(kinds: list[FaultKind]) -> None:
    log, provider = Log(), Provider24h(faults=[None, *kinds])
    (stopped,) = run(Process(log, provider), [request("judge:a")])
    assert isinstance(stopped, ProviderError)
    assert "batch-0: " in str(stopped)
    assert "resume waits for it again" in str(stopped)
    provider.faults.clear()
    assert texts(run(Process(log, provider), [request("judge:a")])) == ["to judge:a"]
    assert provider.billed == {"judge:a": 1}


def test_a_batch_that_was_refused_as_a_whole_ends_its_entries() -> None:
    log, provider = Log(), Provider24h(faults=[None, "bad_request"])
    (refused,) = run(Process(log, provider), [request("judge:a")])
    assert isinstance(refused, ProviderFault)
    assert CallJournal(log, roles_from).open_batches("m") == ()


def test_an_error_of_our_own_ends_everybody_who_waits() -> None:
    class FullDisk(Log):
        def append(self, kind: str, body: Mapping[str, object]) -> CallEntry:
            if kind == "batch":
                raise OSError("no room")
            return super().append(kind, body)

    results = run(Process(FullDisk(), Provider24h()), [request("judge:a"), request("judge:b")])
    assert [type(result) for result in results] == [OSError, OSError]


@pytest.mark.parametrize("knows_labels", [True, False])
def test_processes_that_die_after_any_entry_pay_nothing_twice(*, knows_labels: bool) -> None:
    """Two rounds of requests; each process dies some entries after it began.

    It takes three to drop a batch that was never handed in, begin another and name that.
    """
    rounds = [
        [request(f"adversary:{number}") for number in range(4)],
        [request(f"judge:{number}") for number in range(3)],
    ]
    for lives in itertools.chain(range(3, 24), (1000,)):
        log, provider = Log(), Provider24h(knows_labels=knows_labels)
        replies: list[Reply | BaseException] = []
        for _ in range(60):
            log.dies_after = len(log.entries) + lives
            try:
                process = Process(log, provider)
                replies = [reply for requests in rounds for reply in run(process, requests)]
            except Killed:
                continue
            if all(isinstance(reply, Reply) for reply in replies):
                break
        assert texts(replies) == [f"to {one.item}" for requests in rounds for one in requests]
        assert set(provider.billed.values()) == {1}, lives
        total = CallJournal(log, roles_from).total
        assert (total.micro_usd, total.presumed_micro_usd) == (7 * OUTPUT, 0), lives
        # Every file is gone, and none went while its results were still to be fetched.
        assert {label for label, _ in provider.batches.values()} <= set(provider.discarded), lives


def test_files_of_a_batch_are_deleted_once_when_its_replies_are_on_disk() -> None:
    log, provider = Log(), Provider24h()
    for _ in range(2):
        run(Process(log, provider), [request("judge:a"), request("judge:b")])
    assert provider.discarded == [label for label, _ in provider.batches.values()]
    kinds = [entry.kind for entry in log.entries]
    assert kinds[-3:] == ["reply", "reply", "batch"]
    assert log.entries[-1].body == {"label": provider.discarded[0], "discarded": True}


def test_files_of_a_batch_that_was_refused_are_deleted() -> None:
    provider = Provider24h(faults=["access"])
    run(Process(Log(), provider), [request("judge:a")])
    assert len(provider.discarded) == 1


def test_what_could_not_be_deleted_stops_nobody_and_is_left_to_the_next_process() -> None:
    log, provider = Log(), Provider24h(deletes_nothing=True)
    assert texts(run(Process(log, provider), [request("judge:a")])) == ["to judge:a"]
    provider.deletes_nothing = False
    run(Process(log, provider), [])
    assert len(provider.discarded) == 1


def test_what_waits_in_a_batch_keeps_its_place_under_the_ceiling() -> None:
    """A resumed run with room for nothing else still takes the replies that it has paid for."""
    log, provider = Log(), Provider24h()
    log.dies_after = 4
    with pytest.raises(Killed):
        run(Process(log, provider, ceiling=200), [request("judge:a"), request("judge:b")])
    assert len(provider.batches) == 1
    log.dies_after = None
    process = Process(log, provider, ceiling=200)
    assert (process.budget.settled, process.budget.reserved) == (0, 200)
    results = run(process, [request("judge:c"), request("judge:a"), request("judge:b")])
    assert isinstance(results[0], BudgetError | Reply)
    assert texts(results[1:]) == ["to judge:a", "to judge:b"]
    assert process.budget.settled + process.budget.reserved <= 200


def test_nobody_waits_for_money_that_is_set_aside_for_what_nobody_asks_again() -> None:
    log, provider = Log(), Provider24h()
    log.dies_after = 3
    with pytest.raises(Killed):
        run(Process(log, provider, ceiling=100), [request("judge:a")])
    log.dies_after = None
    (result,) = run(Process(log, provider, ceiling=100), [request("judge:b")])
    assert isinstance(result, BudgetError)


def test_a_stage_that_is_done_again_does_not_take_what_its_batches_bring() -> None:
    log, provider = Log(), Provider24h()
    log.dies_after = 3
    with pytest.raises(Killed):
        run(Process(log, provider), [request("judge:a")])
    log.dies_after = None
    log.append("redo", {"from": "agreement"})
    process = Process(log, provider)
    assert process.journal.open_batches("m") == ()
    assert texts(run(process, [request("judge:a")])) == ["to judge:a"]
    assert provider.billed == {"judge:a": 2}


def test_results_are_fetched_from_the_host_of_the_api_alone() -> None:
    """The SDK sends the key to wherever the server says that the results are."""
    adapter = AnthropicAdapter(key="k", base_url="http://127.0.0.1:9", seconds=5.0, stream=False)
    batches = AnthropicBatches(adapter)
    batch = HandedIn("gw", "m", {"gw-0": ("judge:a", "k")}, "msgbatch_1")

    class Named:
        id = "msgbatch_1"
        results_url = "https://elsewhere.example/results"

    async def retrieve(_batch_id: str) -> Named:
        return Named()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batches, "_batches", SimpleNamespace(retrieve=retrieve))
        with pytest.raises(ProviderFault, match=r"elsewhere\.example, which is another host"):
            asyncio.run(batches.results(batch))
