"""The lexical index of a codebase, made once for all that make and check its records."""

from functools import lru_cache

from goldwright.retrieval.retrievers.bm25 import NO_WEIGHTS, BM25Retriever
from goldwright.snapshot import Snapshot


# One codebase at a time is worked on; its index may take hundreds of megabytes.
@lru_cache(maxsize=1)
def lexical_index(snapshot: Snapshot) -> BM25Retriever:
    """Index every function, method and class of a codebase, docstrings included.

    Every word counts alike: tiers are dealt by it, and are to hold for searches of any kind, not
    for the weights of one.
    """
    return BM25Retriever.over(snapshot, weights=NO_WEIGHTS)


def forget_lexical_index() -> None:
    """Let go of the index; it is made again when it is asked for."""
    lexical_index.cache_clear()
