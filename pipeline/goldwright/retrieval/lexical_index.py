"""The lexical index of a codebase, made once for all that make and check its records."""

import importlib
from functools import lru_cache
from typing import TYPE_CHECKING

from goldwright.snapshot import Snapshot

if TYPE_CHECKING:
    from goldwright.retrieval.retrievers.bm25 import BM25Retriever


# One codebase at a time is worked on; its index may take hundreds of megabytes.
@lru_cache(maxsize=1)
def lexical_index(snapshot: Snapshot) -> "BM25Retriever":
    """Index every function, method and class of a codebase, docstrings included.

    Every word counts alike: tiers are dealt by it, and are to hold for searches of any kind, not
    for the weights of one.
    """
    # Not before, for its library of numbers takes a while to load, and not all who could search do.
    bm25 = importlib.import_module("goldwright.retrieval.retrievers.bm25")
    index: BM25Retriever = bm25.BM25Retriever.over(snapshot, weights=bm25.NO_WEIGHTS)
    return index
