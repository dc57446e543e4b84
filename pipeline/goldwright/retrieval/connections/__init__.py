"""Retrievers of other people, each behind the same small interface."""

from goldwright.retrieval.connections.port import Connection, Question, RetrieverReply
from goldwright.retrieval.connections.spec import RetrieverSpec, connect, retriever_name

__all__ = [
    "Connection",
    "Question",
    "RetrieverReply",
    "RetrieverSpec",
    "connect",
    "retriever_name",
]
