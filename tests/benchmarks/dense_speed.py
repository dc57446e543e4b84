"""What our search by vectors costs beside the bare model, and from which size an ANN index pays.

Use: ``python tests/benchmarks/dense_speed.py CODEBASE [--documents 512] [--sizes 10000 100000]``
where ``goldwright[dense]`` is installed; usearch and faiss are measured where they are there. The
bare model encodes the same texts in the same batches. Exact search and the indexes search the same
clustered vectors; recall is the share of the ten exact neighbours. A break-even is the number of
queries after which the time to build an index is won back.
"""

import argparse
import importlib
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldwright.retrieval.entity_documents import documents
from goldwright.retrieval.retrievers.dense import DenseRetriever
from goldwright.retrieval.retrievers.text_encoder import BATCH_SIZE, MiniLM
from goldwright.snapshot import open_snapshot

DIMENSIONS = 384
QUERIES = 200
ROUNDS = 2
Rows = NDArray[np.float32]


def seconds_of(act: Callable[[], object]) -> float:
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def cpu_seconds_of(act: Callable[[], object]) -> float:
    start = time.process_time()
    act()
    return time.process_time() - start


def against_bare_model(codebase: Path, count: int) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        cache = Path(scratch)
        snapshot = open_snapshot(codebase, cache=cache, allow_dirty=True)
        corpus = list(documents(snapshot))[:count]
        encoder = MiniLM()
        encoder.encode(["warm up"] * BATCH_SIZE)
        texts = sorted((document.text for document in corpus), key=len)
        bare = seconds_of(lambda: encoder.encode(texts))

        def build() -> None:
            DenseRetriever.of_codebase(corpus, encoder, codebase="x", cache=cache)

        ours = seconds_of(build)
        again = seconds_of(build)
        print(
            f"{len(corpus)} documents: bare {bare:.1f} s, ours {ours:.1f} s ({ours / bare:.2f} x)"
        )
        print(f"loaded again in {again:.3f} s")


def clustered(count: int, random: np.random.Generator) -> Rows:
    centres = random.standard_normal((256, DIMENSIONS), np.float32)
    rows = centres[random.integers(0, 256, count)]
    rows += 0.7 * random.standard_normal((count, DIMENSIONS), np.float32)
    normalised: Rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return normalised


def exact_search(rows: Rows, query: Rows) -> Sequence[int]:
    cosines = np.einsum("ij,j->i", rows, query)
    best = np.argpartition(cosines, -10)[-10:]
    return list(best[np.argsort(-cosines[best])])


def usearch_index(rows: Rows) -> Callable[[Rows], Sequence[int]]:
    module: Any = importlib.import_module("usearch.index")
    index = module.Index(ndim=DIMENSIONS, metric="cos")
    index.add(np.arange(len(rows)), rows)
    return lambda query: list(index.search(query, 10).keys)


def faiss_index(rows: Rows) -> Callable[[Rows], Sequence[int]]:
    module: Any = importlib.import_module("faiss")
    index = module.IndexHNSWFlat(DIMENSIONS, 32, module.METRIC_INNER_PRODUCT)
    index.add(rows)
    return lambda query: list(index.search(query[np.newaxis], 10)[1][0])


def against_indexes(count: int) -> None:
    random = np.random.default_rng(0)
    rows = clustered(count, random)
    queries = clustered(QUERIES, random)
    exact = [exact_search(rows, query) for query in queries]
    exact_seconds = statistics.median(
        seconds_of(partial(exact_search, rows, query)) for query in queries
    )
    megabytes = rows.nbytes / 1e6
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(
        f"{count} vectors: {megabytes:.0f} MB, peak of the process {peak:.0f} MB, "
        f"exact {exact_seconds * 1e3:.2f} ms a query"
    )
    for name, build in (("usearch", usearch_index), ("faiss HNSW", faiss_index)):
        try:
            start = time.perf_counter()
            search = build(rows)
        except ImportError:
            print(f"  {name}: not installed")
            continue
        built = time.perf_counter() - start
        replies = [search(query) for query in queries]
        seconds = statistics.median(seconds_of(partial(search, query)) for query in queries)
        overlap = [len(set(a) & set(b)) / 10 for a, b in zip(exact, replies, strict=True)]
        gain = exact_seconds - seconds
        even = f"{built / gain:,.0f} queries" if gain > 0 else "never"
        print(
            f"  {name}: built in {built:.1f} s, {seconds * 1e3:.2f} ms a query, "
            f"recall@10 {statistics.fmean(overlap):.3f}, break-even after {even}"
        )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("codebase", type=Path)
    parser.add_argument("--documents", type=int, default=512)
    parser.add_argument("--sizes", type=int, nargs="*", default=[10_000, 100_000])
    options = parser.parse_args()
    against_bare_model(options.codebase, options.documents)
    for count in options.sizes:
        against_indexes(count)


if __name__ == "__main__":
    main()
