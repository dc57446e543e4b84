"""How batches are handed in, asked about and let go of: the pauses, the tries and the words."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import pytest

from goldwright.errors import ProviderError
from goldwright.llm.batch_pace import BatchPace
from goldwright.llm.batch_port import EntryResult, HandedIn, StillUnderWayError
from goldwright.llm.batching import MOST_BYTES, MOST_ENTRIES, BatchingProvider
from goldwright.llm.call_journal import CallJournal
from goldwright.llm.port import FaultKind, ProviderFault, Reply, Request, Usage
from goldwright.stages.stage_graph import roles_from
from units.llm.test_batching import PACE, Log, reply_to, request

T = TypeVar("T")


@dataclass
class Desk:
    """Takes batches in, each of which ends at once.

    Attributes:
        refusals: What befalls the next attempts to hand a batch in.
        odd_results: What became of the entries by their place, where it is no reply.
        found: What is found of batches that are looked for.
        find_faults: What befalls the next attempts to look for one.
        polls: How often a batch is asked about until it has ended.
        poll_faults: What befalls the next questions; None for a batch that is under way.
        kept: The requests of a batch that an earlier process handed in.
        discard_faults: What befalls the next attempts to delete.
    """

    refusals: list[ProviderFault] = field(default_factory=list)
    odd_results: Mapping[int, ProviderFault | None] = field(default_factory=dict)
    found: str | None = None
    find_faults: list[Exception] = field(default_factory=list)
    polls: int = 1
    poll_faults: list[ProviderFault | None] = field(default_factory=list)
    discard_faults: list[ProviderFault] = field(default_factory=list)
    kept: Mapping[str, Request] = field(default_factory=dict)
    submitted: list[tuple[HandedIn, Mapping[str, Request]]] = field(default_factory=list)
    looked_for: list[tuple[str, Collection[str]]] = field(default_factory=list)
    discarded: list[str] = field(default_factory=list)

    async def submit(self, batch: HandedIn, requests: Mapping[str, Request]) -> str:
        self.submitted.append((batch, dict(requests)))
        if self.refusals:
            raise self.refusals.pop(0)
        return f"b-{len(self.submitted)}"

    async def find(self, batch: HandedIn, known_ids: Collection[str]) -> str | None:
        self.looked_for.append((batch.label, known_ids))
        if self.find_faults:
            raise self.find_faults.pop(0)
        return self.found

    async def has_ended(self, _batch_id: str) -> bool:
        if self.poll_faults:
            fault = self.poll_faults.pop(0)
            if fault is not None:
                raise fault
            return False
        self.polls -= 1
        return self.polls <= 0

    async def results(self, batch: HandedIn) -> dict[str, EntryResult]:
        requests = self.kept or self.submitted[-1][1]
        results: dict[str, EntryResult] = {}
        for place, custom_id in enumerate(batch.entries):
            result = self.odd_results.get(place, reply_to(requests[custom_id]))
            if result is not None:
                results[custom_id] = result
        return results

    async def discard(self, batch: HandedIn) -> None:
        if self.discard_faults:
            raise self.discard_faults.pop(0)
        self.discarded.append(batch.label)

    async def close(self) -> None:
        """Nothing is open."""


@dataclass
class Rig:
    """A provider over a desk, with what was slept and said."""

    desk: Desk
    log: Log = field(default_factory=Log)
    pace: BatchPace = PACE
    slept: list[float] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def play(self, story: Callable[[BatchingProvider], Awaitable[T]]) -> T:
        """Do something with the provider, and close it."""

        async def run() -> T:
            batches = BatchingProvider(
                self.desk,
                CallJournal(self.log, roles_from),
                "m",
                pace=self.pace,
                sleep=self._sleep,
                secret="s",  # noqa: S106  # made up
                note=self.notes.append,
            )
            try:
                return await story(batches)
            finally:
                await batches.close()

        return asyncio.run(run())

    def ask(self, *requests: Request) -> list[Reply | BaseException]:
        """Ask all at once."""
        return self.play(lambda batches: ask_all(batches, requests))

    async def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        for _ in range(20):
            await asyncio.sleep(0)


async def ask_all(
    batches: BatchingProvider, requests: Sequence[Request]
) -> list[Reply | BaseException]:
    asked = (batches.ask(one) for one in requests)
    return await asyncio.gather(*asked, return_exceptions=True)


def faults(kind: FaultKind, count: int, *, is_billed: bool = False) -> list[ProviderFault]:
    return [ProviderFault(kind, "not today", may_be_billed=is_billed) for _ in range(count)]


def test_batches_have_room_for_a_thousand_requests_of_15_megabytes() -> None:
    assert (MOST_ENTRIES, MOST_BYTES) == (1000, 15_000_000)
    assert BatchPace() == BatchPace(gathering=30.0, first_poll=10.0, longest_poll=120.0)


def test_the_custom_ids_of_a_batch_begin_with_its_label_which_nobody_can_guess() -> None:
    rig = Rig(Desk())
    rig.ask(request("judge:a"), request("judge:b"))
    ((batch, requests),) = rig.desk.submitted
    assert batch.label.startswith("gw-")
    assert len(batch.label) == len("gw-") + 16
    assert list(batch.entries) == list(requests) == [f"{batch.label}-0", f"{batch.label}-1"]
    assert [one.item for one in requests.values()] == ["judge:a", "judge:b"]
    again = Rig(Desk())
    again.ask(request("judge:a"), request("judge:b"))
    assert again.desk.submitted[0][0].label == batch.label
    again.ask(request("judge:a"), request("judge:b"))
    assert again.desk.submitted[1][0].label != batch.label


def test_the_user_is_told_what_is_waited_for() -> None:
    rig = Rig(Desk())
    rig.ask(request("judge:a"), request("judge:b"))
    assert rig.notes == ["waiting for a batch of 2 to m: b-1"]


def test_polls_come_ever_more_rarely_up_to_the_longest_pause() -> None:
    rig = Rig(Desk(polls=7))
    rig.ask(request("judge:a"))
    assert rig.slept == [1.0, 2.0, 3.0, 4.5, 6.75, 9.0, 9.0, 9.0]


def test_a_batch_is_handed_in_when_nothing_new_came_for_a_while() -> None:
    rig = Rig(Desk())

    async def come_late(batches: BatchingProvider) -> None:
        early = asyncio.create_task(batches.ask(request("judge:a")))
        for _ in range(5):
            await asyncio.sleep(0)
        late = asyncio.create_task(batches.ask(request("judge:b")))
        await asyncio.gather(early, late)

    rig.play(come_late)
    assert [len(requests) for _, requests in rig.desk.submitted] == [2]
    # The second pause saw the late one, the third saw nothing new.
    assert rig.slept == [1.0, 1.0, 2.0]


@pytest.mark.parametrize(
    ("refusals", "tries"),
    [
        (faults("overloaded", 5), 6),
        (faults("overloaded", 6), None),
        (faults("rate_limited", 5), 6),
        (faults("rate_limited", 6), None),
        (faults("conflict", 2), 3),
        (faults("conflict", 3), None),
        (faults("access", 1), None),
    ],
)
def test_a_batch_is_handed_in_as_often_as_its_faults_allow_and_six_times_at_most(
    refusals: list[ProviderFault], tries: int | None
) -> None:
    kind, count = refusals[0].kind, len(refusals)
    rig = Rig(Desk(refusals=list(refusals)))
    (result,) = rig.ask(request("judge:a"))
    assert len(rig.desk.submitted) == (tries or count)
    if tries is None:
        assert isinstance(result, ProviderFault)
        assert (result.kind, str(result)) == (kind, "not today")
        assert CallJournal(rig.log, roles_from).batch_ids() == frozenset()
        assert rig.desk.discarded == [rig.desk.submitted[0][0].label]
    else:
        assert isinstance(result, Reply)
    labels = {batch.label for batch, _ in rig.desk.submitted}
    assert len(labels) == 1


@pytest.mark.parametrize(("told", "waited"), [(None, 2.0), (1.0, 2.0), (33.0, 33.0)])
def test_another_attempt_waits_for_its_pause_or_for_as_long_as_told(
    told: float | None, waited: float
) -> None:
    fault = ProviderFault("overloaded", "busy", retry_after=told)
    rig = Rig(Desk(refusals=[fault, *faults("overloaded", 1)]))
    rig.ask(request("judge:a"))
    assert rig.slept == [1.0, waited, 3.0, 2.0]


def test_only_a_batch_that_may_have_been_taken_is_looked_for() -> None:
    rig = Rig(Desk(refusals=faults("overloaded", 1)))
    rig.ask(request("judge:a"))
    assert rig.desk.looked_for == []
    lost = Rig(Desk(refusals=faults("cut", 1, is_billed=True), found="b-9"))
    lost.ask(request("judge:a"))
    assert lost.desk.looked_for == [(lost.desk.submitted[0][0].label, frozenset())]
    assert len(lost.desk.submitted) == 1
    assert CallJournal(lost.log, roles_from).batch_ids() == {"b-9"}
    not_found = Rig(Desk(refusals=faults("cut", 1, is_billed=True)))
    not_found.ask(request("judge:a"))
    assert len(not_found.desk.submitted) == 2


def test_the_ids_of_the_run_are_known_to_who_looks_for_a_batch() -> None:
    rig = Rig(Desk())
    rig.ask(request("judge:a"))
    rig.desk.refusals = faults("cut", 1, is_billed=True)
    rig.ask(request("judge:b"))
    assert [known for _, known in rig.desk.looked_for] == [{"b-1"}]


def test_a_fault_of_an_entry_reaches_who_asked_with_all_that_it_says() -> None:
    usage = Usage(fresh=1)
    fault = ProviderFault("cut", "oh", retry_after=3.0, may_be_billed=True, usage=usage)
    rig = Rig(Desk(odd_results={1: fault, 2: None}))
    good, broken, left_out = rig.ask(*(request(f"judge:{name}") for name in "abc"))
    assert isinstance(good, Reply)
    assert isinstance(broken, ProviderFault)
    assert broken is not fault
    assert (broken.kind, str(broken), broken.retry_after) == ("cut", "oh", 3.0)
    assert (broken.may_be_billed, broken.usage) == (True, usage)
    assert isinstance(left_out, ProviderFault)
    assert (left_out.kind, left_out.may_be_billed) == ("cut", True)
    assert str(left_out) == "a batch ended without a word on this entry"


def test_what_failed_in_a_batch_can_be_asked_again_in_another() -> None:
    rig = Rig(Desk(odd_results={0: ProviderFault("cut", "oh")}))

    async def ask_twice(batches: BatchingProvider) -> Reply:
        with pytest.raises(ProviderFault, match=r"^oh$"):
            await batches.ask(request("judge:a"))
        rig.desk.odd_results = {}
        return await batches.ask(request("judge:a"))

    assert rig.play(ask_twice) == reply_to(request("judge:a"))
    assert len(rig.desk.submitted) == 2


@pytest.mark.parametrize("kind", ["access", "spend_limit", "no_such_model", "bad_request"])
def test_a_server_that_takes_no_batches_is_named_before_anything_is_asked(kind: FaultKind) -> None:
    rig = Rig(Desk(find_faults=[*faults(kind, 1)]))
    with pytest.raises(ProviderError) as caught:
        rig.play(lambda batches: batches.try_out())
    assert str(caught.value) == (
        f"m: its server takes no batches from this key ({kind}: not today); leave --batch out"
    )


@pytest.mark.parametrize("kind", ["overloaded", "unreachable", "rate_limited", None])
def test_what_may_pass_does_not_keep_from_trying_batches(kind: FaultKind | None) -> None:
    rig = Rig(Desk(find_faults=[*faults(kind, 1)] if kind else []))
    rig.play(lambda batches: batches.try_out())
    assert rig.desk.looked_for == [("gw-nothing", frozenset())]
    assert rig.slept == []


def test_who_is_cancelled_before_their_batch_is_handed_in_is_not_in_it() -> None:
    rig = Rig(Desk())

    async def give_up(batches: BatchingProvider) -> Reply:
        gone = asyncio.create_task(batches.ask(request("judge:gone")))
        stays = asyncio.create_task(batches.ask(request("judge:stays")))
        await asyncio.sleep(0)
        gone.cancel()
        return await stays

    assert rig.play(give_up) == reply_to(request("judge:stays"))
    ((_, requests),) = rig.desk.submitted
    assert [one.item for one in requests.values()] == ["judge:stays"]


def test_nothing_goes_on_when_a_provider_is_closed() -> None:
    rig = Rig(Desk(polls=1000))

    async def leave(batches: BatchingProvider) -> list[asyncio.Task[object]]:
        asked = asyncio.create_task(batches.ask(request("judge:a")))
        for _ in range(200):
            await asyncio.sleep(0)
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)
        await batches.close()
        current = asyncio.current_task()
        return [task for task in asyncio.all_tasks() if task is not current]

    assert rig.play(leave) == []
    assert rig.desk.polls > 900


def test_an_error_of_our_own_is_raised_for_those_who_ask_later_too() -> None:
    rig = Rig(Desk(find_faults=[*faults("access", 1)], refusals=faults("cut", 1, is_billed=True)))

    async def ask_on(batches: BatchingProvider) -> None:
        for item in ("judge:a", "judge:b"):
            with pytest.raises(ProviderError, match="resume waits for it again"):
                await batches.ask(request(item))

    rig.play(ask_on)
    assert len(rig.desk.submitted) == 1


@pytest.mark.parametrize("kind", ["unreachable", "overloaded", "cut"])
@pytest.mark.parametrize(("row", "is_answered"), [(60, True), (61, False)])
def test_sixty_failed_questions_in_a_row_are_waited_out(
    kind: FaultKind, row: int, *, is_answered: bool
) -> None:
    bad_hours: list[ProviderFault | None] = [*faults(kind, 60), None, *faults(kind, row)]
    rig = Rig(Desk(poll_faults=bad_hours))
    (result,) = rig.ask(request("judge:a"))
    if is_answered:
        assert isinstance(result, Reply)
        return
    assert isinstance(result, ProviderError)
    assert str(result) == f"m: batch b-1: {kind}: not today; resume waits for it again"


@pytest.mark.parametrize(("row", "is_found"), [(60, True), (61, False)])
def test_sixty_failed_searches_in_a_row_are_waited_out(row: int, *, is_found: bool) -> None:
    bad_hours: list[Exception] = [*faults("overloaded", 60), StillUnderWayError()]
    bad_hours += faults("overloaded", row)
    rig = Rig(Desk(refusals=faults("cut", 1, is_billed=True), find_faults=bad_hours, found="b-9"))
    (result,) = rig.ask(request("judge:a"))
    assert isinstance(result, Reply if is_found else ProviderError)
    label = rig.desk.submitted[0][0].label
    if not is_found:
        assert str(result) == f"m: batch {label}: overloaded: not today; resume waits for it again"
    # A pause comes before each search, and they grow as those of the questions.
    assert rig.slept[1:6] == [2.0, 3.0, 4.5, 6.75, 9.0]


@pytest.mark.parametrize("kind", ["bad_request", "no_such_model"])
def test_a_batch_that_is_gone_ends_each_of_its_entries(kind: FaultKind) -> None:
    rig = Rig(Desk(poll_faults=[*faults(kind, 1)]))
    results = rig.ask(request("judge:a"), request("judge:b"))
    told = [(result.kind, str(result)) for result in results if isinstance(result, ProviderFault)]
    assert told == [(kind, "not today")] * 2
