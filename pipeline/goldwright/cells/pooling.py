"""The pairs that a judge sees: the top of every cell, and what measures the judge among them."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from math import ceil
from random import Random
from typing import Final

from goldwright.cells.corpus import SampledDocument
from goldwright.cells.records import CellQuery, CellRanking, PooledPair, Role

POOL_DEPTH: Final = 30
"""The documents of each cell and query that are pooled, unless somebody asks for others."""

BATCH_SIZE: Final = 100
"""Pairs that a judge grades at a time."""

# A query's pool is cut there: beyond it, further ranks of ten cells add next to nothing relevant.
MOST_PER_QUERY: Final = 300
# Of 100 pairs of the pool, so many are put before a judge a second time, and as many are of a query
# and a document that no cell brought for it: over 3,000 pairs, 120 of each give ± .05.
HIDDEN_PER_HUNDRED: Final = 4
# A tenth is graded by a second judge.
SECOND_SHARE: Final = 10

PairKey = tuple[str, str]


def pool_documents(
    rankings: Sequence[CellRanking], query_id: str, depth: int, *, most: int = MOST_PER_QUERY
) -> Sequence[str]:
    """Pool the first documents of all cells, rank by rank, so that a cut takes the lowest ranks."""
    tops = [ranking.ranked[query_id][:depth] for ranking in rankings]
    rows = zip_longest(*tops)
    by_rank = (path for row in rows for path in row if path is not None)
    return list(dict.fromkeys(by_rank))[:most]


def make_pairs(
    queries: Sequence[CellQuery],
    rankings: Sequence[CellRanking],
    documents: Sequence[SampledDocument],
    *,
    depth: int,
    seed: int,
) -> Sequence[PooledPair]:
    """Make the pairs in the order in which they are judged.

    Pairs whose grade the dataset gives are not asked. Nothing of a pair says which cell brought
    it, and neither its number nor its place does.

    Args:
        queries: The queries.
        rankings: What each cell brought.
        documents: The sample, from which controls are drawn.
        depth: How many documents of each cell are pooled.
        seed: Settles what is hidden, and the order.
    """
    random = Random(seed)  # noqa: S311  # a reproducible order, no secret
    keys: list[tuple[PairKey, Role]] = []
    pools = {query.query_id: pool_documents(rankings, query.query_id, depth) for query in queries}
    for query in queries:
        pool = pools[query.query_id]
        unexpected_paths = [path for path in pool if path not in query.expected]
        keys += [((query.query_id, path), "pooled") for path in unexpected_paths]
    pooled = [key for key, _ in keys]
    hidden_share = len(pooled) * HIDDEN_PER_HUNDRED // 100
    hidden = max(1, hidden_share) if pooled else 0
    for key in random.sample(pooled, min(hidden, len(pooled))):
        keys.append((key, "duplicate"))
    controls = _controls(queries, pools, documents, hidden, random)
    keys += [(key, "control") for key in controls]
    random.shuffle(keys)
    return [
        PooledPair(number=number, query_id=query_id, path=path, role=role)
        for number, ((query_id, path), role) in enumerate(keys)
    ]


def choose_second(pairs: Sequence[PooledPair], *, seed: int) -> Sequence[PooledPair]:
    """Draw the tenth of the pool that a second judge grades, in the order of numbers."""
    pooled = [pair for pair in pairs if pair.role == "pooled"]
    random = Random(seed + 1)  # noqa: S311  # another draw than that of what is hidden
    size = ceil(len(pooled) / SECOND_SHARE)
    return sorted(random.sample(pooled, size), key=lambda pair: pair.number)


def batches(pairs: Sequence[PooledPair]) -> Iterator[Sequence[PooledPair]]:
    """Yield the pairs by the hundred."""
    for first in range(0, len(pairs), BATCH_SIZE):
        yield pairs[first : first + BATCH_SIZE]


def _controls(
    queries: Sequence[CellQuery],
    pools: Mapping[str, Sequence[str]],
    documents: Sequence[SampledDocument],
    count: int,
    random: Random,
) -> Iterator[PairKey]:
    """Yield pairs that no cell brought, each as long as some document of the pool.

    So length alone tells a judge nothing. A query whose pool holds nearly every document has none.
    """
    tokens_of = {document.path: document.tokens for document in documents}
    drawn: set[PairKey] = set()
    for _ in range(count):
        query = random.choice(queries)
        pool = pools[query.query_id]
        excluded = {*pool, *query.expected}
        outside = [path for path in sorted(tokens_of) if path not in excluded]
        outside = [path for path in outside if (query.query_id, path) not in drawn]
        if not pool or not outside:
            continue
        length = tokens_of[random.choice(pool)]
        path = min(outside, key=lambda path: (abs(tokens_of[path] - length), path))
        drawn.add((query.query_id, path))
        yield query.query_id, path
