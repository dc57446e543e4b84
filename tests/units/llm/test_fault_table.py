"""Every fault of a provider: the official SDKs and the whole line to a model, against a server that
errs by script.
"""

import asyncio
import json
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import cycle
from random import Random
from typing import Any, Final

import pytest

from effort import first_of, is_thorough
from goldwright.agents.roles import RoleRefusedError
from goldwright.agents.toolset import Toolset
from goldwright.canonical import canonical_json
from goldwright.errors import ProviderError, QuarantineError, UnansweredError, UnreachableError
from goldwright.journal import CallEntry
from goldwright.live_agents.model_tools import ModelTools
from goldwright.live_agents.output_rendering import OutputRenderer
from goldwright.live_agents.tool_loop import Brief, converse
from goldwright.live_agents.untrusted_markers import MarkSource
from goldwright.llm.budget import Budget, BudgetedProvider
from goldwright.llm.call_journal import CallJournal
from goldwright.llm.catalog import Api, open_adapter
from goldwright.llm.concurrency import ConcurrencyLimit, LimitedProvider
from goldwright.llm.journaling import JournalingProvider, ReplayingProvider
from goldwright.llm.model_identity import SameModelProvider
from goldwright.llm.port import Adapter, Reply, Request, Usage
from goldwright.llm.pricing import ModelPricing, TokenRates
from goldwright.llm.providers.scripted import ScriptedProvider
from goldwright.llm.reply_parsing import read_reply
from goldwright.llm.reply_schema import reply_schema
from goldwright.llm.request_rate import RequestRate
from goldwright.llm.retry import RetryingProvider
from goldwright.records.base import Record
from goldwright.snapshot import Snapshot, open_snapshot
from goldwright.stages.stage_graph import roles_from
from scripted.server import Entry, Fault, serve_in_thread
from scripted.wire import Call, Heard, Json, Say

pytestmark = pytest.mark.waits

APIS: Final[tuple[Api, ...]] = ("anthropic", "responses", "chat", "google")
OPENAI: Final[tuple[Api, ...]] = ("responses", "chat")
MODEL: Final = "scripted-1"
KEY: Final = "loopback" * 3
ITEM: Final = "oracle:q-1"
PRICING: Final = ModelPricing(TokenRates(input=2000, cached=200, cache_write=2500, output=10_000))
AT_ONCE: Final = 4
PATIENT: Final = 20.0
# Long enough for a request to arrive, and below for a reply to come back, on a machine with much
# else to do.
IMPATIENT: Final = 0.4
LESS_PATIENT: Final = 2.5
ANSWER: Final = '{"path": "shop/stock.py", "line": 7}'
ROOM: Final = 512
GOOD: Final = Say(ANSWER)
DEADLINE: Final = 900.0


class Place(Record):
    """What the model is asked for."""

    path: str
    line: int


FOUND: Final = Place(path="shop/stock.py", line=7)


@dataclass
class MemoryLog:
    """The log of a journal in memory; entries are written as JSON as on a disk."""

    entries: list[CallEntry] = field(default_factory=list)

    def append(self, kind: str, body: Mapping[str, object]) -> CallEntry:
        line = CallEntry(len(self.entries), kind, json.loads(canonical_json(body)))
        self.entries.append(line)
        return line

    def of(self, kind: str) -> list[Mapping[str, Any]]:
        return [line.body for line in self.entries if line.kind == kind]


@dataclass
class Clock:
    """Time that passes only while somebody sleeps."""

    now: float = 0.0
    slept: list[float] = field(default_factory=list)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    async def pass_by(self, seconds: float) -> None:
        self.now += seconds

    def seconds(self) -> float:
        return self.now


@dataclass(frozen=True)
class Outcome:
    """How one conversation ended."""

    value: Place | None
    error: Exception | None


@dataclass
class Script:
    """What the server does: the fault of each request by its number, and what the model says where
    there is none.
    """

    faults: Callable[[int], Fault | None] = lambda _: None
    says: Callable[[int, Heard], Say] = lambda _number, _heard: GOOD
    heard: list[Heard] = field(default_factory=list)

    def __call__(self, heard: Heard) -> Say:
        self.heard.append(heard)
        return self.says(len(self.heard), heard)


@dataclass
class Rig:
    """The whole line to one model as a run has it, with the clock and the chance of the test."""

    api: Api
    snapshot: Snapshot
    timeout: float = PATIENT
    file_log: MemoryLog = field(default_factory=MemoryLog)
    clock: Clock = field(default_factory=Clock)
    outcomes: list[Outcome] = field(default_factory=list)
    log: list[Entry] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.call_journal = CallJournal(self.file_log, roles_from)
        self.budget = Budget()
        # The pause of all and the waits of one call are told apart: only the latter follow from the
        # table.
        seconds = self.clock.seconds
        self.limit = ConcurrencyLimit(
            AT_ONCE, rate=RequestRate(seconds=seconds), seconds=seconds, sleep=self.clock.pass_by
        )

    def talk(self, url: str, items: Sequence[str] = (ITEM,)) -> None:
        """Work on some items one after another, over one line."""
        self.outcomes = asyncio.run(self._talk(url, items))

    async def _talk(self, url: str, items: Sequence[str]) -> list[Outcome]:
        base = f"{url}/v1" if self.api in OPENAI else url
        adapter = open_adapter(self.api, key=KEY, base_url=base, seconds=self.timeout)
        try:
            return await self.work_over(adapter, items)
        finally:
            await adapter.close()

    async def work_over(self, adapter: Adapter, items: Sequence[str] = (ITEM,)) -> list[Outcome]:
        """Work on some items one after another, with an adapter that is open."""
        line = self._line(adapter)
        return [await self._work(line, item) for item in items]

    def _line(self, adapter: Adapter) -> ReplayingProvider:
        paid = BudgetedProvider(
            JournalingProvider(
                SameModelProvider(adapter),
                self.call_journal,
                PRICING,
                stopping=_nobody,
                now=lambda: datetime(2026, 4, 14, tzinfo=UTC),
            ),
            self.budget,
            PRICING,
        )
        tried = RetryingProvider(
            LimitedProvider(paid, self.limit), name=MODEL, sleep=self.clock.sleep, chance=Random(11)
        )
        return ReplayingProvider(tried, self.call_journal)

    async def _work(self, line: ReplayingProvider, item: str) -> Outcome:
        task = "Where is the shelf?"
        brief = Brief(
            item,
            MODEL,
            "You find places.",
            task,
            reply_schema(Place),
            _place,
            max_output_tokens=ROOM,
        )
        toolbox = ModelTools(
            Toolset(self.snapshot), OutputRenderer(self.snapshot), MarkSource("secret", item)
        )
        try:
            found = await converse(line, brief, toolbox)
        except (ProviderError, QuarantineError, RoleRefusedError) as error:
            return Outcome(None, error)
        return Outcome(found, None)

    @property
    def value(self) -> Place | None:
        """What the one conversation came to."""
        return self.outcomes[0].value

    @property
    def error(self) -> Exception | None:
        """What the one conversation failed with."""
        return self.outcomes[0].error

    @property
    def billed(self) -> int:
        """What the server bills, in micro-dollars."""
        return sum(_price(entry.usage) for entry in self.log)


class Stage:
    """Plays scripts against the line to a model."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def play(
        self, api: Api, script: Script, *, timeout: float = PATIENT, items: Sequence[str] = (ITEM,)
    ) -> Rig:
        """Work on some items; the server is closed, and its log complete, when this returns."""
        rig = Rig(api, self._snapshot, timeout)
        with serve_in_thread(script, faults=lambda number, _: script.faults(number)) as running:
            rig.talk(running.url, items)
        rig.log = running.log
        return rig

    def reach_nobody(self, api: Api) -> Rig:
        """Work on an item while nothing listens."""
        rig = Rig(api, self._snapshot)
        rig.talk(f"http://127.0.0.1:{_closed_port()}")
        return rig

    def resume(self, rig: Rig) -> Rig:
        """Do the same work again with nothing but what is in the journal."""
        again = Rig(rig.api, self._snapshot, file_log=rig.file_log)
        again.outcomes = asyncio.run(again.work_over(ScriptedProvider(_no_reply)))
        return again


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    root = tmp_path_factory.mktemp("code")
    (root / "shop").mkdir()
    (root / "shop" / "stock.py").write_text(
        "class Shelf:\n" + "".join(f"    row_{n} = {n}\n" for n in range(1, 40))
    )
    snapshot = open_snapshot(root, cache=tmp_path_factory.mktemp("cache"), workers=1)
    stage = Stage(snapshot)
    for api in APIS:
        stage.play(
            api, Script()
        )  # the SDKs load at their first request, which would count as its time
    yield stage
    snapshot.close()


@dataclass(frozen=True)
class Waits:
    """How long the waits before further attempts may be: they double, up to a cap; a floor is a
    share of each.
    """

    base: float
    cap: float
    floor: float

    def fit(self, slept: Sequence[float]) -> bool:
        longest = [min(self.cap, self.base * 2**number) for number in range(len(slept))]
        return all(
            self.floor * most <= one <= most for one, most in zip(slept, longest, strict=True)
        )


FULL: Final = Waits(0.5, 30.0, 0.0)
EQUAL: Final = Waits(2.0, 60.0, 0.5)
LIMITED: Final = Waits(1.0, 60.0, 0.5)


@dataclass(frozen=True)
class Row:
    """One fault: what the server does, and what is to become of it; ``paid`` says that it may be
    billed, ``counted`` by whom it was counted before it broke off.
    """

    name: str
    fault: Fault | Callable[[Api], Fault]
    kind: str
    tries: int
    paid: bool = False
    counted: tuple[Api, ...] = ()
    waits: Waits = FULL
    apis: tuple[Api, ...] = APIS
    stops_the_run: bool = False
    timeout: float = PATIENT

    def fault_of(self, api: Api) -> Fault:
        return self.fault if isinstance(self.fault, Fault) else self.fault(api)


def status(number: int, **bodies: Json) -> Callable[[Api], Fault]:
    """An HTTP status, with the body that a provider gives it, or the usual one."""
    return lambda api: Fault("status", status=number, body=bodies.get(api))


def openai_error(code: str, message: str) -> Json:
    return {"error": {"message": message, "type": code, "param": None, "code": code}}


def anthropic_error(kind: str, message: str, **more: Any) -> Json:
    return {
        "type": "error",
        "error": {"type": kind, "message": message, **more},
        "request_id": "req_1",
    }


def google_error(number: int, name: str, message: str, *details: Json) -> Json:
    return {"error": {"code": number, "message": message, "status": name, "details": list(details)}}


SPEND_LIMIT: Final = anthropic_error(
    "rate_limit_error",
    "You have reached your limit.",
    details={"error_code": "enforced_spend_limit_reached"},
)
NO_QUOTA: Final = openai_error(
    "insufficient_quota", "You exceeded your current quota, please check your plan."
)
NO_CREDIT: Final = anthropic_error(
    "invalid_request_error", "Your credit balance is too low to access the API."
)
HARD_LIMIT: Final = openai_error(
    "billing_hard_limit_reached", "Billing hard limit has been reached"
)
BAD_KEY: Final = google_error(
    400,
    "INVALID_ARGUMENT",
    "API key not valid. Please pass a valid API key.",
    {"reason": "API_KEY_INVALID"},
)
NO_MODEL: Final = openai_error("model_not_found", "The requested model does not exist.")
PAGE: Final = b"<html><body><h1>502 Bad Gateway</h1></body></html>"

TOO_SLOW: Final = (
    Row("timeout before any byte", Fault("hang"), "timeout", 3, paid=True, timeout=IMPATIENT),
    Row(
        "trickled body",
        Fault("trickle", seconds=60.0),
        "timeout",
        3,
        paid=True,
        counted=("anthropic", "google"),
        timeout=IMPATIENT,
    ),
)
PASSING: Final = (
    Row("reset before the reply", Fault("reset_before"), "cut", 4, paid=True),
    Row("end without a reply", Fault("close_before"), "cut", 4, paid=True),
    Row("cut body", Fault("cut_body"), "cut", 4, paid=True, counted=("anthropic",)),
    Row("truncated JSON", Fault("truncated_json"), "cut", 4, paid=True, counted=("anthropic",)),
    Row("empty body", Fault("empty"), "cut", 4, paid=True),
    Row("HTML page", Fault("garbage"), "malformed", 3, paid=True),
    Row("wrong shape", Fault("wrong_shape"), "malformed", 3, paid=True),
    Row("503", status(503), "overloaded", 6, waits=EQUAL),
    Row("529", status(529), "overloaded", 6, waits=EQUAL),
    Row("500", status(500), "server_error", 4),
    Row("502", status(502), "server_error", 4),
    Row("502 of a proxy", Fault("status", status=502, body=PAGE), "server_error", 4),
    Row("504", status(504), "gateway_timeout", 4, paid=True),
    Row("408", status(408), "timeout", 3, paid=True),
    Row("409", status(409), "conflict", 3),
)
LASTING: Final = (
    Row(
        "429 spend limit",
        status(429, anthropic=SPEND_LIMIT),
        "spend_limit",
        1,
        apis=("anthropic",),
        stops_the_run=True,
    ),
    Row(
        "429 no quota",
        status(429, responses=NO_QUOTA, chat=NO_QUOTA),
        "spend_limit",
        1,
        apis=OPENAI,
        stops_the_run=True,
    ),
    Row(
        "400 no credit",
        status(400, anthropic=NO_CREDIT),
        "spend_limit",
        1,
        apis=("anthropic",),
        stops_the_run=True,
    ),
    Row(
        "400 hard limit",
        status(400, responses=HARD_LIMIT, chat=HARD_LIMIT),
        "spend_limit",
        1,
        apis=OPENAI,
        stops_the_run=True,
    ),
    Row("402", status(402), "spend_limit", 1, stops_the_run=True),
    Row("401", status(401), "access", 1, stops_the_run=True),
    Row("403", status(403), "access", 1, stops_the_run=True),
    Row(
        "400 bad key",
        status(400, google=BAD_KEY),
        "access",
        1,
        apis=("google",),
        stops_the_run=True,
    ),
    Row("404", status(404), "no_such_model", 1, stops_the_run=True),
    Row(
        "400 no model",
        status(400, responses=NO_MODEL, chat=NO_MODEL),
        "no_such_model",
        1,
        apis=OPENAI,
        stops_the_run=True,
    ),
    Row(
        "other model",
        Fault("say", say=Say(ANSWER, model="gpt-2")),
        "other_model",
        1,
        paid=True,
        counted=APIS,
        stops_the_run=True,
    ),
    Row("400", status(400), "bad_request", 1),
    Row("422", status(422), "bad_request", 1),
)


def in_turn(apis: tuple[Api, ...], turn: int) -> tuple[Api, ...]:
    """One of the protocols, or all of them."""
    return apis if is_thorough() else (apis[turn % len(apis)],)


def cases(rows: Sequence[Row]) -> list[Any]:
    return [pytest.param(row, api, id=f"{row.name}, {api}") for row in rows for api in row.apis]


def some_cases(rows: Sequence[Row]) -> list[Any]:
    """Each fault, with the protocols in turn."""
    return cases(
        [replace(row, apis=in_turn(row.apis, turn)) for turn, row in enumerate(rows)],
    )


def check_books(rig: Rig, *, replies: int, voids: int, paid: bool, counted: bool = False) -> None:
    """Compare journal and budget with each other, and with what the server bills."""
    intents, kept, void = (rig.file_log.of(kind) for kind in ("intent", "reply", "void"))
    assert (len(intents), len(kept), len(void)) == (replies + voids, replies, voids)
    # The faults come before the reply.
    for number, entry in enumerate(void):
        told = _price(rig.log[number].usage) if counted else entry["expected"]
        most = entry["reserved"]
        assert (entry["micro_usd"], entry["most_micro_usd"]) == (told * paid, most * paid)
    ended = [*kept, *void]
    total = rig.call_journal.total
    assert total.micro_usd == sum(entry["micro_usd"] for entry in ended)
    assert total.most_micro_usd == sum(entry["most_micro_usd"] for entry in ended)
    uncounted = [entry for entry in kept if not entry["reply"]["usage"]["counted"]]
    presumed = [entry["micro_usd"] for entry in (*uncounted, *void)]
    assert total.presumed_micro_usd == sum(presumed)
    assert (rig.budget.reserved, rig.budget.settled) == (0, total.most_micro_usd)
    assert rig.budget.settled >= rig.billed
    assert rig.limit.active == 0


@pytest.mark.parametrize(("row", "api"), some_cases(PASSING))
def test_a_passing_fault_is_waited_out(stage: Stage, row: Row, api: Api) -> None:
    fault = row.fault_of(api)
    script = Script(faults=lambda number: fault if number < row.tries else None)
    rig = stage.play(api, script)
    assert rig.value == FOUND
    assert len(rig.log) == row.tries
    assert row.waits.fit(rig.clock.slept)
    assert len(rig.clock.slept) == row.tries - 1
    counted = api in row.counted
    check_books(rig, replies=1, voids=row.tries - 1, paid=row.paid, counted=counted)


@pytest.mark.parametrize("api", first_of(APIS, suite=1))
def test_an_attempt_that_takes_too_long_is_made_again(stage: Stage, api: Api) -> None:
    script = Script(faults=lambda number: Fault("hang") if number == 1 else None)
    rig = stage.play(api, script, timeout=LESS_PATIENT)
    assert rig.value == FOUND
    assert (len(rig.log), len(rig.clock.slept)) == (2, 1)
    check_books(rig, replies=1, voids=1, paid=True)


@pytest.mark.parametrize(("row", "api"), [*some_cases(TOO_SLOW), *cases((*PASSING, *LASTING))])
def test_a_lasting_fault_ends_the_item_or_the_run(stage: Stage, row: Row, api: Api) -> None:
    fault = row.fault_of(api)
    rig = stage.play(api, Script(faults=lambda _: fault), timeout=row.timeout)
    later = QuarantineError if row.kind == "bad_request" else UnansweredError
    assert type(rig.error) is (ProviderError if row.stops_the_run else later)
    assert f"{MODEL}: {row.kind}: " in str(rig.error)
    assert KEY not in str(rig.error)
    assert len(rig.log) == row.tries
    assert row.waits.fit(rig.clock.slept)
    assert len(rig.clock.slept) == row.tries - 1
    counted = api in row.counted
    check_books(rig, replies=0, voids=row.tries, paid=row.paid, counted=counted)


@pytest.mark.parametrize("api", APIS)
def test_a_refused_connection_costs_nothing_and_is_tried_six_times(stage: Stage, api: Api) -> None:
    rig = stage.reach_nobody(api)
    assert type(rig.error) is UnreachableError
    assert f"{MODEL}: unreachable: nothing answers at http://127.0.0.1:" in str(rig.error)
    assert "is the server up? (after 6 attempts)" in str(rig.error)
    assert len(rig.clock.slept) == 5
    assert FULL.fit(rig.clock.slept)
    check_books(rig, replies=0, voids=6, paid=False)


@pytest.mark.parametrize("status", [404, 405, 501])
def test_a_server_that_knows_no_such_path_is_named_with_its_address(
    stage: Stage, status: int
) -> None:
    page = Fault("status", status=status, body=b"<html>nothing here</html>")
    rig = stage.play("chat", Script(faults=lambda _: page))
    text = str(rig.error)
    assert "the server at http://127.0.0.1:" in text
    assert "does not know this API" in text
    assert "is /v1 missing?" in text


def test_a_server_that_names_what_is_wrong_is_quoted(stage: Stage) -> None:
    fault = Fault("status", status=404)
    rig = stage.play("chat", Script(faults=lambda _: fault))
    assert "does not know this API" not in str(rig.error)


@pytest.mark.parametrize("api", APIS)
def test_different_faults_are_counted_apart(stage: Stage, api: Api) -> None:
    faults = [
        Fault("status", status=503),
        Fault("cut_body"),
        Fault("status", status=500),
        Fault("status", status=409),
    ] * 2
    rig = stage.play(api, Script(faults=dict(enumerate(faults, start=1)).get))
    assert rig.value == FOUND
    assert len(rig.log) == 9
    assert rig.budget.settled >= rig.billed


@dataclass(frozen=True)
class RetryAfter:
    """A 429 that says how long to wait, and the bounds of the wait that follows."""

    name: str
    fault: Callable[[Api], Fault]
    least: float
    most: float
    apis: tuple[Api, ...] = APIS


def limited(**headers: str) -> Callable[[Api], Fault]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda _: Fault("status", status=429, headers=named)


def limited_until(seconds: float) -> Callable[[Api], Fault]:
    """A date is counted from the reply, not from the moment this file was read."""

    def fault(api: Api) -> Fault:
        at = format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)
        return limited(retry_after=at)(api)

    return fault


def limited_by_google(delay: str) -> Callable[[Api], Fault]:
    info = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}
    body = google_error(
        429,
        "RESOURCE_EXHAUSTED",
        "You exceeded your current quota, please check your billing.",
        info,
    )
    return lambda _: Fault("status", status=429, body=body)


RETRY_AFTERS: Final = (
    RetryAfter("in seconds", limited(retry_after="30"), 30.3, 36.0),
    RetryAfter("in milliseconds", limited(retry_after_ms="7000", retry_after="30"), 7.07, 8.4),
    RetryAfter("as a date", limited_until(600.0), 450.0, 720.0),
    RetryAfter("as a date that is past", limited_until(-3600.0), 0.5, 1.0),
    RetryAfter("below zero", limited(retry_after="-5"), 0.5, 1.0),
    RetryAfter("as no number", limited(retry_after="nan"), 0.5, 1.0),
    RetryAfter("in words", limited(retry_after="soon"), 0.5, 1.0),
    RetryAfter("not at all", limited(), 0.5, 1.0),
    RetryAfter("in a RetryInfo", limited_by_google("12.5s"), 12.625, 15.0, apis=("google",)),
)


@pytest.mark.parametrize(
    ("case", "api"),
    [
        pytest.param(case, api, id=f"{case.name}, {api}")
        for turn, case in enumerate(RETRY_AFTERS)
        for api in in_turn(case.apis, turn)
    ],
)
def test_a_rate_limit_is_waited_out_for_as_long_as_it_says(
    stage: Stage, case: RetryAfter, api: Api
) -> None:
    rig = stage.play(api, Script(faults=lambda number: case.fault(api) if number == 1 else None))
    assert rig.value == FOUND
    assert len(rig.log) == 2
    assert case.least <= rig.clock.slept[0] <= case.most
    assert len(rig.clock.slept) == 1
    check_books(rig, replies=1, voids=1, paid=False)


@pytest.mark.parametrize("api", APIS)
def test_everybody_pauses_for_a_second_where_a_rate_limit_says_nothing(
    stage: Stage, api: Api
) -> None:
    rig = stage.play(
        api, Script(faults=lambda number: Fault("status", status=429) if number == 1 else None)
    )
    assert rig.clock.slept[0] < 1.0
    assert rig.clock.now == pytest.approx(1.0)


@pytest.mark.parametrize("api", APIS)
def test_a_rate_limit_ends_an_item_only_when_the_time_of_the_call_is_up(
    stage: Stage, api: Api
) -> None:
    rig = stage.play(api, Script(faults=lambda _: Fault("status", status=429)))
    assert type(rig.error) is UnansweredError
    assert LIMITED.fit(rig.clock.slept)
    assert DEADLINE - 60.0 < sum(rig.clock.slept) <= DEADLINE
    assert 20 <= len(rig.log) == len(rig.clock.slept) + 1 <= 35
    check_books(rig, replies=0, voids=len(rig.log), paid=False)


@pytest.mark.parametrize(
    ("api", "seconds"),
    [*((api, "3600") for api in APIS), ("chat", "1e9"), ("chat", "inf"), ("chat", "1e999")],
)
def test_a_wait_beyond_the_time_of_the_call_is_not_begun(
    stage: Stage, api: Api, seconds: str
) -> None:
    rig = stage.play(api, Script(faults=lambda _: limited(retry_after=seconds)(api)))
    assert type(rig.error) is UnansweredError
    assert (len(rig.log), rig.clock.slept) == (1, [])
    check_books(rig, replies=0, voids=1, paid=False)


@pytest.mark.parametrize(
    ("number", "api"),
    [(number, api) for turn, number in enumerate([429, 503, 529]) for api in in_turn(APIS, turn)],
)
def test_a_provider_short_of_breath_is_asked_for_less_at_a_time(
    stage: Stage, api: Api, number: int
) -> None:
    rig = stage.play(api, Script(faults=lambda _: Fault("status", status=number)))
    assert 1 <= rig.limit.allowed < AT_ONCE


@pytest.mark.parametrize("api", APIS)
def test_three_items_in_a_row_without_an_answer_stop_the_run(stage: Stage, api: Api) -> None:
    rig = stage.play(
        api, Script(faults=lambda _: Fault("status", status=400)), items=("a:1", "a:2", "a:3")
    )
    ends = [type(outcome.error) for outcome in rig.outcomes]
    assert ends == [QuarantineError, QuarantineError, ProviderError]
    assert len(rig.log) == 3


@pytest.mark.parametrize("api", APIS)
def test_an_answer_in_between_lets_the_run_go_on(stage: Stage, api: Api) -> None:
    script = Script(faults=lambda number: None if number == 3 else Fault("status", status=400))
    rig = stage.play(api, script, items=("a:1", "a:2", "a:3", "a:4", "a:5"))
    ends = [type(outcome.error) for outcome in rig.outcomes]
    assert ends == [QuarantineError, QuarantineError, type(None), QuarantineError, QuarantineError]


def test_a_response_that_failed_is_tried_four_times(stage: Stage) -> None:
    rig = stage.play("responses", Script(faults=lambda _: Fault("say", say=Say(stop="failed"))))
    assert type(rig.error) is UnansweredError
    assert f"{MODEL}: server_error: " in str(rig.error)
    assert (len(rig.log), len(rig.clock.slept)) == (4, 3)
    assert FULL.fit(rig.clock.slept)
    assert rig.budget.reserved == 0


def test_the_tokens_that_a_failed_response_counts_are_charged(stage: Stage) -> None:
    rig = stage.play("responses", Script(faults=lambda _: Fault("say", say=Say(stop="failed"))))
    assert rig.budget.settled >= rig.billed


TOO_LONG: Final = {
    "anthropic": anthropic_error(
        "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"
    ),
    "responses": openai_error(
        "context_length_exceeded", "Your input exceeds the context window of this model."
    ),
    "chat": openai_error(
        "context_length_exceeded", "This model's maximum context length is 8192 tokens."
    ),
    "google": google_error(
        400,
        "INVALID_ARGUMENT",
        "The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).",
    ),
}


def looks(number: int) -> Say:
    """A model that reads another line of a file each time."""
    given = {"path": "shop/stock.py", "first": number, "last": number}
    return Say(calls=(Call(f"c{number}", "read", given),))


@pytest.mark.parametrize("number", [400, 413])
@pytest.mark.parametrize("api", APIS)
def test_a_conversation_that_is_too_long_loses_its_older_half_once(
    stage: Stage, api: Api, number: int
) -> None:
    script = Script(
        faults=lambda serial: status(number, **TOO_LONG)(api) if serial == 3 else None,
        says=lambda serial, _: looks(serial) if serial < 3 else GOOD,
    )
    rig = stage.play(api, script)
    assert rig.value == FOUND
    assert len(rig.log) == 4
    assert rig.clock.slept == []
    shown = [result.text for turn in script.heard[-1].turns for result in turn.results]
    assert ["taken out" in text for text in shown] == [True, False]
    check_books(rig, replies=3, voids=1, paid=False)


@pytest.mark.parametrize(("first", "requests"), [(1, 1), (2, 3)])
@pytest.mark.parametrize("api", APIS)
def test_what_stays_too_long_is_given_up(stage: Stage, api: Api, first: int, requests: int) -> None:
    script = Script(
        faults=lambda number: status(400, **TOO_LONG)(api) if number >= first else None,
        says=lambda number, _: looks(number),
    )
    rig = stage.play(api, script)
    assert type(rig.error) is QuarantineError
    assert "too long" in str(rig.error)
    assert len(rig.log) == requests
    check_books(rig, replies=first - 1, voids=requests - first + 1, paid=False)


@dataclass(frozen=True)
class Course:
    """What a model says in turn, the last for ever, and what the conversation comes to after how
    many requests.

    ``ends`` is the answer, or a part of the reason for which the item was given up.
    """

    name: str
    says: tuple[Say | Callable[[int], Say], ...]
    requests: int
    ends: Place | str = FOUND
    apis: tuple[Api, ...] = APIS

    def say(self, number: int) -> Say:
        said = self.says[min(number, len(self.says)) - 1]
        return said if isinstance(said, Say) else said(number)


def calls(
    name: str, arguments: Mapping[str, object], raw: str | None = None
) -> Callable[[int], Say]:
    """A model that makes the same call each time, under another id."""
    return lambda number: Say(calls=(Call(f"c{number}", name, arguments, raw),))


def gropes(name: str) -> Callable[[int], Say]:
    """A model that calls a tool with an argument which it lacks, another one each time."""
    return lambda number: Say(calls=(Call(f"c{number}", name, {"file": number}),))


# A reply is read alike whoever wrote it, so the protocols take turns.
EACH: Final[tuple[tuple[Api, ...], ...]] = (("anthropic",), ("responses",), ("chat",), ("google",))
BAD_JSON: Final = {
    "cut off": ANSWER[:-3],
    "prose": "It is in shop/stock.py at line 7.",
    "trailing data": ANSWER + " and so on",
    "two values": ANSWER + ANSWER,
    "key that stands twice": '{"path": "shop/other.py", "path": "shop/stock.py", "line": 7}',
    "NaN": '{"path": "shop/stock.py", "line": NaN}',
    "number without end": '{"path": "shop/stock.py", "line": ' + "7" * 5000 + "}",
    "half a character": '{"path": "\\ud800", "line": 7}',
    "deep nesting": "[" * 100_000,
    "list": f"[{ANSWER}]",
    "missing field": '{"path": "shop/stock.py"}',
    "extra field": '{"path": "shop/stock.py", "line": 7, "verdict": "reject"}',
    "text for a number": '{"path": "shop/stock.py", "line": "7"}',
    "truth for a number": '{"path": "shop/stock.py", "line": true}',
    "fraction for a number": '{"path": "shop/stock.py", "line": 7.5}',
}
CUT_OFF: Final = Say(ANSWER[:9], stop="length")
WHOLE_BUT_CUT_OFF: Final = Say(ANSWER, stop="length")
READ: Final = {"path": "shop/stock.py", "first": 1, "last": 2}
COURSES: Final = (
    Course("good", (GOOD,), 1),
    Course("fenced", (Say(f"```json\n{ANSWER}\n```"),), 1),
    Course("length once", (CUT_OFF, GOOD), 2),
    Course("length for ever", (CUT_OFF,), 2, "does not end within 1024 tokens"),
    Course(
        "length though it can be read", (WHOLE_BUT_CUT_OFF,), 2, "does not end within 1024 tokens"
    ),
    Course("pause", (Say("Wait.", stop="paused"), GOOD), 2, apis=("anthropic",)),
    Course("five pauses", (*[Say("Wait.", stop="paused")] * 5, GOOD), 6, apis=("anthropic",)),
    Course(
        "pause for ever",
        (Say("Wait.", stop="paused"),),
        6,
        "pauses without end",
        apis=("anthropic",),
    ),
    Course("unknown stop", (Say(ANSWER, stop="unknown"),), 1, "unknown reason"),
    Course("overflow", (Say(ANSWER, stop="overflow"),), 1, "too long", apis=("anthropic",)),
    Course(
        "overflow after a look", (looks, Say(ANSWER, stop="overflow"), GOOD), 3, apis=("anthropic",)
    ),
    Course("empty", (Say(), GOOD), 2),
    Course("blank", (Say(" \n"), GOOD), 2, apis=(*OPENAI, "google")),
    Course("empty after a look", (looks, Say(), GOOD), 3),
    Course("empty for ever", (Say(),), 2, "handed back nothing"),
    *(
        Course(f"{name} once", (Say(text), GOOD), 2, apis=one)
        for (name, text), one in zip(BAD_JSON.items(), cycle(EACH))
    ),
    *(
        Course(f"{name} for ever", (Say(text),), 4, "", apis=("chat",))
        for name, text in BAD_JSON.items()
    ),
    Course("key that stands twice", (Say(BAD_JSON["key that stands twice"]),), 4, "stands twice"),
    Course("prose twice", (Say("Here."), Say("There."), GOOD), 3),
    Course("look", (looks, GOOD), 2),
    Course("unknown tool", (calls("delete", {}), GOOD), 2),
    Course(
        "unknown tool for ever",
        (gropes("delete"),),
        6,
        "more than 5 calls of tools that do not exist",
    ),
    Course("wrong arguments", (gropes("read"), GOOD), 2),
    Course("wrong arguments for ever", (gropes("read"),), 6, "more than 5 calls"),
    Course("arguments of a wrong type", (calls("read", {**READ, "first": "1"}), GOOD), 2),
    Course("missing file", (calls("read", {**READ, "path": "../etc/passwd"}), GOOD), 2),
    Course(
        "arguments that are no JSON",
        (calls("read", {}, '{"path": '), GOOD),
        2,
        apis=("anthropic", "responses", "chat"),
    ),
    Course(
        "two calls of one id",
        (Say(calls=(Call("c", "read", READ),) * 2),),
        2,
        "two tool calls bear one id",
    ),
    Course("one call for ever", (calls("read", READ),), 5, "asks for tools that are closed"),
)


@pytest.mark.filterwarnings(
    "ignore:A_REASON_OF_TOMORROW:UserWarning", "ignore:Pydantic serializer:UserWarning"
)
@pytest.mark.parametrize(
    ("course", "api"),
    [
        pytest.param(one, api, id=f"{one.name}, {api}")
        for turn, one in enumerate(COURSES)
        for api in in_turn(one.apis, turn)
    ],
)
def test_whatever_a_model_says_ends_in_its_answer_or_a_reason(
    stage: Stage, course: Course, api: Api
) -> None:
    rig = stage.play(api, Script(says=lambda number, _: course.say(number)))
    if isinstance(course.ends, str):
        assert type(rig.error) is QuarantineError
        assert course.ends in str(rig.error)
    else:
        assert rig.value == course.ends
        assert stage.resume(rig).value == course.ends
    assert len(rig.log) == course.requests
    assert rig.clock.slept == []
    check_books(rig, replies=course.requests, voids=0, paid=False)


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("stop", ["refused", "filtered"])
def test_a_refusal_is_passed_on_and_not_asked_again(stage: Stage, api: Api, stop: str) -> None:
    rig = stage.play(api, Script(says=lambda *_: Say("I cannot help with that.", stop=stop)))
    assert type(rig.error) is RoleRefusedError
    assert len(rig.log) == 1
    check_books(rig, replies=1, voids=0, paid=False)
    assert type(stage.resume(rig).error) is RoleRefusedError


@pytest.mark.parametrize("api", APIS)
def test_a_reply_that_was_cut_off_gets_twice_the_room(stage: Stage, api: Api) -> None:
    script = Script(says=lambda number, _: CUT_OFF if number == 1 else GOOD)
    stage.play(api, script)
    assert [heard.max_output_tokens for heard in script.heard] == [ROOM, 2 * ROOM]


@pytest.mark.parametrize("api", APIS)
def test_a_model_that_turns_in_circles_may_answer_once_its_tools_are_closed(
    stage: Stage, api: Api
) -> None:
    script = Script(
        says=lambda number, heard: (
            GOOD if heard.tool_choice == "none" else calls("read", READ)(number)
        )
    )
    rig = stage.play(api, script)
    assert rig.value == FOUND
    assert len(rig.log) == 4
    assert stage.resume(rig).value == FOUND


@pytest.mark.parametrize("api", APIS)
def test_every_call_that_cannot_be_carried_out_is_told_so(stage: Stage, api: Api) -> None:
    script = Script(
        says=lambda number, _: (
            (gropes("delete"), gropes("read"))[number - 1](number) if number < 3 else GOOD
        )
    )
    stage.play(api, script)
    texts = [result.text for turn in script.heard[-1].turns for result in turn.results]
    assert "there is no tool delete here; the tools are list, search, read, outline" in texts[0]
    assert "the arguments of read are exactly path, first, last" in texts[1]


WRITTEN: Final[Mapping[Api, tuple[str, ...]]] = {
    "anthropic": ("cache_read_input_tokens", "cache_creation_input_tokens"),
    "responses": (),
    "chat": (),
    "google": (),
}
INPUT: Final = {
    "anthropic": "input_tokens",
    "responses": "input_tokens",
    "chat": "prompt_tokens",
    "google": "promptTokenCount",
}
OUTPUT: Final = {
    "anthropic": "output_tokens",
    "responses": "output_tokens",
    "chat": "completion_tokens",
    "google": "candidatesTokenCount",
}


@pytest.mark.parametrize("count", [None, -5], ids=["missing", "negative"])
@pytest.mark.parametrize("api", APIS)
def test_a_reply_without_a_count_costs_what_was_reserved(
    stage: Stage, api: Api, count: int | None
) -> None:
    more: dict[str, object] = {} if count else dict.fromkeys(WRITTEN[api])
    usage = {INPUT[api]: count, OUTPUT[api]: count, **more}
    rig = stage.play(api, Script(says=lambda *_: Say(ANSWER, usage=usage)))
    assert rig.value == FOUND
    assert len(rig.log) == 1
    assert rig.budget.settled == rig.file_log.of("intent")[0]["reserved"]
    check_books(rig, replies=1, voids=0, paid=False)


@pytest.mark.parametrize(
    ("api", "name"),
    [
        *((api, OUTPUT[api]) for api in APIS),
        *((api, INPUT[api]) for api in APIS if api != "anthropic"),
    ],
)
def test_a_reply_with_half_a_count_costs_no_less_than_is_billed(
    stage: Stage, api: Api, name: str
) -> None:
    rig = stage.play(api, Script(says=lambda *_: Say(ANSWER, usage={name: None})))
    assert rig.budget.settled >= rig.billed


def _no_reply(request: Request) -> Reply:
    raise AssertionError(f"{request.item} is asked for what is in the journal")


def _nobody() -> None:
    """Hear nothing."""


def _place(text: str) -> Place:
    return read_reply(text, Place)


def _price(usage: Mapping[str, int]) -> int:
    counts = Usage(usage["fresh"], usage["cached"], usage["written"], usage["output"])
    return PRICING.cost(counts)


def _closed_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
