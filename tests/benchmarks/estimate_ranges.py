"""Does the range of an estimate hold what a run then costs?

Use: ``PYTHONPATH=tests python tests/benchmarks/estimate_ranges.py DIR [DIR ...]``. On each codebase
and each cast of models a scripted server plays two runs of the plan: the first is estimated from
assumptions, the second, with another seed, from the first. Prints both ranges beside the bill, and
how many hold it.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from benchmarks.kill_campaign import PROJECT, freeze_program
from benchmarks.live_faults import GOOD_ENDS, MODELS, Setting, Shell, settings_for
from goldwright.snapshot import open_snapshot
from scripted.brain import RolePlayer
from scripted.server import serve_in_thread

CASTS: Mapping[str, Mapping[str, str]] = {
    "mixed": MODELS,
    "small": {
        "author": "openai:gpt-5-mini",
        "oracle": "google:gemini-3.8-flash",
        "adversary": "openai:gpt-5-mini",
        "judge": "anthropic:claude-haiku-4-5",
    },
}
PLAN_FILE = str(PROJECT / "plans" / "smoke.json")


def main() -> int:
    """Run the comparison that the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("repos", type=Path, nargs="+", metavar="DIR")
    parser.add_argument("--calls-a-turn", type=int, nargs="+", default=[1, 2])
    options = parser.parse_args()
    held: dict[str, list[bool]] = {"assumed": [], "measured": []}
    with tempfile.TemporaryDirectory(prefix="estimates-") as name:
        directory = Path(name)
        program = freeze_program(directory / "program")
        for number, repo in enumerate(options.repos):
            cache = directory / "cache"
            with closing(open_snapshot(repo.resolve(), cache=cache)) as snapshot:
                setting = Setting(program, repo.resolve(), PLAN_FILE, snapshot, cache)
                for cast in CASTS:
                    for calls in options.calls_a_turn:
                        place = directory / f"{number}-{cast}-{calls}"
                        found = compare(setting, place, cast, calls)
                        for basis, is_held in found.items():
                            held[basis].append(is_held)
    for basis, results in held.items():
        print(f"{basis}: {sum(results)} of {len(results)} ranges hold the bill")
    return 0 if all(sum(results) >= 0.9 * len(results) for results in held.values()) else 1


def compare(setting: Setting, directory: Path, cast: str, calls_a_turn: int) -> dict[str, bool]:
    """Estimate and play two runs; give whether each range held what the run cost."""
    directory.mkdir()
    shell = Shell(setting, directory)
    found = {}
    player = RolePlayer(setting.snapshot, calls_a_turn=calls_a_turn)
    with serve_in_thread(player) as server:
        text = settings_for(server.url)
        for role, model in CASTS[cast].items():
            text = text.replace(f'{role} = "{MODELS[role]}"', f'{role} = "{model}"')
        (directory / "goldwright.toml").write_text(text)
        for seed, basis in ((1, "assumed"), (2, "measured")):
            flags = (PLAN_FILE, "--repo", str(setting.repo), "--seed", str(seed))
            code, printed = shell.run("run", *flags, "--dry-run", "--json")
            if code:
                raise RuntimeError(shell.complaint)
            estimate = json.loads(printed)
            code, _ = shell.run("run", *flags)
            if code not in GOOD_ENDS:
                raise RuntimeError(shell.complaint)
            cost = json.loads(shell.run("cost", "latest", "--json")[1])["total"]["usd"]
            found[basis] = estimate["low_usd"] <= cost <= estimate["high_usd"]
            low, high = estimate["low_usd"], estimate["high_usd"]
            figures = f"${low:.2f} to ${high:.2f}, likely ${estimate['usd']:.2f}; cost ${cost:.2f}"
            print(f"{directory.name} {basis}: {figures}: {found[basis]}", flush=True)
    return found


if __name__ == "__main__":
    sys.exit(main())
