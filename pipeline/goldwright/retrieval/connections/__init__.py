"""Connections to retrievers, built-in and foreign, all behind one small interface."""

from goldwright.retrieval.connections.port import Connection, RetrieverQuery, RetrieverReply
from goldwright.retrieval.connections.spec import (
    RetrieverSpec,
    connect,
    refuse_own_index,
    retriever_name,
)

__all__ = [
    "Connection",
    "RetrieverQuery",
    "RetrieverReply",
    "RetrieverSpec",
    "connect",
    "refuse_own_index",
    "retriever_name",
]
