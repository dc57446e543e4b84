"""The lexical index of a codebase, made once for all that ask for it."""

from functools import lru_cache

from goldwright.retrieval.retrievers.bm25 import BM25Retriever
from goldwright.snapshot import Snapshot


# One codebase at a time is worked on; its index may take hundreds of megabytes.
@lru_cache(maxsize=1)
def lexical_index(snapshot: Snapshot) -> BM25Retriever:
    """Index every function, method and class of a codebase, docstrings included."""
    return BM25Retriever.over(snapshot)
