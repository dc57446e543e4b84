"""Do the tiers differ for BM25, which must find easy answers more readily than medium, and medium
than hard?

Use: ``python tests/benchmarks/tiers.py DRAFT.json REPO [DRAFT.json REPO ...]``. A draft is a JSON
list of golden labels; primary and supporting entities are relevant. It prints nDCG@10 and MRR by
difficulty for each codebase, each mean with n and the half-width of its 95 % interval (1.96
standard errors), then the mean over codebases. It exits with 1 when a tier is not found more
readily than the next one on the mean.
"""

import argparse
import itertools
import json
import math
import statistics
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from goldwright.metrics import find_relevant, ndcg, reciprocal_rank
from goldwright.records import DIFFICULTIES, Difficulty, GoldenLabel
from goldwright.retrieval.retrievers.bm25 import NAME as BM25_NAME
from goldwright.retrieval.retrievers.bm25 import BM25Retriever
from goldwright.snapshot import open_snapshot

RANKS = 100


@dataclass(frozen=True, slots=True)
class Score:
    """How well one query was answered."""

    difficulty: Difficulty
    ndcg: float
    reciprocal_rank: float


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean in 0..1 of ``n`` values, with half the width of its interval; below two values there
    is none.
    """

    n: int
    value: float
    half_width: float | None

    def __str__(self) -> str:
        width = "" if self.half_width is None else f" ±{self.half_width:.3f}"
        return f"{self.value:.3f}{width} (n={self.n})" if self.n else "-"


def main(arguments: Sequence[str]) -> int:
    """Print the tables and tell by the exit code whether the order of the tiers holds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("pairs", nargs="+", metavar="DRAFT.json REPO")
    parser.add_argument(
        "--cache", type=Path, help="where mirrors and indexes are kept; else they are thrown away"
    )
    options = parser.parse_args(arguments)
    if len(options.pairs) % 2:
        parser.error("wanted pairs of a draft and the codebase it is about")
    with tempfile.TemporaryDirectory() as scratch:
        cache = options.cache or Path(scratch)
        drafts, repos = map(Path, options.pairs[::2]), map(Path, options.pairs[1::2])
        tables = {
            draft: scores_of(draft, repo, cache) for draft, repo in zip(drafts, repos, strict=True)
        }
    for draft, scores in tables.items():
        show(f"{draft}, {BM25_NAME}", by_tier(scores))
    over_codebases = mean_over(tables.values())
    show(f"mean over {len(tables)} codebases", over_codebases)
    return 0 if in_order(over_codebases) else 1


def scores_of(draft: Path, repo: Path, cache: Path) -> list[Score]:
    """Search for every query of a draft in its codebase."""
    labels = [
        GoldenLabel.model_validate_json(json.dumps(one)) for one in json.loads(draft.read_bytes())
    ]
    bm25 = BM25Retriever.over(open_snapshot(repo, rev=None, cache=cache, allow_dirty=True))
    return [score(label, bm25) for label in labels]


def score(label: GoldenLabel, bm25: BM25Retriever) -> Score:
    """Measure one query."""
    relevant = frozenset(
        one.entity_id for one in label.expected_entities if one.role != "contextual"
    )
    ranked = [hit.entity_id for hit in bm25.search(label.query_text, limit=RANKS)]
    found = find_relevant(ranked, relevant)
    return Score(label.difficulty, ndcg(found, cutoff=10), reciprocal_rank(found))


def by_tier(scores: Iterable[Score]) -> dict[Difficulty, tuple[Mean, Mean]]:
    """The means of nDCG@10 and of the reciprocal rank, for each tier."""
    rows = list(scores)
    tiers = {tier: [row for row in rows if row.difficulty == tier] for tier in DIFFICULTIES}
    return {
        tier: (mean(row.ndcg for row in of), mean(row.reciprocal_rank for row in of))
        for tier, of in tiers.items()
    }


def mean_over(tables: Iterable[Iterable[Score]]) -> dict[Difficulty, tuple[Mean, Mean]]:
    """The means of the codebases' means, so that each codebase weighs the same."""
    rows = [by_tier(scores) for scores in tables]
    filled = {tier: [row[tier] for row in rows if row[tier][0].n] for tier in DIFFICULTIES}
    return {
        tier: (mean(one.value for one, _ in of), mean(one.value for _, one in of))
        for tier, of in filled.items()
    }


def mean(values: Iterable[float]) -> Mean:
    """The mean with its interval; of nothing, NaN."""
    numbers = list(values)
    if not numbers:
        return Mean(0, math.nan, None)
    width = 1.96 * statistics.stdev(numbers) / math.sqrt(len(numbers)) if len(numbers) > 1 else None
    return Mean(len(numbers), statistics.fmean(numbers), width)


def in_order(table: dict[Difficulty, tuple[Mean, Mean]]) -> bool:
    """Tell whether each filled tier has a higher mean nDCG@10 than the next."""
    values = [table[tier][0].value for tier in DIFFICULTIES if table[tier][0].n]
    return all(easier > harder for easier, harder in itertools.pairwise(values))


def show(title: str, table: dict[Difficulty, tuple[Mean, Mean]]) -> None:
    """Print one table."""
    print(f"{title}: the order of the tiers {'holds' if in_order(table) else 'does NOT hold'}")
    print(f"  {'':8}{'nDCG@10':24}MRR")
    for tier, (gain, first) in table.items():
        print(f"  {tier:8}{gain!s:24}{first}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
