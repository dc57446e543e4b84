"""BM25 of our own against bm25s, tantivy and SQLite's FTS5: the time to index and to answer.

Use: ``python tests/benchmarks/lexical_speed.py CODEBASE [--entities 30000] [--queries 500]`` where
bm25s and tantivy are installed. All index the same texts and answer the same queries, which are
first lines of docstrings, with ten results each. The others receive our tokens, and the time to
make them counts for them as well. Each does its work once per round, in turn; the figures
are the best of all rounds in seconds of CPU, which other programs on the machine change little.
bm25s answers as a batch, its fastest way, and by numba where that is installed. ``weighted`` is our
index as it is used, in which name, owner and path weigh more.
"""

import argparse
import importlib
import re
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from goldwright.retrieval.entity_documents import EntityDocument, documents
from goldwright.retrieval.retrievers.bm25 import K1, NO_WEIGHTS, B, BM25Retriever
from goldwright.retrieval.tokens import code_tokens
from goldwright.snapshot import open_snapshot

LIMIT = 10
FTS5_TABLE = (
    "CREATE VIRTUAL TABLE corpus USING fts5"
    """(body, content='', tokenize="ascii tokenchars '_'")"""
)
FTS5_QUERY = "SELECT rowid, rank FROM corpus WHERE corpus MATCH ? ORDER BY rank LIMIT ?"
DOCSTRING = re.compile(r'"""\s*(\S+(?: \S+){3,})')

Search = Callable[[Sequence[str]], object]
Index = Callable[[Sequence[EntityDocument]], Search]


def weighted(corpus: Sequence[EntityDocument]) -> Search:
    """Index as ``bm25`` does."""
    retriever = BM25Retriever(corpus)
    return lambda queries: [retriever.search(query, limit=LIMIT) for query in queries]


def plain(corpus: Sequence[EntityDocument]) -> Search:
    """Index the texts alone, as the others do."""
    retriever = BM25Retriever(corpus, weights=NO_WEIGHTS)
    return lambda queries: [retriever.search(query, limit=LIMIT) for query in queries]


def bm25s(corpus: Sequence[EntityDocument]) -> Search:
    """Index with bm25s in single precision, its default; it answers all queries at once."""
    library: Any = importlib.import_module("bm25s")
    index = library.BM25(method="lucene", k1=K1, b=B, backend="auto")
    index.index([list(code_tokens(document.text)) for document in corpus], show_progress=False)

    def search(queries: Sequence[str]) -> object:
        tokens = [list(code_tokens(query)) for query in queries]
        return index.retrieve(tokens, k=LIMIT, show_progress=False)

    return search


def tantivy(corpus: Sequence[EntityDocument]) -> Search:
    """Index with tantivy on one thread, in memory."""
    library: Any = importlib.import_module("tantivy")
    builder = library.SchemaBuilder()
    builder.add_text_field("body", stored=False, tokenizer_name="whitespace", index_option="freq")
    builder.add_unsigned_field("number", stored=True)
    index = library.Index(builder.build())
    writer = index.writer(num_threads=1)
    for number, document in enumerate(corpus):
        text = " ".join(code_tokens(document.text))
        writer.add_document(library.Document(body=text, number=number))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def search(queries: Sequence[str]) -> object:
        found = []
        for query in queries:
            parsed, _ = index.parse_query_lenient(" ".join(code_tokens(query)), ["body"])
            found.append(searcher.search(parsed, LIMIT).hits)
        return found

    return search


def fts5(corpus: Sequence[EntityDocument]) -> Search:
    """Index with SQLite's FTS5, in memory and without the texts; any word of a query is enough."""
    base = sqlite3.connect(":memory:")
    base.execute(FTS5_TABLE)
    rows = (
        (number, " ".join(code_tokens(document.text))) for number, document in enumerate(corpus)
    )
    with base:
        base.executemany("INSERT INTO corpus(rowid, body) VALUES (?, ?)", rows)

    def search(queries: Sequence[str]) -> object:
        found = []
        for query in queries:
            words = " OR ".join(f'"{token}"' for token in dict.fromkeys(code_tokens(query)))
            found.append(base.execute(FTS5_QUERY, (words, LIMIT)).fetchall() if words else [])
        return found

    return search


ENGINES: dict[str, Index] = {
    "ours": plain,
    "weighted": weighted,
    "bm25s": bm25s,
    "tantivy": tantivy,
    "fts5": fts5,
}


def timed(engine: Index, corpus: Sequence[EntityDocument], queries: Sequence[str]) -> list[float]:
    """Seconds of CPU for the index and for the queries."""
    began = time.process_time()
    search = engine(corpus)
    indexed = time.process_time()
    search(queries)
    return [indexed - began, time.process_time() - indexed]


def first_lines(corpus: Sequence[EntityDocument]) -> Iterator[str]:
    """First lines of docstrings."""
    for document in corpus:
        match = DOCSTRING.search(document.text)
        if match:
            yield match[1]


def main() -> None:
    """Print a table of times, and of ratios to those of our index."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("codebase", type=Path)
    parser.add_argument("--entities", type=int, default=30_000)
    parser.add_argument("--queries", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--cache", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        cache = options.cache or Path(scratch)
        snapshot = open_snapshot(options.codebase, rev=None, cache=cache, allow_dirty=True)
        corpus = list(documents(snapshot))[: options.entities]
    queries = list(first_lines(corpus))[: options.queries]
    print(f"{len(corpus)} entities, {len(queries)} queries")
    best = {name: [float("inf"), float("inf")] for name in ENGINES}
    for _ in range(options.rounds):
        for name, engine in ENGINES.items():
            seconds = timed(engine, corpus, queries)
            best[name] = list(map(min, best[name], seconds))
    own_index, own_search = best["weighted"]
    for name, (index, search) in best.items():
        print(
            f"{name:9} index {index:6.2f} s, {len(queries) / search:8.1f} queries/s; weighted is "
            f"faster by: index {index / own_index:.2f}, queries {search / own_search:.2f}, "
            f"in all {(index + search) / (own_index + own_search):.2f}"
        )


if __name__ == "__main__":
    main()
