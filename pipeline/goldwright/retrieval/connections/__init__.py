"""Connections to retrievers, built-in and foreign, all behind one small interface."""

from goldwright.retrieval.connections.concurrent import ConcurrentConnection
from goldwright.retrieval.connections.fingerprints import fingerprint
from goldwright.retrieval.connections.port import Connection, RetrieverQuery, RetrieverReply
from goldwright.retrieval.connections.reply_cache import KeptReply, ReplyCache
from goldwright.retrieval.connections.spec import (
    RetrieverSpec,
    connect,
    is_built_in,
    refuse_own_index,
    retriever_name,
    searches_codebase,
)

__all__ = [
    "ConcurrentConnection",
    "Connection",
    "KeptReply",
    "ReplyCache",
    "RetrieverQuery",
    "RetrieverReply",
    "RetrieverSpec",
    "connect",
    "fingerprint",
    "is_built_in",
    "refuse_own_index",
    "retriever_name",
    "searches_codebase",
]
