"""Phase-1 runs over real codebases: survival, leaks, conservation, wording and tiers in one table.

Usage: python tests/benchmarks/codebases.py [--plan phase1] [--seed N] [--show N] [--keep DIR]
CODEBASE...

Each codebase is a directory, such as an unpacked source distribution. With ``--show N`` it prints N
random queries of each with their answers, to be read by a person.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from statistics import fmean
from typing import Any

from goldwright.metrics import METRICS, find_relevant
from goldwright.retrieval.retrievers.bm25 import BM25Retriever
from goldwright.snapshot import open_snapshot
from goldwright.snapshot.identifier_leaks import leaked_identifiers

MAY_LEAK = {("explain", "easy"), ("extend", "easy"), ("review", "easy")}


def goldwright(*arguments: str, root: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "GOLDWRIGHT_CACHE": str(root / "cache")}
    return subprocess.run(
        [sys.executable, "-m", "goldwright", *arguments],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def measure(codebase: Path, root: Path, plan: str, seed: int) -> dict[str, Any]:
    began = time.monotonic()
    done = goldwright(
        "run", plan, "--repo", str(codebase), "--seed", str(seed), "--json", root=root
    )
    seconds = time.monotonic() - began
    if done.returncode not in (0, 1):
        raise SystemExit(f"{codebase.name}: exit {done.returncode}: {done.stderr[-2000:]}")
    report = json.loads(done.stdout)
    exported = goldwright("export", report["run"], "--version", "1.0", "--draft", root=root)
    if exported.returncode:
        raise SystemExit(f"{codebase.name}: export: {exported.stderr}")
    labels = json.loads(Path(root / exported.stdout.strip()).read_text())
    return {"report": report, "labels": labels, "seconds": seconds, "exit": done.returncode}


def wording(queries: list[str]) -> tuple[int, str, float]:
    words = [re.findall(r"[\w']+", query.lower()) for query in queries]
    first, count = Counter(one[0] for one in words).most_common(1)[0]
    return len({tuple(one[:3]) for one in words}), first, count / len(queries)


def leaks(labels: list[dict[str, Any]]) -> int:
    return sum(
        bool(
            leaked_identifiers(
                one["query_text"], [entity["entity_id"] for entity in one["expected_entities"]]
            )
        )
        for one in labels
        if (one["task_type"], one["difficulty"]) not in MAY_LEAK
    )


def tiers(
    codebase: Path, labels: list[dict[str, Any]], cache: Path
) -> dict[str, tuple[float, float, int]]:
    retriever = BM25Retriever.over(open_snapshot(codebase, rev=None, cache=cache))
    found: dict[str, list[tuple[float, float]]] = {"easy": [], "medium": [], "hard": []}
    for one in labels:
        hits = [hit.entity_id for hit in retriever.search(one["query_text"], limit=100)]
        gold = {
            entity["entity_id"]
            for entity in one["expected_entities"]
            if entity["role"] != "contextual"
        }
        ranked = find_relevant(hits, gold)
        found[one["difficulty"]].append((METRICS["nDCG@10"](ranked), METRICS["MRR"](ranked)))
    return {
        tier: (fmean(x for x, _ in values), fmean(y for _, y in values), len(values))
        if values
        else (0.0, 0.0, 0)
        for tier, values in found.items()
    }


def show(labels: list[dict[str, Any]], count: int, seed: int) -> None:
    for one in sorted(
        random.Random(seed).sample(labels, min(count, len(labels))), key=lambda one: one["query_id"]
    ):
        print(f"\n[{one['task_type']}/{one['difficulty']}] {one['query_text']}")
        print("   ->", ", ".join(entity["entity_id"] for entity in one["expected_entities"]))
        for fact in one["must_mention_facts"]:
            print("    +", fact)
        for fact in one["must_not_mention_facts"]:
            print("    -", fact)
        print("    ", one["canonical_narrative"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("codebases", nargs="+", type=Path)
    parser.add_argument("--plan", default="phase1")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    means: dict[str, list[tuple[float, float]]] = {"easy": [], "medium": [], "hard": []}
    figures = "files exit  kept short gate leak cons  open3 top-word       s"
    print(f"{'codebase':<18} {figures}   nDCG@10 (MRR) by tier")
    for codebase in options.codebases:
        with tempfile.TemporaryDirectory() as scratch:
            root = Path(scratch)
            result = measure(codebase.resolve(), root, options.plan, options.seed)
            report, labels = result["report"], result["labels"]
            by_tier = tiers(codebase.resolve(), labels, root / "cache")
            files = sum(1 for _ in codebase.rglob("*.py"))
        distinct, word, share = wording([one["query_text"] for one in labels])
        short = [cell for cell in report["cells"] if cell["pending"] < cell["target"] * 0.8]
        conserves = sum(report["fates"].values()) == report["emitted"]
        scores = "  ".join(f"{ndcg:.2f} ({mrr:.2f})" for ndcg, mrr, _ in by_tier.values())
        kept = report["selected"]
        print(
            f"{codebase.name:<18} {files:>5} {result['exit']:>4} {kept:>5} {len(short):>5} "
            f"{report['fates']['failed_gate']:>4} {leaks(labels):>4} "
            f"{'yes' if conserves else 'NO':>4}  {distinct:>5} {word:<8} {share:>4.0%} "
            f"{result['seconds']:>7.1f}   {scores}"
        )
        print(f"{'':<18} fates {report['fates']} rejections {report['rejections']}")
        for cell in short:
            name = f"{cell['task_type']}/{cell['difficulty']}"
            print(f"{'':<18} short {name}: {cell['pending']} of {cell['target']}")
        for tier, (ndcg, mrr, count) in by_tier.items():
            if count:
                means[tier].append((ndcg, mrr))
        show(labels, options.show, options.seed)
    scores = "  ".join(
        f"{tier} {fmean(x for x, _ in values):.3f} ({fmean(y for _, y in values):.3f})"
        for tier, values in means.items()
        if values
    )
    print(f"\nmean over codebases, nDCG@10 (MRR): {scores}")


if __name__ == "__main__":
    main()
