"""Kill a run at random moments and counted system calls, resume it, and compare with a run left
alone.

Use: ``python tests/benchmarks/kill_campaign.py --kills 1000 --seed 1``. It prints how many kills
hit, how many runs were completed, and how many records were lost, doubled or different (all three
must be 0). Without ``--repo`` the codebase is a part of Goldwright's own source. With strace on the
path, half of the kills come at the N-th call of a kind that touches the disk; the other half come
by the clock.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from goldwright.stages.stage_graph import REPEATABLE_STAGES

PROJECT = Path(__file__).resolve().parents[2]
OWN_PARTS = ("journal", "records", "workspace", "stats")
SYSTEM_CALLS = ("write", "fdatasync", "fsync", "openat", "rename", "mkdir", "unlink", "ftruncate")
STAGE_FILES: tuple[str, ...] = tuple(file for stage in REPEATABLE_STAGES for file in stage.writes)
CALLS_FILE = "calls.jsonl"
TIMES = frozenset({"created_at", "wall_clock_s"})
FRAME = frozenset({"b", "s", "h", "run"})
LONGEST_RUN_SECONDS = 300
MOST_KILLS_OF_ONE_RUN = 4


@dataclass(frozen=True, slots=True)
class Setting:
    """What is run: the source of the program, the codebase and the plan, under one seed."""

    source: Path
    repo: Path
    plan: Path
    seed: int = 7


@dataclass(frozen=True, slots=True)
class Place:
    """A workspace of one trial and the cache it uses."""

    root: Path
    cache: Path

    @property
    def run(self) -> Path | None:
        """The one run that began here, if any did."""
        begun = sorted(path.parent for path in self.root.glob("runs/*/run.json"))
        if len(begun) > 1:
            raise AssertionError(f"more than one run began: {begun}")
        return begun[0] if begun else None

    @property
    def errors(self) -> str:
        """The last line that the program wrote to its standard error."""
        return (self.root / "errors.txt").read_text(errors="replace").strip().rpartition("\n")[2]


@dataclass(frozen=True, slots=True)
class Reference:
    """The run that was left alone: its place, the time it took, and where its disk calls stand."""

    run: Path
    seconds: float
    exit_code: int
    calls: Mapping[str, range]


@dataclass
class Tally:
    """What a campaign found; ``problems`` has one line for each thing that is wrong."""

    kills: int = 0
    completed: int = 0
    lost: int = 0
    duplicated: int = 0
    mismatched: int = 0
    problems: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        counts = f"{self.kills} kills, {self.completed} completed runs"
        faults = f"{self.lost} lost, {self.duplicated} duplicated, {self.mismatched} mismatched"
        return f"{counts}: {faults}"


def main() -> int:
    """Run the campaign that the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--repo", type=Path)
    parser.add_argument("--plan", type=Path, default=PROJECT / "plans" / "smoke.json")
    options = parser.parse_args()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="kills-") as directory:
        repo = options.repo.resolve() if options.repo else make_repository(Path(directory) / "repo")
        setting = Setting(freeze_program(Path(directory) / "program"), repo, options.plan.resolve())
        tally = campaign(setting, Path(directory), options.kills, options.seed)
    for problem in tally.problems:
        print(problem)
    print(f"{tally} ({(time.monotonic() - begun) / max(tally.kills, 1):.2f} s a kill)")
    return 1 if tally.problems else 0


def freeze_program(directory: Path) -> Path:
    """Copy the program: all runs of a campaign are of one version while work on it goes on."""
    for part in ("pipeline", "plans", "prompts"):
        shutil.copytree(
            PROJECT / part, directory / part, ignore=shutil.ignore_patterns("__pycache__")
        )
    return directory / "pipeline"


def make_repository(directory: Path) -> Path:
    """Make a git repository of real code: a part of this program."""
    package = directory / "goldwright"
    package.mkdir(parents=True)
    source = PROJECT / "pipeline" / "goldwright"
    for file in sorted(source.glob("*.py")):
        shutil.copy(file, package)
    for part in OWN_PARTS:
        shutil.copytree(source / part, package / part, ignore=shutil.ignore_patterns("__pycache__"))
    author = ("-c", "user.name=A Developer", "-c", "user.email=developer@example.com")
    for command in (
        ("init", "-q"),
        ("add", "-A"),
        (*author, "commit", "-q", "-m", "Add the journal"),
    ):
        subprocess.run(("git", *command), cwd=directory, check=True, capture_output=True)
    return directory


def campaign(setting: Setting, directory: Path, kills: int, seed: int) -> Tally:
    """Kill and resume runs until ``kills`` kills have hit; every run is completed and compared in
    the end.
    """
    rng = Random(seed)
    reference = make_reference(setting, directory)
    sizes = ", ".join(
        f"{sum(1 for _ in _scrubbed(reference.run / name))} {name}"
        for name in (*STAGE_FILES, CALLS_FILE)
    )
    print(f"left alone: {reference.seconds:.1f} s, {sizes}")
    points = ", ".join(
        f"{len(numbers)} {call}" for call, numbers in sorted(reference.calls.items())
    )
    print(f"system calls to kill at: {points or 'none, as there is no strace'}", flush=True)
    tally = Tally()
    number = 0
    while tally.kills < kills and len(tally.problems) < 10:  # after ten it is clear enough
        number += 1
        root = directory / f"trial-{number}"
        # A cache of its own lets the making of mirror and index be killed too.
        cache = root / "cache" if rng.random() < 0.5 else directory / "cache"
        place = Place(root, cache)
        root.mkdir()
        wanted = min(rng.randint(1, MOST_KILLS_OF_ONE_RUN), kills - tally.kills)
        trial(setting, place, reference, Trial(tally, rng, wanted))
        shutil.rmtree(root)
    return tally


def make_reference(setting: Setting, directory: Path) -> Reference:
    """Run once undisturbed, and where strace exists once more to count the calls that can be killed
    at.

    Raises:
        RuntimeError: The undisturbed run did not end well.
    """
    place = Place(directory / "reference", directory / "cache")
    place.root.mkdir(parents=True)
    begun = time.monotonic()
    exit_code = finish(setting, place)
    seconds = time.monotonic() - begun
    if place.run is None or exit_code not in (0, 1):
        raise RuntimeError(f"the undisturbed run ended in {exit_code}: {place.errors}")
    calls = _count_calls(setting, directory) if shutil.which("strace") else {}
    return Reference(place.run, seconds, exit_code, calls)


@dataclass
class Trial:
    """One run that is to be killed ``wanted`` times."""

    tally: Tally
    rng: Random
    wanted: int


def trial(setting: Setting, place: Place, reference: Reference, plan: Trial) -> None:
    """Kill one run some times, complete it, and compare it with the reference."""
    seen: dict[str, bytes] = {}
    for _ in range(plan.wanted):
        way, ended = _disturb(setting, place, reference, plan.rng)
        plan.tally.kills += ended == -signal.SIGKILL
        if ended not in (-signal.SIGKILL, reference.exit_code):
            plan.tally.problems.append(f"{way}: ended in {ended}: {place.errors}")
        check_growth(place, seen, way, plan.tally)
    ended = finish(setting, place)
    if ended != reference.exit_code or place.run is None:
        plan.tally.problems.append(f"the last resume ended in {ended}: {place.errors}")
        return
    plan.tally.completed += 1
    check_growth(place, seen, "the last resume", plan.tally)
    compare(place.run, reference.run, plan.tally)


def finish(
    setting: Setting, place: Place, *, prefix: tuple[str, ...] = (), kill_after: float | None = None
) -> int:
    """Start a run, or resume the one that began, and wait until it ends or is killed; give its exit
    code.
    """
    arguments = ["resume", "latest"]
    if place.run is None:
        arguments = [
            "run",
            str(setting.plan),
            "--repo",
            str(setting.repo),
            "--seed",
            str(setting.seed),
        ]
    # Not a pipe: processes that outlive a killed runner would hold it open.
    with (place.root / "errors.txt").open("wb") as errors:
        process = subprocess.Popen(
            [*prefix, sys.executable, "-m", "goldwright", *arguments],
            cwd=place.root,
            env={
                **os.environ,
                "PYTHONPATH": str(setting.source),
                "GOLDWRIGHT_CACHE": str(place.cache),
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
        )
    try:
        return process.wait(timeout=kill_after or LONGEST_RUN_SECONDS)
    except subprocess.TimeoutExpired:
        # Only the runner dies, as when memory runs out: what it started must not stand in the way.
        process.kill()
        if kill_after is None:
            raise
    return process.wait()


def compare(run: Path, reference: Path, tally: Tally) -> None:
    """Compare every file of two runs in everything but times, names of runs and hashes."""
    for name in (*STAGE_FILES, CALLS_FILE):
        ours, theirs = list(_scrubbed(run / name)), list(_scrubbed(reference / name))
        have, want = Counter(ours), Counter(theirs)
        lost = sum((want - have).values())
        doubled = sum(max(count - max(want[line], 1), 0) for line, count in have.items())
        tally.lost += lost
        tally.duplicated += doubled
        if ours != theirs:
            tally.mismatched += 1
            kind = "in another order" if have == want else f"{lost} lost, {doubled} doubled"
            tally.problems.append(f"{name}: differs ({kind}): {_first_difference(ours, theirs)}")
    for path in (run, reference):
        if json.loads((path / "run.json").read_bytes())["state"] != "complete":
            tally.problems.append(f"{path.name}: is not complete")


def _disturb(setting: Setting, place: Place, reference: Reference, rng: Random) -> tuple[str, int]:
    if reference.calls and rng.random() < 0.5:
        call = rng.choice(sorted(reference.calls))
        number = rng.choice(reference.calls[call])
        inject = f"inject={call}:signal=SIGKILL:when={number}"
        prefix = ("strace", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e", inject)
        return f"kill at {call} {number}", finish(setting, place, prefix=prefix)
    moment = rng.uniform(0.1, 1.0) * reference.seconds
    return f"kill after {moment:.2f} s", finish(setting, place, kill_after=moment)


def check_growth(place: Place, seen: dict[str, bytes], way: str, tally: Tally) -> None:
    """Whatever was once a whole line stays, byte for byte."""
    if place.run is None:
        return
    for name in (*STAGE_FILES, CALLS_FILE):
        path = place.run / name
        data = path.read_bytes() if path.exists() else b""
        if not data.startswith(seen.get(name, b"")):
            tally.lost += 1
            tally.problems.append(f"{way}: {name} lost lines that stood in it before")
        seen[name] = data[: data.rfind(b"\n") + 1]


def _scrubbed(path: Path) -> Iterator[str]:
    data = path.read_bytes() if path.exists() else b""
    for line in data.split(b"\n")[:-1]:
        fields = json.loads(line)
        kept = {name: value for name, value in fields.items() if name not in TIMES}
        if path.name == CALLS_FILE:
            kept = {name: value for name, value in kept.items() if name not in FRAME}
        yield json.dumps(kept, sort_keys=True)


def _first_difference(ours: list[str], theirs: list[str]) -> str:
    for number, (one, other) in enumerate(zip(ours, theirs, strict=False), start=1):
        if one != other:
            at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
            start_at = max(at - 40, 0)
            return (
                f"line {number}: …{one[start_at : at + 60]}… wanted …{other[start_at : at + 60]}…"
            )
    return f"{len(ours)} lines, wanted {len(theirs)}"


def _count_calls(setting: Setting, directory: Path) -> dict[str, range]:
    """Find, for each kind of call, the numbers it has once the program touches its own files."""
    place = Place(directory / "counted", directory / "counted" / "cache")
    place.root.mkdir()
    log = directory / "calls.txt"
    pattern = "/^(" + "|".join(SYSTEM_CALLS) + ")"
    finish(
        setting,
        place,
        prefix=("strace", "-qq", "-s", "300", "-o", str(log), "-e", f"trace={pattern}"),
    )
    return _numbers_of_calls(log.read_text(errors="replace").splitlines(), str(place.root))


def _numbers_of_calls(lines: list[str], root: str) -> dict[str, range]:
    counts: Counter[str] = Counter()
    first: dict[str, int] = {}
    has_begun = False
    for line in lines:
        call = line.partition("(")[0]
        if not call.isidentifier():
            continue
        has_begun = has_begun or f'"{root}/' in line
        counts[call] += 1
        if has_begun:
            first.setdefault(call, counts[call])
    return {name: range(number, counts[name] + 1) for name, number in first.items()}


if __name__ == "__main__":
    sys.exit(main())
