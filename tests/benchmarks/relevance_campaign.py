"""Relevance on real code: tasks made, trials run, and planted documents told from random ones.

Usage: relevance_campaign.py OUT REPO ...

For each codebase, `relevance make` and `relevance run` write into OUT; what OUT holds already is
not repeated, so a stopped campaign goes on. Planted documents, without any one of which a task's
tests fail, should be called relevant; random ones should not.
"""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from goldwright.stats.binomial import clopper_pearson

_TASKS = 16


def main() -> None:
    """Play the campaign, and print its table; fails where a goal is missed."""
    out, *repos = map(Path, sys.argv[1:])
    totals: Counter[str] = Counter()
    for repo in repos:
        directory = out / repo.name
        registry = directory / "tasks" / "tasks.yaml"
        if not registry.exists():
            _goldwright("make", "--repo", repo, "--tasks", _TASKS, "--out", directory / "tasks")
        if not registry.exists():
            # Said on standard error: some codebases hold no function that makes a task.
            continue
        _goldwright("run", registry, "--repo", repo, "--out", directory / "trials")
        dataset = directory / "trials" / "retrieval_dataset.yaml"
        counts = count_verdicts(yaml.safe_load(dataset.read_text(encoding="utf-8")))
        print(f"{repo.name}: {', '.join(campaign_lines(counts))}")
        totals += counts
    print(f"all: {', '.join(campaign_lines(totals))}")
    found_share = totals["planted YES"] / max(1, totals["planted"])
    false_share = totals["random YES"] / max(1, totals["random"])
    sys.exit(found_share < 0.95 or false_share > 0.05)


def _goldwright(*arguments: object) -> None:
    command = [sys.executable, "-m", "goldwright", "relevance", *map(str, arguments)]
    subprocess.run(command, check="make" not in command)


def count_verdicts(dataset: Mapping[str, Any]) -> Counter[str]:
    """Count tasks, trials, and the verdicts on planted, retrieved and random documents."""
    counts: Counter[str] = Counter()
    for pair in dataset["pairs"]:
        counts["tasks"] += 1
        counts["trials"] += pair["metadata"]["trials"]
        for candidate in pair["candidates"]:
            origin = candidate["origin"].replace("seeded", "planted")
            counts[origin] += 1
            counts[f"{origin} {candidate['empirical_relevance']}"] += 1
    return counts


def campaign_lines(counts: Mapping[str, int]) -> Iterator[str]:
    """Put counts into words, shares with their exact 95 % intervals."""
    yield f"{counts['tasks']} tasks, {counts['trials']} trials"
    for origin in ("planted", "retrieved", "random"):
        called, total = counts[f"{origin} YES"], counts[origin]
        low, high = clopper_pearson(called, max(1, total))
        yield f"{origin} called relevant {called} of {total} [{low:.3f}, {high:.3f}]"


if __name__ == "__main__":
    main()
