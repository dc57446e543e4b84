"""Does the range of an estimate hold what a run then costs, and how wide is it?

Use: ``PYTHONPATH=tests python tests/benchmarks/estimate_ranges.py DIR [DIR ...] [--jobs N]``. The
settings below differ in models, thinking, codebase, size of the plan, faults, canaries, slips and
concurrency. In each, a scripted server plays two runs: the first is estimated from assumptions, the
second, with another seed and in some settings another plan, codebase or weather, from the first.
Prints both ranges beside the bill, how many hold it, and how wide they are.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median

from benchmarks.kill_campaign import freeze_program
from benchmarks.live_faults import GOOD_ENDS, MODELS, Setting, Shell, Weather, settings_for
from benchmarks.live_slips import SlippingPlayer
from goldwright.snapshot import Snapshot, open_snapshot
from scripted.brain import RolePlayer, Script
from scripted.server import serve_in_thread
from scripted.wire import THINKING_TOKENS, Brain, Heard

SMALL: Mapping[str, str] = {
    "author": "openai:gpt-5-mini",
    "oracle": "google:gemini-3.8-flash",
    "adversary": "openai:gpt-5-mini",
    "judge": "anthropic:claude-haiku-4-5",
}
LARGE: Mapping[str, str] = {
    "author": "anthropic:claude-opus-5",
    "oracle": "openai:gpt-5.5",
    "adversary": "anthropic:claude-opus-5",
    "completeness": "google:gemini-3.1-pro",
    "judge": "google:gemini-3.1-pro",
}
FEW: Mapping[str, str] = {"adversary": "anthropic:claude-sonnet-5"}
CELLS: Mapping[str, Mapping[str, int]] = {
    "locate": {"easy": 2, "medium": 1, "hard": 0},
    "explain": {"easy": 1, "medium": 1, "hard": 0},
    "debug": {"easy": 1, "medium": 0, "hard": 0},
    "extend": {"easy": 0, "medium": 0, "hard": 0},
    "review": {"easy": 1, "medium": 0, "hard": 0},
    "general": {"easy": 1, "medium": 0, "hard": 0},
}
# Ranges of this share of all settings have to hold the bill.
SHARE_TO_HOLD = 0.9


@dataclass(frozen=True, slots=True)
class Shape:
    """How the runs of one setting go.

    Attributes:
        name: What it is called.
        models: Who plays the roles.
        repo: The codebase, by its place on the command line; taken round.
        times: How many times over the plan wants each of its cells.
        calls: The calls of tools in a turn.
        reads: What each role reads beside what it needs, in pieces of 200 lines.
        faults: The share of requests on which a fault comes.
        slips: The share of calls and drafts in which Author and Oracle slip.
        canaries: The falsified answers.
        concurrency: The most calls under way at once.
        effort: How much all models are to think; empty where the settings do not say.
        thought: The tokens of a thought.
        is_batched: Whether roles that can wait are asked in batches.
    """

    name: str
    models: Mapping[str, str] = field(default_factory=lambda: MODELS)
    repo: int = 0
    times: int = 1
    calls: int = 2
    reads: int = 0
    faults: float = 0.0
    slips: float = 0.0
    canaries: int = 0
    concurrency: int = 8
    effort: str = ""
    thought: int = THINKING_TOKENS
    is_batched: bool = False


def _then(first: Shape, **changes: object) -> tuple[Shape, Shape]:
    """Have a second run that differs from the first."""
    return first, replace(first, **changes)  # type: ignore[arg-type]  # by the fields' names


SETTINGS: Sequence[tuple[Shape, Shape]] = (
    _then(Shape("usual")),
    _then(Shape("one call a turn", calls=1, repo=1)),
    _then(Shape("small models", SMALL, repo=1)),
    _then(Shape("large models and completeness", LARGE, repo=2)),
    _then(Shape("an Adversary alone", FEW, canaries=8, repo=2)),
    _then(Shape("long reading", reads=8, calls=1, repo=3)),
    _then(Shape("short turns", calls=6, repo=3)),
    _then(Shape("much thinking", effort="high", thought=2500, repo=4)),
    _then(Shape("much thinking, small models", SMALL, effort="high", thought=1500, calls=1)),
    _then(Shape("little thinking", effort="low", thought=8, repo=1)),
    _then(Shape("faults", faults=0.14, repo=2)),
    _then(Shape("slips", slips=0.2, repo=3)),
    _then(Shape("faults and slips", SMALL, faults=0.07, slips=0.1, repo=4)),
    _then(Shape("canaries", canaries=8, repo=4)),
    _then(Shape("more canaries than records", SMALL, canaries=16)),
    _then(Shape("a large plan", times=3)),
    _then(Shape("a large plan, small models", SMALL, times=3, concurrency=32, repo=3)),
    _then(Shape("one at a time", concurrency=1, repo=1)),
    _then(Shape("in batches", is_batched=True, repo=2)),
    _then(Shape("first small, then large"), times=4),
    _then(Shape("first large, then small", times=2, repo=3), times=1),
    _then(Shape("another codebase then", repo=0), repo=1),
    _then(Shape("a larger codebase then", SMALL, repo=2, calls=1), repo=3, times=2),
    _then(Shape("canaries then"), canaries=12),
    _then(Shape("faults and slips then", repo=4), faults=0.1, slips=0.15),
    _then(Shape("batches then, and canaries", SMALL, repo=1), is_batched=True, canaries=8),
    _then(Shape("much thinking then", repo=3), effort="high", thought=2000),
    _then(Shape("a tiny codebase", repo=5, calls=1)),
)  # fmt: skip


@dataclass
class ThoroughPlayer(RolePlayer):
    """Plays the roles as scripted, and reads so many pieces of files before."""

    reads: int = 0

    def _script(self, role: str, heard: Heard, task: str) -> Script:
        script = super()._script(role, heard, task)
        if "read" not in heard.tools:
            return script
        paths = sorted(path for path in self.snapshot.files if path.endswith(".py"))
        start = len(task) % len(paths)
        extra = [
            ("read", {"path": path, "first": 1, "last": 200})
            for path in [*paths[start:], *paths[:start]][: self.reads]
        ]
        return Script([*extra, *script.calls], script.last)


@dataclass(frozen=True, slots=True)
class Comparison:
    """An estimate beside the bill, in dollars."""

    basis: str
    low: float
    likely: float
    high: float
    cost: float

    @property
    def is_held(self) -> bool:
        """Whether the range holds the bill."""
        return self.low <= self.cost <= self.high

    @property
    def width(self) -> float:
        """How many times its lower end the upper end is."""
        return self.high / self.low

    def __str__(self) -> str:
        figures = f"${self.low:.3f} to ${self.high:.3f}, likely ${self.likely:.3f}"
        found = "" if self.is_held else ": MISSED"
        return f"{self.basis}: {figures} ({self.width:.1f} times); cost ${self.cost:.3f}{found}"


@dataclass(frozen=True)
class Workshop:
    """What the settings are played with."""

    program: Path
    cache: Path
    directory: Path
    repos: Sequence[Path]
    snapshots: Sequence[Snapshot]

    def compare(self, number: int) -> list[Comparison]:
        """Estimate and play the two runs of a setting."""
        place = self.directory / str(number)
        place.mkdir()
        first, second = SETTINGS[number]
        found = [self._play(place, 1, first, "assumed"), self._play(place, 2, second, "measured")]
        for comparison in found:
            print(f"{first.name}, {comparison}", flush=True)
        return found

    def _play(self, place: Path, seed: int, shape: Shape, basis: str) -> Comparison:
        at = shape.repo % len(self.repos)
        repo, snapshot = self.repos[at], self.snapshots[at]
        plan = place / f"plan-{seed}.json"
        plan.write_text(json.dumps(_plan(shape.times)))
        shell = Shell(Setting(self.program, repo, str(plan), snapshot, self.cache), place)
        player = ThoroughPlayer(snapshot, calls_a_turn=shape.calls, reads=shape.reads)
        brain: Brain = SlippingPlayer(player, shape.slips, seed) if shape.slips else player
        weather = Weather(shape.faults, seed)
        with serve_in_thread(brain, faults=weather, thought_tokens=shape.thought) as server:
            (place / "goldwright.toml").write_text(_settings(server.url, shape))
            flags = [str(plan), "--repo", str(repo), "--seed", str(seed)]
            flags += ["--batch"] if shape.is_batched else []
            estimate = json.loads(_printed(shell, "run", *flags, "--dry-run", "--json"))
            _printed(shell, "run", *flags)
            cost = json.loads(_printed(shell, "cost", "latest", "--json"))["total"]["usd"]
        low, likely, high = (estimate[name] for name in ("low_usd", "usd", "high_usd"))
        return Comparison(basis, low, likely, high, cost)


def main() -> int:
    """Run the comparison that the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("repos", type=Path, nargs="+", metavar="DIR")
    parser.add_argument("--jobs", type=int, default=1, help="settings played at once")
    parser.add_argument("--only", nargs="*", help="settings whose names hold one of these")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="where the workspaces stay")
    options = parser.parse_args()
    chosen = [
        number
        for number, (first, _) in enumerate(SETTINGS)
        if options.only is None or any(part in first.name for part in options.only)
    ]
    with ExitStack() as stack:
        directory = options.keep
        if directory is None:
            name = stack.enter_context(tempfile.TemporaryDirectory(prefix="estimates-"))
            directory = Path(name)
        cache = directory / "cache"
        repos = [repo.resolve() for repo in options.repos]
        snapshots = [
            stack.enter_context(closing(open_snapshot(repo, cache=cache))) for repo in repos
        ]
        program = freeze_program(directory / "program")
        workshop = Workshop(program, cache, directory, repos, snapshots)
        with ThreadPoolExecutor(options.jobs) as pool:
            pairs = list(pool.map(workshop.compare, chosen))
    are_enough = [_report(list(column)) for column in zip(*pairs, strict=True)]
    return 0 if all(are_enough) else 1


def _report(comparisons: Sequence[Comparison]) -> bool:
    """Print how many ranges hold the bill, and tell whether these are enough."""
    held = sum(comparison.is_held for comparison in comparisons)
    widths = sorted(comparison.width for comparison in comparisons)
    spread = f"{widths[0]:.1f} to {widths[-1]:.1f} times, median {median(widths):.1f}"
    errors = median(comparison.likely / comparison.cost for comparison in comparisons)
    print(
        f"{comparisons[0].basis}: {held} of {len(comparisons)} ranges hold the bill; "
        f"they are {spread} wide; the likely cost is {errors:.2f} of the bill (median)"
    )
    return held >= SHARE_TO_HOLD * len(comparisons)


def _printed(shell: Shell, *arguments: str) -> str:
    code, printed = shell.run(*arguments)
    if code not in GOOD_ENDS:
        raise RuntimeError(f"{arguments[0]} ended in {code}: {shell.complaint}")
    return printed


def _plan(times: int) -> Mapping[str, object]:
    cells = {
        task_type: {tier: count * times for tier, count in row.items()}
        for task_type, row in CELLS.items()
    }
    total = sum(sum(row.values()) for row in cells.values())
    return {
        "schema_version": "1.0.0",
        "name": "estimated",
        "total": total,
        "cells": cells,
        "minimum_total": 0,
        "minimum_cell_share": 0.0,
    }


def _settings(url: str, shape: Shape) -> str:
    text = settings_for(url, models=shape.models, canaries=shape.canaries)
    for provider in ("anthropic", "openai", "google"):
        head = f"[providers.{provider}]\n"
        text = text.replace(head, f"{head}max_concurrency = {shape.concurrency}\n")
    if shape.effort:
        efforts = "".join(f'{role} = "{shape.effort}"\n' for role in shape.models)
        text += f"[agents.effort]\n{efforts}"
    return text


if __name__ == "__main__":
    sys.exit(main())
