"""Kill runs with models at random moments, resume them, and compare dataset and bills with a run
left alone.

Use: ``PYTHONPATH=tests python tests/benchmarks/live_kills.py --kills 300 --seed 1``. A scripted
server speaks the providers' protocols and counts what it bills; every run comes with a key of its
own, by which the server's log tells the runs apart. Half of the runs begin under a ceiling of
dollars that they cannot finish with, and are carried on with a higher one. With ``--batch``,
Adversary, completeness and judge go through the batch APIs of the three providers. With strace on
the path, half of the kills come at the N-th call of a kind that sends or writes; the others come by
the clock.
"""

import argparse
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from http import HTTPStatus
from pathlib import Path
from random import Random

from benchmarks.kill_campaign import PROJECT, freeze_program, make_repository
from goldwright.llm.port import Usage
from goldwright.llm.pricing import ModelPricing, PriceTable
from goldwright.snapshot import open_snapshot
from scripted.batches import Billed
from scripted.brain import RolePlayer
from scripted.server import STATUS_OF_A_LEFT_CLIENT, Entry, Running, serve_in_thread
from scripted.wire import Heard, canonical

MODELS = {
    "author": "anthropic:claude-sonnet-5",
    "oracle": "openai:gpt-5",
    "adversary": "anthropic:claude-sonnet-5",
    "judge": "google:gemini-3.8-flash",
}
COMPLETENESS_IN_BATCHES = 'completeness = "openai:gpt-5"\nallow_same_family = true\n'
"""Where batches are wanted, so that those of each provider are."""
IN_BATCHES = "batch = true\nbatch_gathering_s = 0.05\nbatch_poll_s = 0.05\n"
PROVIDER_OF = {"anthropic": "anthropic", "responses": "openai", "google": "google"}
KEYS = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GOOGLE_API_KEY")
SYSTEM_CALLS = ("write", "fdatasync", "connect", "sendto", "openat")
SHORTEST_LATENCY, LONGEST_LATENCY = 0.005, 0.040
LONGEST_RUN_SECONDS = 300
MOST_KILLS_OF_ONE_RUN = 6
MOST_KILLS_UNDER_A_CEILING = 2
MOST_FRUITLESS_TRIES = 12
ENOUGH_PROBLEMS = 10
NO_MORE_MONEY = 5
MICRO = 1_000_000
PLENTY_USD = 1000.0
PRICES = PriceTable.shipped()


@dataclass(frozen=True)
class Listener:
    """Hears what each request says, by its serial; objects are equal in whichever order their keys
    come.
    """

    said: dict[int, str] = field(default_factory=dict)

    def __call__(self, serial: int, heard: Heard) -> None:
        """Remember a request."""
        self.said[serial] = hashlib.sha256(canonical(heard.body)).hexdigest()

    def different(self, entries: Iterable[Entry]) -> int:
        """Count the different requests."""
        return len({self.said[entry.serial] for entry in entries})

    def repeated(self, entries: Iterable[Entry]) -> int:
        """Count the requests that came more often than once."""
        return sum(
            count - 1 for count in Counter(self.said[entry.serial] for entry in entries).values()
        )


@dataclass(frozen=True, slots=True)
class Setting:
    """What all runs of a campaign share."""

    program: Path
    repo: Path
    plan: Path
    cache: Path
    concurrency: int
    server: Running
    listener: Listener
    traces: bool
    command: Callable[["Run", tuple[str, ...]], str]
    batch: bool = False

    @property
    def places(self) -> int:
        """How many calls can be under way at once."""
        return self.concurrency * len(set(MODELS.values()))


@dataclass(frozen=True)
class Tape:
    """What stands in the file of calls of a run: how many lines of each kind, without those about
    entries of batches; the largest reservation; the replies, those of batches included.
    """

    kinds: Mapping[str, int]
    largest: int
    replies: int = 0

    @property
    def open(self) -> int:
        """How many intents the tape does not know the end of."""
        return self.kinds["intent"] - self.kinds["reply"] - self.kinds["void"]

    @property
    def batched(self) -> int:
        """How many replies batches brought."""
        return self.replies - self.kinds["reply"]


@dataclass(frozen=True, slots=True)
class Session:
    """One process of a run: when it was started, how it ended, and what the tape held before and
    after it.
    """

    began: float
    ended: float
    code: int
    before: Tape
    after: Tape
    way: str


@dataclass
class Run:
    """One run in a place of its own, with a key of its own."""

    setting: Setting
    root: Path
    key: str
    ceiling: float = PLENTY_USD
    sessions: list[Session] = field(default_factory=list)

    @property
    def path(self) -> Path | None:
        """Where the run is, if it began."""
        begun = sorted(path.parent for path in self.root.glob("runs/*/run.json"))
        if len(begun) > 1:
            raise AssertionError(f"more than one run began: {begun}")
        return begun[0] if begun else None

    @property
    def errors(self) -> str:
        """The last line that the program wrote to its standard error."""
        return (self.root / "errors.txt").read_text(errors="replace").strip().rpartition("\n")[2]

    @property
    def kills(self) -> int:
        """How many of its processes were killed."""
        return sum(session.code == -signal.SIGKILL for session in self.sessions)

    def entries(self) -> list[Entry]:
        """What the server says of this run; every provider was given the same key."""
        own = hashlib.sha256(self.key.encode()).hexdigest()[:16]
        return [entry for entry in self.setting.server.log if entry.key_digest == own]

    def batched(self) -> list[Billed]:
        """What the server bills this run for entries of batches."""
        own = hashlib.sha256(self.key.encode()).hexdigest()[:16]
        billed = self.setting.server.server.batches.billed
        return [entry for entry in billed if entry.key_digest == own]

    @property
    def bill(self) -> int:
        """What the server bills this run for, in micro-dollars."""
        return bill(self.entries()) + sum(map(_batch_price, self.batched()))

    def environment(self) -> dict[str, str]:
        """What a process of this run finds around itself."""
        return {
            **os.environ,
            **dict.fromkeys(KEYS, self.key),
            "PYTHONPATH": str(self.setting.program),
            "GOLDWRIGHT_CACHE": str(self.setting.cache),
            "NO_PROXY": "127.0.0.1",
        }


@dataclass(frozen=True)
class Reference:
    """The run that was left alone: what it made, asked and paid, and how it spent its time."""

    dataset: bytes
    startup: float
    seconds: float
    exit_code: int
    requests: int
    asked_twice: int
    cost: int
    call_journal: Tape
    calls: Mapping[str, range]
    batched: int = 0


@dataclass
class Tally:
    """What a campaign found; ``problems`` has one line for each thing that is wrong."""

    kills: Counter[str] = field(default_factory=Counter)
    completed: int = 0
    capped: int = 0
    out_of_money: int = 0
    mismatched: int = 0
    in_flight: int = 0
    paid_twice: int = 0
    asked_twice: int = 0
    over_bound: int = 0
    other_bytes: int = 0
    over_ceiling: int = 0
    underbooked: int = 0
    batched: int = 0
    batched_twice: int = 0
    files_left: int = 0
    billed: int = 0
    booked: int = 0
    problems: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        ways = ", ".join(f"{count} by {way}" for way, count in sorted(self.kills.items()))
        return (
            f"kills: {self.kills.total()} ({ways})\n"
            f"completed runs: {self.completed}; begun under a ceiling: {self.capped}, "
            f"which ended {self.out_of_money} processes\n"
            f"datasets that differ: {self.mismatched}\n"
            f"in flight at the kills: {self.in_flight}; asked twice: {self.asked_twice}, "
            f"paid twice: {self.paid_twice}; runs over that bound: {self.over_bound}\n"
            f"asked again with keys in another order: {self.other_bytes}\n"
            f"entries of batches: {self.batched}, billed more often than once: "
            f"{self.batched_twice}; files left at the provider: {self.files_left}\n"
            f"ceilings passed: {self.over_ceiling}\n"
            f"billed ${self.billed / MICRO:.4f}, booked ${self.booked / MICRO:.4f}; "
            f"runs that booked less than was billed: {self.underbooked}"
        )


def main() -> int:
    """Run the campaign that the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--concurrency", type=int, default=8, help="calls at a time to each model")
    parser.add_argument("--plan", type=Path, default=PROJECT / "plans" / "smoke.json")
    parser.add_argument("--batch", action="store_true", help="three of the roles in batches")
    parser.add_argument("--clock", action="store_true", help="kill by the clock alone")
    options = parser.parse_args()
    traces = shutil.which("strace") is not None and not options.clock
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="live-kills-") as name:
        directory = Path(name)
        repo, cache = make_repository(directory / "repo"), directory / "cache"
        brain, listener = RolePlayer(open_snapshot(repo, rev=None, cache=cache)), Listener()
        chance = Random(options.seed)
        with serve_in_thread(brain, faults=listener, latency=latency_of(options.seed)) as server:
            program = freeze_program(directory / "program")
            setting = Setting(
                program,
                repo,
                options.plan.resolve(),
                cache,
                options.concurrency,
                server,
                listener,
                traces,
                run_command,
                options.batch,
            )
            tally = campaign(setting, directory, options.kills, chance)
    print(*tally.problems, tally, sep="\n")
    print(f"{time.monotonic() - begun:.0f} s, {len(tally.problems)} problems")
    return 1 if tally.problems else 0


def campaign(setting: Setting, directory: Path, kills: int, chance: Random) -> Tally:
    """Kill and resume runs until ``kills`` kills have hit; every run is completed and compared in
    the end.
    """
    reference = make_reference(setting, directory)
    print(
        f"left alone: {reference.seconds:.1f} s, "
        f"the first {reference.startup:.1f} s before the first request; "
        f"{reference.requests} requests, {reference.batched} entries of batches, "
        f"${reference.cost / MICRO:.4f}"
    )
    points = ", ".join(
        f"{len(numbers)} {call}" for call, numbers in sorted(reference.calls.items())
    )
    print(f"system calls to kill at: {points or 'none, by the clock alone'}", flush=True)
    tally = Tally()
    number = 0
    while (left := kills - tally.kills.total()) > 0 and len(tally.problems) < ENOUGH_PROBLEMS:
        number += 1
        run = open_place(setting, directory, f"trial-{number}")
        Trial(run, reference, tally, chance).play(
            min(chance.randint(1, MOST_KILLS_OF_ONE_RUN), left), number % 2 == 1
        )
        shutil.rmtree(run.root)
        print(
            f"{tally.kills.total()} kills, {number} runs, {len(tally.problems)} problems",
            file=sys.stderr,
            flush=True,
        )
    return tally


def open_place(setting: Setting, directory: Path, name: str) -> Run:
    """Make a directory for a run, with settings that lead every role to the server."""
    root = directory / name
    root.mkdir()
    agents = "".join(f'{role} = "{model}"\n' for role, model in MODELS.items())
    batch = ""
    if setting.batch:
        agents, batch = agents + COMPLETENESS_IN_BATCHES, IN_BATCHES
    url, at_once = setting.server.url, f"max_concurrency = {setting.concurrency}"
    (root / "goldwright.toml").write_text(
        f"[agents]\n{agents}[run]\ncanaries = 0\n{batch}"
        f'[providers.anthropic]\nbase_url = "{url}"\n{at_once}\n'
        f'[providers.openai]\nbase_url = "{url}/v1"\napi = "responses"\n{at_once}\n'
        f'[providers.google]\nbase_url = "{url}"\n{at_once}\n'
    )
    return Run(setting, root, f"key-of-{name}")


def make_reference(setting: Setting, directory: Path) -> Reference:
    """Run undisturbed, after a first run that warms caches up and counts the calls that can be
    killed at.

    Raises:
        RuntimeError: An undisturbed run did not end well.
    """
    first, run = (open_place(setting, directory, name) for name in ("first", "reference"))
    log = directory / "calls.txt"
    trace = ("strace", "-qq", "-s", "300", "-o", str(log), "-e", f"trace={','.join(SYSTEM_CALLS)}")
    for one, prefix in ((first, trace if setting.traces else ()), (run, ())):
        code = step(one, prefix=prefix)
        if one.path is None or code not in (0, 1):
            raise RuntimeError(f"the undisturbed run ended in {code}: {one.errors}")
    return reference_of(run, _numbers_of_calls(log, first.root) if log.exists() else {})


def reference_of(run: Run, calls: Mapping[str, range]) -> Reference:
    """Take what a run that was left alone made, asked and paid."""
    entries, session = run.entries(), run.sessions[0]
    return Reference(
        dataset=export(run),
        startup=min(entry.began for entry in entries) - session.began,
        seconds=max(entry.ended for entry in entries) - session.began,
        exit_code=session.code,
        requests=run.setting.listener.different(entries),
        asked_twice=run.setting.listener.repeated(entries),
        cost=run.bill,
        call_journal=session.after,
        calls=calls,
        batched=len(run.batched()),
    )


def step(
    run: Run, way: str = "", *, prefix: Sequence[str] = (), kill_after: float | None = None
) -> int:
    """Start a run, or resume the one that began, until it ends or is killed; give its exit code."""
    before = read_tape(run.path)
    # Not a pipe: processes that outlive a killed runner would hold it open.
    with (run.root / "errors.txt").open("wb") as errors:
        began = time.monotonic()
        process = subprocess.Popen(
            [*prefix, sys.executable, "-m", "goldwright", *arguments_of(run)],
            cwd=run.root,
            env=run.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
        )
    try:
        code = process.wait(timeout=kill_after or LONGEST_RUN_SECONDS)
    except subprocess.TimeoutExpired:
        # Only the runner dies, as when memory runs out: what it started must not stand in the way.
        process.kill()
        code = process.wait()
        if kill_after is None:
            raise
    time.sleep(2 * LONGEST_LATENCY)  # until the server has seen who left
    run.sessions.append(Session(began, time.monotonic(), code, before, read_tape(run.path), way))
    return code


def export(run: Run) -> bytes:
    """Give the dataset of a run as it is written."""
    out = run.root / "golden"
    arguments = ("export", "latest", "--version", "1.0", "--draft", "--out", str(out))
    run.setting.command(run, arguments)
    return (out / "golden_v1.0.draft.json").read_bytes()


def read_tape(path: Path | None) -> Tape:
    """Count what stands whole in the file of calls."""
    file = path / "calls.jsonl" if path else None
    data = file.read_bytes() if file and file.exists() else b""
    rows = [json.loads(line) for line in data.split(b"\n")[:-1]]
    largest = max((row["reserved"] for row in rows if row["t"] == "intent"), default=0)
    in_batches = {(row["item"], row["key"]) for row in rows if row.get("in_batch")}
    single = [row for row in rows if (row.get("item"), row.get("key")) not in in_batches]
    replies = sum(row["t"] == "reply" for row in rows)
    return Tape(Counter(row["t"] for row in single), largest, replies)


def bill(entries: Sequence[Entry]) -> int:
    """Add up what the server bills, in micro-dollars."""
    return sum(_price(entry) for entry in entries)


def harsh_bill(run: Run) -> int:
    """Add up what a provider would bill that charges for requests whose client left, too."""
    said, entries = run.setting.listener.said, run.entries()
    whole = {said[entry.serial]: entry for entry in entries if entry.status == HTTPStatus.OK}
    left = [entry for entry in entries if entry.status == STATUS_OF_A_LEFT_CLIENT]
    return run.bill + sum(
        _price(whole[said[one.serial]]) for one in left if said[one.serial] in whole
    )


@dataclass
class Trial:
    """One run that is killed, completed and judged."""

    run: Run
    reference: Reference
    tally: Tally
    chance: Random

    def play(self, kills: int, under_a_ceiling: bool) -> None:
        """Kill a run some times, complete it, and judge what came of it."""
        if under_a_ceiling:
            self._run_out_of_money(kills)
            self.run.ceiling = PLENTY_USD
        for _ in range(MOST_FRUITLESS_TRIES):
            if self.run.kills >= kills or not self._disturb({self.reference.exit_code}):
                break
        # A run that was complete before its last kill could hit is judged all the same.
        code = step(self.run, "the last resume")
        if code != self.reference.exit_code or self.run.path is None:
            self._complain(f"the last resume ended in {code}: {self.run.errors}")
            return
        self.tally.completed += 1
        self.judge_requests()
        self.judge_money()
        self.judge_batches()
        if export(self.run) != self.reference.dataset:
            self.tally.mismatched += 1
            self._complain("the dataset differs")

    def _run_out_of_money(self, kills: int) -> None:
        """Run under a ceiling until nothing more can be asked; it counts whatever happens."""
        share = self.chance.uniform(0.3, 0.6) * self.reference.cost
        room = self.chance.choice((0, self.reference.call_journal.largest))
        self.run.ceiling = (share + room) / MICRO
        self.tally.capped += 1
        for _ in range(min(kills // 2, MOST_KILLS_UNDER_A_CEILING)):
            self._disturb({NO_MORE_MONEY, self.reference.exit_code})
            self.check_ceiling()
        code = step(self.run, "without money")
        if code != NO_MORE_MONEY:
            self._complain(f"under ${self.run.ceiling:.4f} it ended in {code}: {self.run.errors}")
        self.check_ceiling()
        self.tally.out_of_money += sum(
            session.code == NO_MORE_MONEY for session in self.run.sessions
        )

    def check_ceiling(self) -> None:
        """Check that no bill passes the ceiling."""
        paid = harsh_bill(self.run)
        if paid > self.run.ceiling * MICRO:
            self.tally.over_ceiling += 1
            self._complain(f"${paid / MICRO:.6f} billed under a ceiling of ${self.run.ceiling:.6f}")

    def _disturb(self, wanted: set[int]) -> bool:
        """Try to kill a process of the run; tell whether another one can be killed."""
        way, code = self._strike()
        if code == -signal.SIGKILL:
            self.tally.kills[way.partition(" ")[0]] += 1
        elif code not in wanted:
            self._complain(f"{way}: ended in {code}: {self.run.errors}")
        return code == -signal.SIGKILL

    def _strike(self) -> tuple[str, int]:
        share = self.chance.uniform(0.0, max(self._left(), 0.05))
        if self.reference.calls and self.chance.random() < 0.5:
            call = self.chance.choice(sorted(self.reference.calls))
            numbers = self.reference.calls[call]
            number = numbers[int(share * (len(numbers) - 1))]
            inject = f"inject={call}:signal=SIGKILL:when={number}"
            prefix = ("strace", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e", inject)
            way = f"{call} number {number}"
            return way, step(self.run, way, prefix=prefix)
        moment = self.reference.startup + share * (self.reference.seconds - self.reference.startup)
        way = f"clock at {moment:.2f} s"
        return way, step(self.run, way, kill_after=moment)

    def _left(self) -> float:
        """Tell which part of the requests is still to be answered."""
        wanted = self.reference.requests + self.reference.batched
        return 1 - read_tape(self.run.path).replies / wanted

    def judge_requests(self) -> None:
        """Check that nothing was asked or paid twice but what was in flight at the kills."""
        entries = self.run.entries()
        bound = sum(self._in_flight(session, entries) for session in self.run.sessions)
        answered = [entry for entry in entries if entry.status == HTTPStatus.OK]
        listener = self.run.setting.listener
        twice, asked = listener.repeated(answered), listener.repeated(entries)
        self.tally.in_flight += bound
        self.tally.paid_twice += twice
        self.tally.asked_twice += asked
        if max(twice, asked) > bound + self.reference.asked_twice:
            self.tally.over_bound += 1
            self._complain(
                f"{twice} paid twice, {asked} asked twice, and only {bound} in flight at the kills"
            )
        bodies = {entry.body_digest for entry in entries}
        requests = listener.different(entries)
        self.tally.other_bytes += len(bodies) - requests
        if requests != self.reference.requests:
            self._complain(f"{requests} different requests, wanted {self.reference.requests}")

    def _in_flight(self, session: Session, entries: Sequence[Entry]) -> int:
        """Count what was under way at the end of a process: not answered, or answered and not yet
        written down.
        """
        own = [entry for entry in entries if session.began <= entry.began < session.ended]
        lost = len(own) - (session.after.kinds["reply"] - session.before.kinds["reply"])
        presumed = session.after.open - session.before.open
        places = self.run.setting.places
        if lost > presumed or presumed > places:
            self._complain(
                f"{session.way}: the server lost {lost}, the tape {presumed} of {places}"
            )
        if session.code != -signal.SIGKILL and lost:
            self._complain(f"{session.way}: ended in {session.code} and lost {lost} requests")
        return lost

    def judge_money(self) -> None:
        """Check that the run books what the server billed."""
        status = json.loads(self.run.setting.command(self.run, ("status", "latest", "--json")))
        booked = round(status["usd"] * MICRO)
        costs = status["costs"].values()
        presumed = round(sum(cost["presumed_usd"] for cost in costs) * MICRO)
        most = round(sum(cost["most_usd"] for cost in costs) * MICRO)
        billed = self.run.bill
        self.tally.billed += billed
        self.tally.booked += booked
        if not booked - presumed <= billed <= most:
            self.tally.underbooked += 1
            self._complain(
                f"billed {billed}, booked {booked} micro-dollars, {presumed} of them presumed, "
                f"at most {most}"
            )

    def judge_batches(self) -> None:
        """Check that every entry of a batch was billed once, and that no file is left."""
        billed = len(self.run.batched())
        twice = billed - self.reference.batched
        files = self.run.setting.server.server.batches.files
        self.tally.batched += billed
        self.tally.batched_twice += max(twice, 0)
        self.tally.files_left += len(files)
        if twice or billed != read_tape(self.run.path).batched or files:
            self._complain(
                f"{billed} entries of batches billed, wanted {self.reference.batched}; "
                f"files left: {', '.join(files) or 'none'}"
            )
        files.clear()

    def _complain(self, problem: str) -> None:
        ways = "; ".join(session.way for session in self.run.sessions)
        self.tally.problems.append(f"{self.run.root.name} ({ways}): {problem}")


def run_command(run: Run, arguments: tuple[str, ...]) -> str:
    """Run a command where a run is, and give what it printed."""
    command = [sys.executable, "-m", "goldwright", *arguments]
    done = subprocess.run(
        command,
        cwd=run.root,
        env=run.environment(),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stdout


def arguments_of(run: Run) -> list[str]:
    """Give the command line that starts a run, or resumes the one that began."""
    budget = ["--budget-usd", f"{run.ceiling:.6f}"]
    if run.path is not None:
        return ["resume", "latest", *budget]
    return ["run", str(run.setting.plan), "--repo", str(run.setting.repo), "--seed", "7", *budget]


def _numbers_of_calls(log: Path, root: Path) -> dict[str, range]:
    """Find, for each kind of call, the numbers it has once the program touches its own files."""
    counts: Counter[str] = Counter()
    first: dict[str, int] = {}
    has_begun = False
    for line in log.read_text(errors="replace").splitlines():
        call = line.partition("(")[0]
        counts[call] += 1
        has_begun = has_begun or f'"{root}/runs/' in line
        if has_begun and call in SYSTEM_CALLS:
            first.setdefault(call, counts[call])
    return {name: range(number, counts[name] + 1) for name, number in first.items()}


def latency_of(seed: int) -> Callable[[int], float]:
    """Give each request a time to wait for its answer, by its serial."""
    return lambda serial: Random(f"{seed} {serial}").uniform(SHORTEST_LATENCY, LONGEST_LATENCY)


def _price(entry: Entry) -> int:
    return _cost(_pricing_of(entry), entry)


def _batch_price(entry: Billed) -> int:
    return _cost(_pricing_of(entry).scaled(Fraction(1, 2)), entry)


def _pricing_of(entry: Entry | Billed) -> ModelPricing:
    tariff = PRICES.pricing_of(f"{PROVIDER_OF[entry.protocol]}:{entry.model}")
    if tariff is None:
        raise LookupError(f"{entry.model} has no price")
    return tariff


def _cost(tariff: ModelPricing, entry: Entry | Billed) -> int:
    used = entry.usage
    return tariff.cost(Usage(used["fresh"], used["cached"], used["written"], used["output"]))


if __name__ == "__main__":
    sys.exit(main())
