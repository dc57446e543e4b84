"""The program's own retrievers on drafts, with the real model, no network, and the time that each
takes.

Use: ``python tests/benchmarks/retrievers.py DRAFT.json REPO [DRAFT.json REPO ...]`` where
``goldwright[dense]`` is installed. Drafts of one codebase count together, each text of a query
once; primary and supporting entities are relevant. For each retriever and codebase it prints MRR
and nDCG@10 with half the width of the 95 % interval (1.96 standard errors), the seconds until the
first answer, those of a second start, and the milliseconds of one query. A connection to anywhere
ends it.
"""

import argparse
import json
import math
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from goldwright.metrics import find_relevant, ndcg, reciprocal_rank
from goldwright.records import GoldenLabel
from goldwright.retrieval.connections.port import Connection, RetrieverQuery
from goldwright.retrieval.connections.spec import connect
from goldwright.retrieval.hit_order import sort_hits
from goldwright.snapshot import Snapshot, open_snapshot

SPECS = ("grep", "bm25", "dense", "hybrid")
DEPTH = 100


@dataclass(frozen=True, slots=True)
class Row:
    """What a retriever came to on one codebase."""

    first_ranks: list[float]
    gains: list[float]
    start_seconds: float
    second_start_seconds: float
    query_milliseconds: float

    def __str__(self) -> str:
        return (
            f"MRR {shown(self.first_ranks)}  nDCG@10 {shown(self.gains)}  "
            f"start {self.start_seconds:7.1f} s, "
            f"again {self.second_start_seconds:5.2f} s  query {self.query_milliseconds:6.1f} ms"
        )


def main() -> None:
    """Print a table for each codebase."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("pairs", nargs="+", type=Path, metavar="DRAFT.json REPO")
    parser.add_argument(
        "--cache", type=Path, help="where vectors are kept; else they are thrown away"
    )
    options = parser.parse_args()
    sys.addaudithook(refuse)
    with tempfile.TemporaryDirectory() as scratch:
        cache = options.cache or Path(scratch)
        for repo in dict.fromkeys(options.pairs[1::2]):
            drafts = [
                draft
                for draft, of in zip(options.pairs[::2], options.pairs[1::2], strict=True)
                if of == repo
            ]
            labels = read(drafts)
            snapshot = open_snapshot(repo, cache=cache, allow_dirty=True)
            print(f"{repo.name}: {len(labels)} queries")
            for spec in SPECS:
                print(f"  {spec:8}{measure(spec, snapshot, labels, cache)}", flush=True)


def read(drafts: Sequence[Path]) -> list[GoldenLabel]:
    """The labels of some drafts, each text of a query once."""
    labels: dict[str, GoldenLabel] = {}
    for draft in drafts:
        for one in json.loads(draft.read_bytes()):
            label = GoldenLabel.model_validate_json(json.dumps(one))
            labels.setdefault(label.query_text, label)
    return list(labels.values())


def measure(spec: str, snapshot: Snapshot, labels: Sequence[GoldenLabel], cache: Path) -> Row:
    """Start a retriever twice, and ask the second one everything."""
    began = time.monotonic()
    with connect(spec, snapshot, root=Path(), seconds=60, cache=cache):
        first = time.monotonic() - began
    began = time.monotonic()
    with connect(spec, snapshot, root=Path(), seconds=60, cache=cache) as connection:
        second = time.monotonic() - began
        scores = [score(connection, label) for label in labels]
        taken = time.monotonic() - began - second
    ranks, gains = [one for one, _ in scores], [one for _, one in scores]
    return Row(ranks, gains, first, second, 1000 * taken / len(labels))


def score(connection: Connection, label: GoldenLabel) -> tuple[float, float]:
    """The reciprocal rank and nDCG@10 of one query."""
    relevant = frozenset(
        one.entity_id for one in label.expected_entities if one.role != "contextual"
    )
    hits = connection.ask(RetrieverQuery(label.query_id, label.query_text, DEPTH)).hits
    found = find_relevant(sort_hits(hits), relevant)
    return reciprocal_rank(found), ndcg(found, cutoff=10)


def shown(values: Sequence[float]) -> str:
    """The mean with half the width of its interval."""
    width = (
        1.96 * statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    )
    return f"{statistics.fmean(values):.3f} ±{width:.3f}"


def refuse(event: str, arguments: tuple[object, ...]) -> None:
    """Let nothing be reached."""
    if event in {"socket.connect", "socket.getaddrinfo"}:
        raise SystemExit(f"tried to reach {arguments[1:]!r}")


if __name__ == "__main__":
    main()
