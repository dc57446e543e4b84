"""How much of a live run's time is ours: 64 agents at once against the best possible, and CPU
against the bare SDKs.

Use: ``PYTHONPATH=tests python tests/benchmarks/live_speed.py``. Conversations of six requests each
go through the whole line of a run: recalled, retried, paced, budgeted, and taped on disk. The
scripted server has a process of its own. The first part draws a latency for each request and
compares the wall time with the least that those latencies allow on 64 places; the second has none,
and compares CPU time with that of the bare SDKs sending the same bodies, round about. Targets: 1.15
and 3.
"""

import argparse
import asyncio
import cProfile
import heapq
import json
import multiprocessing
import pstats
import re
import sys
import tempfile
import time
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import anthropic
import openai
from google import genai
from google.genai import types

from benchmarks.kill_campaign import PROJECT, make_repository
from goldwright.agents.roles import Cast, OracleWork
from goldwright.agents.toolset import Toolset
from goldwright.app.models.cast import RunServices, open_cast
from goldwright.app.models.role_models import ModelSetup, RoleModel
from goldwright.engine.clock import SystemClock
from goldwright.journal.call_log import CallLog
from goldwright.llm.budget import Budget
from goldwright.llm.call_journal import CallJournal
from goldwright.llm.catalog import Api
from goldwright.llm.pricing import ModelPricing
from goldwright.prompts import PromptLibrary
from goldwright.records import QueryCandidate
from goldwright.snapshot import Snapshot, open_snapshot
from goldwright.stages.stage_graph import roles_from
from scripted.server import Fault, serve_in_thread
from scripted.wire import Call, Heard, Say

APIS: Mapping[Api, tuple[str, str]] = {
    "anthropic": ("claude-sonnet-5", ""),
    "responses": ("gpt-5", "/v1"),
    "chat": ("qwen3", "/v1"),
    "google": ("gemini-3.8-flash", ""),
}
TURNS = 6
AT_ONCE = 64
MEDIAN_SECONDS, SIGMA = 0.25, 0.6
MOST_OF_THE_BEST = 1.15
MOST_OF_THE_BARE = 3.0
LINES_READ = 60
PROFILED = 15
SCHEDULED = Path("/proc/self/schedstat")
KEY = "key-" + "of-nobody"
FILES = (
    "canonical",
    "config",
    "disk",
    "errors",
    "manifest",
    "plan",
    "prompts",
    "journal/calls",
    "journal/stage",
)
PLAN_FILE = "goldwright/plan.py"
READ_PLAN = f"{PLAN_FILE}::read_plan"
ANSWER = json.dumps({
    "expected_entities": [{"entity_id": READ_PLAN, "role": "primary", "rationale": "It reads."}],
    "expected_files": [PLAN_FILE],
    "expected_line_ranges": [{"file": PLAN_FILE, "start": 80, "end": 90}],
    "must_mention_facts": ["`read_plan` reads the plan."],
    "must_not_mention_facts": ["`read_plan` writes the plan."],
    "fact_citations": [{"file": PLAN_FILE, "start": 81, "end": 81, "claim_id": "fact-1"}],
    "canonical_narrative": "The plan is read by `read_plan`, which checks it as a whole.",
    "confidence": "high",
    "uncertainty_notes": None,
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as the server saw it: its conversation, the latency drawn for it, what it took
    in all, and the status of the answer.
    """

    conversation: int
    serial: int
    drawn: float
    took: float
    status: int
    body: Mapping[str, Any]


@dataclass
class Listener:
    """Remembers the requests by their serial, and refuses what is above a limit.

    ``limit`` is the calls that any second takes, 0 for as many as come; ``said`` is what was left
    of it after each request, as headers.
    """

    limit: int = 0
    said: dict[int, Mapping[str, str]] = field(default_factory=dict)
    heard: dict[int, Heard] = field(default_factory=dict)
    taken: deque[float] = field(default_factory=deque)

    def __call__(self, serial: int, heard: Heard) -> Fault | None:
        """Remember a request; refuse it if the second is full."""
        self.heard[serial] = heard
        now = time.monotonic()
        while self.taken and self.taken[0] <= now - 1:
            self.taken.popleft()
        if self.limit and len(self.taken) >= self.limit:
            headers = {"retry-after": "1", **self._left(now)}
            return Fault("status", status=429, headers=headers)
        self.taken.append(now)
        if self.limit:
            self.said[serial] = self._left(now)
        return None

    def _left(self, now: float) -> Mapping[str, str]:
        """Say what is left, and when all of it will be."""
        return {
            "x-ratelimit-limit-requests": str(self.limit),
            "x-ratelimit-remaining-requests": str(self.limit - len(self.taken)),
            "x-ratelimit-reset-requests": f"{(self.taken[-1] + 1 - now) * 1000:.0f}ms",
        }

    def headers(self, serial: int) -> Mapping[str, str]:
        """Say what was left after a request."""
        return self.said.pop(serial, {})


@dataclass(frozen=True, slots=True)
class Latencies:
    """How long the server takes over a request: around ``median`` seconds, drawn by the seed and
    the request's number; with a ``sigma`` of 0 as long over each.
    """

    seed: int = 1
    median: float = MEDIAN_SECONDS
    sigma: float = SIGMA

    def __call__(self, serial: int) -> float:
        """Give the seconds for a request."""
        if not self.median:
            return 0.0
        return self.median * Random(f"{self.seed} {serial}").lognormvariate(0.0, self.sigma)


NONE = Latencies(median=0.0)


@dataclass(frozen=True, slots=True)
class Server:
    """A server in another process."""

    url: str
    line: Connection

    def asked(self) -> list[Asked]:
        """Give what was asked since the last time, in the order of arrival."""
        self.line.send("asked")
        found: list[Asked] = self.line.recv()
        return found


def serve(line: Connection, latency: Latencies, limit: int = 0) -> None:
    """Be the server until the other end hangs up."""
    listener = Listener(limit)
    with serve_in_thread(
        speak,
        faults=listener,
        latency=latency,
        headers=listener.headers,
    ) as server:
        line.send(server.url)
        while line.recv() == "asked":
            entries = sorted(server.log, key=lambda entry: entry.serial)
            server.log.clear()
            line.send([
                Asked(
                    conversation=_conversation(listener.heard[entry.serial]),
                    serial=entry.serial,
                    drawn=latency(entry.serial),
                    took=entry.ended - entry.began,
                    status=entry.status,
                    body=listener.heard.pop(entry.serial).body,
                )
                for entry in entries
            ])  # fmt: skip


def speak(heard: Heard) -> Say:
    """Read another file in each turn but the last, which answers."""
    done = sum(turn.who == "model" for turn in heard.turns)
    if done + 1 >= TURNS:
        return Say(text=ANSWER)
    place = _conversation(heard) + done
    first = 1 + LINES_READ * (place % 2)
    given = {
        "path": f"goldwright/{FILES[place % len(FILES)]}.py",
        "first": first,
        "last": first + LINES_READ - 1,
    }
    return Say(calls=(Call(f"c{done}", "read", given),))


@contextmanager
def served(latency: Latencies, limit: int = 0) -> Iterator[Server]:
    """Have a server in a process of its own."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(
        target=serve, args=(theirs, latency, limit), daemon=True
    )
    process.start()
    try:
        yield Server(ours.recv(), ours)
    finally:
        ours.send("end")
        process.join(timeout=30)


@dataclass(frozen=True, slots=True)
class Stage:
    """What every measurement plays on."""

    snapshot: Snapshot
    prompts: PromptLibrary
    scratch: Path
    conversations: int
    names: Iterator[int] = field(default_factory=count)


@asynccontextmanager
async def line_to(stage: Stage, server: Server, api: Api) -> AsyncIterator[Cast]:
    """Put a run's whole line to a model together, with a file of calls on disk."""
    model, suffix = APIS[api]
    part = RoleModel(
        role="oracle",
        provider="own",
        model=model,
        api=api,
        key=KEY,
        base_url=server.url + suffix,
        timeout=60.0,
        max_concurrency=AT_ONCE,
        requests_per_second=None,
        family=None,
        pricing=ModelPricing.free(),
    )
    run = f"run-{next(stage.names)}"
    with CallLog.open(stage.scratch / f"{run}.jsonl", run, writable=True) as calls:
        table = RunServices(
            call_journal=CallJournal(calls, roles_from),
            budget=Budget(),
            prompts=stage.prompts,
            secret=KEY,
            lessons=(),
            clock=SystemClock(),
            chance=Random(1),
            on_stopping=_nobody_stops,
        )
        async with open_cast(
            ModelSetup({"oracle": part}, "", allow_same_family=False), stage.snapshot, table
        ) as cast:
            yield cast


async def play(stage: Stage, cast: Cast) -> None:
    """Hold all conversations at once."""
    works = [OracleWork(_candidate(number)) for number in range(stage.conversations)]
    await asyncio.gather(*(cast.oracle.play(work, Toolset(stage.snapshot)) for work in works))


@dataclass(frozen=True, slots=True)
class Cost:
    """What a round cost its client in seconds; ``waited`` is what other processes took of the
    machine meanwhile.
    """

    wall: float
    cpu: float
    waited: float


async def ours(
    stage: Stage, server: Server, api: Api, profile: cProfile.Profile | None = None
) -> Cost:
    """Hold all conversations through the whole line."""
    async with line_to(stage, server, api) as cast:
        return await _timed(lambda: play(stage, cast), profile)


Ask = Callable[[Mapping[str, Any]], Awaitable[object]]


async def bare(server: Server, api: Api, chains: Sequence[Sequence[Mapping[str, Any]]]) -> Cost:
    """Send the same bodies through the provider's SDK alone, as many at a time, each chain in its
    order.
    """
    places = asyncio.Semaphore(AT_ONCE)
    async with bare_sdk(api, server.url + APIS[api][1]) as ask:

        async def follow(chain: Sequence[Mapping[str, Any]]) -> None:
            for body in chain:
                async with places:
                    await ask(body)

        async def everything() -> None:
            await asyncio.gather(*map(follow, chains))

        return await _timed(everything)


@asynccontextmanager
async def bare_sdk(api: Api, url: str) -> AsyncIterator[Ask]:
    """Open an SDK and give the call that sends a body."""
    if api == "anthropic":
        async with anthropic.AsyncAnthropic(
            api_key=KEY, base_url=url, max_retries=0, timeout=60.0
        ) as claude:
            yield lambda body: claude.messages.create(**body)
    elif api == "google":
        client = genai.Client(api_key=KEY, http_options=types.HttpOptions(base_url=url))
        yield lambda body: client.aio.models.generate_content(**body)
        await client.aio.aclose()
        client.close()
    else:
        async with openai.AsyncOpenAI(
            api_key=KEY, base_url=url, max_retries=0, timeout=60.0
        ) as gpt:
            create = gpt.responses.create if api == "responses" else gpt.chat.completions.create
            yield lambda body: create(**body)


def bare_chains(api: Api, asked: Sequence[Asked]) -> list[list[Mapping[str, Any]]]:
    """Make of the bodies that were sent what the SDK wants for them, a chain a conversation."""
    chains: defaultdict[int, list[Mapping[str, Any]]] = defaultdict(list)
    for one in asked:
        chains[one.conversation].append(
            _google_arguments(one.body) if api == "google" else one.body
        )
    return list(chains.values())


def makespan(chains: Sequence[Sequence[float]], places: int) -> float:
    """Play chains of calls on so many places, chains that were begun first; give the time of the
    last end.
    """
    ready = [(True, number, number, 0) for number in range(len(chains))]
    running: list[tuple[float, int, int]] = []
    numbers, now = count(len(chains)), 0.0
    while ready or running:
        while ready and len(running) < places:
            _, _, chain, step = heapq.heappop(ready)
            heapq.heappush(running, (now + chains[chain][step], chain, step))
        now, chain, step = heapq.heappop(running)
        if step + 1 < len(chains[chain]):
            heapq.heappush(ready, (False, next(numbers), chain, step + 1))
    return now


def measure_concurrency(stage: Stage, api: Api, latency: Latencies) -> float:
    """Compare the wall time of many conversations with the best possible; give the ratio."""
    with served(latency) as server:
        cost = asyncio.run(ours(stage, server, api))
        asked = server.asked()
    chains: defaultdict[int, list[float]] = defaultdict(list)
    for one in asked:
        chains[one.conversation].append(one.drawn)
    total, longest = sum(one.drawn for one in asked), max(map(sum, chains.values()))
    best, listed = max(total / AT_ONCE, longest), makespan(list(chains.values()), AT_ONCE)
    print(f"{api}, {len(chains)} conversations, {len(asked)} calls, {AT_ONCE} places:")
    latencies = f"{total:.2f} s in all, {total / AT_ONCE:.2f} s a place"
    print(f"  latencies {latencies}, longest conversation {longest:.2f} s")
    print(f"  the server took {sum(one.took for one in asked):.2f} s, our CPU {cost.cpu:.2f} s")
    print(f"  without a processor, as others had it, {cost.waited:.2f} s")
    print(f"  wall {cost.wall:.2f} s, best {best:.2f} s, list scheduling {listed:.2f} s")
    print(
        f"  ratio to the best {cost.wall / best:.3f}, to list scheduling {cost.wall / listed:.3f}",
        flush=True,
    )
    return cost.wall / best


def measure_limit(stage: Stage, api: Api, latency: Latencies, limit: int) -> None:
    """Play all conversations against a limit of calls a second; print what of it was used."""
    with served(latency, limit) as server:
        cost = asyncio.run(ours(stage, server, api))
        asked = server.asked()
    refused = sum(one.status != HTTPStatus.OK for one in asked)
    used = (len(asked) - refused) / cost.wall / limit
    print(f"{api}, a limit of {limit} calls a second, {AT_ONCE} places:")
    print(f"  {len(asked) - refused} answered in {cost.wall:.1f} s: {used:.1%} of the limit used")
    print(f"  {refused} refused, {refused / len(asked):.1%} of all requests", flush=True)


def measure_cpu(stage: Stage, api: Api, rounds: int) -> float:
    """Compare CPU time a call with that of the bare SDK, round about; give the ratio."""
    with served(NONE) as server:
        asyncio.run(ours(stage, server, api))
        asked = server.asked()
        chains = bare_chains(api, asked)
        asyncio.run(bare(server, api, chains))
        pairs = [
            (asyncio.run(ours(stage, server, api)), asyncio.run(bare(server, api, chains)))
            for _ in range(rounds)
        ]
    calls = len(asked)
    mine, theirs = (1000 * median(pair[side].cpu for pair in pairs) / calls for side in (0, 1))
    ratio = median(one.cpu / other.cpu for one, other in pairs)
    spread = ", ".join(f"{one.cpu / other.cpu:.2f}" for one, other in pairs)
    milliseconds = f"{mine:.2f} ms of CPU a call, bare SDK {theirs:.2f} ms"
    print(f"{api}: {milliseconds}; ratio {ratio:.2f} ({spread}; {calls} calls)")
    return ratio


def profiled(stage: Stage, api: Api) -> None:
    """Print where our CPU goes."""
    profile = cProfile.Profile(time.process_time)
    with served(NONE) as server:
        asyncio.run(ours(stage, server, api))
        asyncio.run(ours(stage, server, api, profile))
    pstats.Stats(profile).sort_stats("tottime").print_stats(PROFILED)
    pstats.Stats(profile).sort_stats("cumulative").print_stats("goldwright", PROFILED)


def main() -> int:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--conversations",
        type=int,
        nargs="*",
        default=[64, 128],
        help="held at once, a figure each",
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=MEDIAN_SECONDS, help="median latency")
    parser.add_argument("--sigma", type=float, default=SIGMA, help="0: the same for each request")
    parser.add_argument("--limit", type=int, help="measure a limit of calls a second instead")
    parser.add_argument("--profile", choices=APIS, help="print where the CPU goes instead")
    options = parser.parse_args()
    latency = Latencies(options.seed, options.seconds, options.sigma)
    with tempfile.TemporaryDirectory(prefix="live-speed-") as name:
        scratch = Path(name)
        snapshot = open_snapshot(
            make_repository(scratch / "repo"), rev=None, cache=scratch / "cache"
        )
        stage = Stage(snapshot, PromptLibrary.load(PROJECT / "prompts"), scratch, AT_ONCE)
        if options.limit:
            for many in options.conversations:
                measure_limit(_with(stage, many), "anthropic", latency, options.limit)
            return 0
        if options.profile:
            profiled(stage, options.profile)
            return 0
        waits = [
            measure_concurrency(_with(stage, many), "anthropic", latency)
            for many in options.conversations
        ]
        ratios = [measure_cpu(stage, api, options.rounds) for api in APIS if options.rounds]
    is_quick = max(waits, default=0.0) <= MOST_OF_THE_BEST
    is_light = max(ratios, default=0.0) <= MOST_OF_THE_BARE
    return 0 if is_quick and is_light else 1


async def _timed(
    work: Callable[[], Awaitable[None]], profile: cProfile.Profile | None = None
) -> Cost:
    wall, cpu, waited = time.perf_counter(), time.process_time(), _waited()
    with profile or nullcontext():
        await work()
    return Cost(time.perf_counter() - wall, time.process_time() - cpu, _waited() - waited)


def _waited() -> float:
    """Seconds in which this process was ready and got no processor; 0 where nobody counts them."""
    return int(SCHEDULED.read_text().split()[1]) / 1e9 if SCHEDULED.exists() else 0.0


def _with(stage: Stage, conversations: int) -> Stage:
    return Stage(stage.snapshot, stage.prompts, stage.scratch, conversations, stage.names)


def _nobody_stops() -> None:
    raise RuntimeError("a call was cut off")


def _conversation(heard: Heard) -> int:
    found = re.search(r"question number (\d+)", heard.turns[0].text)
    if found is None:
        raise ValueError("the task names no question")
    return int(found[1])


def _candidate(number: int) -> QueryCandidate:
    return QueryCandidate(
        query_id=f"q_{number:05}",
        task_type="locate",
        difficulty="medium",
        query_text=f"Where is question number {number} answered, and what reads the plan?",
        target_entity_ids=("goldwright/plan.py::read_plan",),
        authored_by="",
        created_at="",
    )


def _google_arguments(body: Mapping[str, Any]) -> dict[str, Any]:
    config = types.GenerateContentConfig(
        system_instruction=types.Content.model_validate_json(json.dumps(body["systemInstruction"])),
        tools=[types.Tool.model_validate(tool) for tool in body["tools"]],
        tool_config=types.ToolConfig.model_validate(body["toolConfig"]),
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
        **body.get("generationConfig", {}),
    )
    contents = [
        types.Content.model_validate_json(json.dumps(content)) for content in body["contents"]
    ]
    return {"model": APIS["google"][0], "contents": contents, "config": config}


if __name__ == "__main__":
    sys.exit(main())
