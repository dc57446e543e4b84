"""Run a plan with models whose providers err all the time, and compare its dataset with that of
calm providers.

Use: ``PYTHONPATH=tests python tests/benchmarks/live_faults.py [DIR] --plan smoke --share 0.3 --seed
1 2 3``. A scripted server speaks the protocols of three providers; on a share of all requests it
answers with a passing fault, chosen by the seed and by what the request says. The waits between
attempts are real ones, so a run takes minutes. Without a directory the codebase is a part of
Goldwright's own source.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.kill_campaign import PROJECT, freeze_program, make_repository
from goldwright.llm.port import Usage
from goldwright.llm.pricing import PriceTable
from goldwright.snapshot import Snapshot, open_snapshot
from scripted.brain import RolePlayer
from scripted.server import Entry, Fault, serve_in_thread
from scripted.wire import Heard, canonical

MODELS = {
    "author": "anthropic:claude-sonnet-5",
    "oracle": "openai:gpt-5",
    "adversary": "anthropic:claude-sonnet-5",
    "judge": "google:gemini-3.8-flash",
}
PROVIDER_OF = {"anthropic": "anthropic", "responses": "openai", "google": "google"}
KEYS = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GOOGLE_API_KEY")
FAULTS: Mapping[str, Fault] = {
    "429": Fault("status", status=429, headers={"retry-after": "0.05"}),
    "529": Fault("status", status=529),
    "503": Fault("status", status=503),
    "500": Fault("status", status=500),
    "504": Fault("status", status=504),
    "reset_before": Fault("reset_before"),
    "cut_body": Fault("cut_body"),
    "truncated_json": Fault("truncated_json"),
    "empty": Fault("empty"),
    "garbage": Fault("garbage"),
    "slow": Fault("slow", seconds=0.5),
    "cut_after": Fault("cut_after", events=9),
    "reset_after": Fault("reset_after", events=2),
    "end_early": Fault("end_early", events=30),
    "error_event": Fault("error_event", status=529, events=12),
}
DATASET = "golden_v1.0.draft.json"
UNAVAILABLE = 6
GOOD_ENDS = (0, 1)
MOST_RESUMES = 20
LONGEST_RUN_SECONDS = 1800
MICRO = 1_000_000
PRICES = PriceTable.shipped()


@dataclass(frozen=True)
class Setting:
    """What is run: the program, the codebase and the plan; the cache is shared, as it holds no
    answers.
    """

    source: Path
    repo: Path
    plan: str
    snapshot: Snapshot
    cache: Path
    streams: bool = True


@dataclass
class Weather:
    """Chooses the faults: the same for the same request at its first, second or later try, whatever
    the order.
    """

    share: float
    seed: int
    kinds: Counter[str] = field(default_factory=Counter)
    _tries: Counter[str] = field(default_factory=Counter)

    def __call__(self, _serial: int, heard: Heard) -> Fault | None:
        """Choose the fault of a request, if it is to have one."""
        said = hashlib.sha256(canonical([heard.protocol, heard.body])).hexdigest()
        self._tries[said] += 1
        chance = Random(f"{self.seed} {said} {self._tries[said]}")
        if chance.random() >= self.share:
            return None
        kind = chance.choice(list(FAULTS))
        self.kinds[kind] += 1
        return FAULTS[kind]


@dataclass(frozen=True)
class Finished:
    """A run that was exported: its dataset, what stands beside it, and what it took."""

    dataset: bytes
    metadata: Mapping[str, Any]
    spent_usd: float
    presumed_usd: float
    most_usd: float
    exit_codes: Sequence[int]
    seconds: float
    log: Sequence[Entry]

    @property
    def billed_usd(self) -> float:
        """What the server bills."""
        return sum(_price(entry) for entry in self.log) / MICRO

    def __str__(self) -> str:
        presumed = f"${self.presumed_usd:.4f} of it presumed"
        told = f"${self.spent_usd:.4f} told, {presumed}, at most ${self.most_usd:.4f}"
        ratio = self.spent_usd / self.billed_usd
        money = f"{told}, ${self.billed_usd:.4f} billed: told {ratio:.3f} of it"
        ends = ", ".join(map(str, self.exit_codes))
        return f"{self.seconds:.1f} s, {len(self.log)} requests, exit codes {ends}; {money}"


class Shell:
    """The command line of the program in a working directory."""

    def __init__(self, setting: Setting, directory: Path) -> None:
        self._directory = directory
        keys = dict.fromkeys(KEYS, "loopback" * 3)
        places = {"PYTHONPATH": str(setting.source), "GOLDWRIGHT_CACHE": str(setting.cache)}
        self._environment = {**os.environ, **keys, **places, "NO_PROXY": "127.0.0.1"}
        self.complaint = ""

    def run(self, *arguments: str) -> tuple[int, str]:
        """Run one command; give its exit code and what it printed."""
        done = subprocess.run(
            [sys.executable, "-m", "goldwright", *arguments],
            cwd=self._directory,
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=LONGEST_RUN_SECONDS,
            check=False,
        )
        self.complaint = done.stderr.strip().rpartition("\n")[2]
        return done.returncode, done.stdout


def main() -> int:
    """Run the comparison that the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("repo", type=Path, nargs="?", metavar="DIR")
    parser.add_argument("--plan", default="smoke")
    parser.add_argument("--share", type=float, default=0.3)
    parser.add_argument("--seed", type=int, nargs="+", default=[1])
    parser.add_argument("--whole", action="store_true", help="ask for replies in one piece")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="faults-") as name:
        directory = Path(name)
        repo = options.repo.resolve() if options.repo else make_repository(directory / "repo")
        program = freeze_program(directory / "program")
        cache = directory / "cache"
        snapshot = open_snapshot(repo, cache=cache)
        plan = _plan(options.plan)
        setting = Setting(program, repo, plan, snapshot, cache, streams=not options.whole)
        try:
            return compare(setting, directory, options.share, options.seed)
        finally:
            setting.snapshot.close()


def compare(setting: Setting, directory: Path, share: float, seeds: Sequence[int]) -> int:
    """Run once in calm and once under each seed; give the number of seeds whose dataset differs or
    is underpaid.
    """
    calm = finish(setting, directory / "calm", Weather(0.0, 0))
    print(f"calm: {calm}", flush=True)
    bad = 0
    for seed in seeds:
        weather = Weather(share, seed)
        rough = finish(setting, directory / f"seed-{seed}", weather)
        is_same, is_paid = rough.dataset == calm.dataset, rough.most_usd >= rough.billed_usd
        bad += not (is_same and is_paid)
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(weather.kinds.items()))
        print(f"seed {seed}: {rough}")
        print(f"  {weather.kinds.total()} faults: {kinds}; {len(rough.exit_codes) - 1} resumes")
        same, paid = ("yes" if is_well else "no" for is_well in (is_same, is_paid))
        print(f"  dataset identical: {same}; at most covers billed: {paid}")
        fields = ", ".join(differences(rough.metadata, calm.metadata))
        print(f"  beside it differ: {fields or 'nothing'}", flush=True)
        if not is_same:
            print(
                f"  in it differ: {', '.join(dataset_differences(rough.dataset, calm.dataset))}",
                flush=True,
            )
    return bad


def finish(setting: Setting, directory: Path, weather: Weather) -> Finished:
    """Run the plan, resume it while its providers are unavailable, and export its draft."""
    directory.mkdir()
    shell = Shell(setting, directory)
    begun = time.monotonic()
    with serve_in_thread(RolePlayer(setting.snapshot), faults=weather) as server:
        (directory / "goldwright.toml").write_text(
            settings_for(server.url, streams=setting.streams)
        )
        ends = _work_through(setting, shell)
    seconds = time.monotonic() - begun
    costs = json.loads(_must(shell, "status", "latest", "--json"))["costs"].values()
    run = next((directory / "runs").iterdir()).name
    _must(shell, "export", run, "--version", "1.0", "--draft", "--out", str(directory / "out"))
    return Finished(
        dataset=(directory / "out" / DATASET).read_bytes(),
        metadata=json.loads(
            (directory / "out" / DATASET.replace(".json", ".meta.json")).read_bytes()
        ),
        spent_usd=sum(cost["usd"] for cost in costs),
        presumed_usd=sum(cost["presumed_usd"] for cost in costs),
        most_usd=sum(cost["most_usd"] for cost in costs),
        exit_codes=ends,
        seconds=seconds,
        log=tuple(server.log),
    )


def differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """Name the fields that two objects do not share."""
    return sorted(name for name in {*one, *other} if one.get(name) != other.get(name))


def dataset_differences(one: bytes, other: bytes) -> list[str]:
    """Name the places at which two datasets differ: the fields of their queries, or the queries
    themselves.
    """
    ours, theirs = (json.loads(data) for data in (one, other))
    queries, wanted = (
        found.get("queries", []) if isinstance(found, dict) else found for found in (ours, theirs)
    )
    if len(queries) != len(wanted):
        return [f"{len(queries)} queries, wanted {len(wanted)}"]
    fields = {
        name
        for mine, yours in zip(queries, wanted, strict=True)
        for name in differences(mine, yours)
    }
    return sorted(fields) or differences(ours, theirs)


def _work_through(setting: Setting, shell: Shell) -> list[int]:
    ends = [shell.run("run", setting.plan, "--repo", str(setting.repo))[0]]
    while ends[-1] == UNAVAILABLE and len(ends) <= MOST_RESUMES:
        print(f"  resumed after: {shell.complaint}", flush=True)
        ends.append(shell.run("resume", "latest")[0])
    if ends[-1] not in GOOD_ENDS:
        raise RuntimeError(f"the run ended in {ends[-1]}: {shell.complaint}")
    return ends


def _must(shell: Shell, *arguments: str) -> str:
    code, printed = shell.run(*arguments)
    if code:
        raise RuntimeError(f"{arguments[0]} ended in {code}: {shell.complaint}")
    return printed


def _plan(name: str) -> str:
    return (
        str(Path(name).resolve())
        if name.endswith(".json")
        else str(PROJECT / "plans" / f"{name}.json")
    )


def settings_for(
    url: str, *, models: Mapping[str, str] = MODELS, streams: bool = True, canaries: int = 0
) -> str:
    """Write settings that lead all roles to one server."""
    agents = "".join(f'{role} = "{model}"\n' for role, model in models.items())
    stream = f"stream = {json.dumps(streams)}"
    return f"""[agents]
{agents}
[run]
canaries = {canaries}
[providers.anthropic]
base_url = "{url}"
{stream}
[providers.openai]
base_url = "{url}/v1"
api = "responses"
{stream}
[providers.google]
base_url = "{url}"
{stream}
"""


def _price(entry: Entry) -> int:
    tariff = PRICES.pricing_of(f"{PROVIDER_OF[entry.protocol]}:{entry.model}")
    if tariff is None:
        raise RuntimeError(f"{entry.model} has no price")
    used = entry.usage
    return tariff.cost(Usage(used["fresh"], used["cached"], used["written"], used["output"]))


if __name__ == "__main__":
    sys.exit(main())
