"""Retrievers of other people, each behind the same small interface."""

from goldwright.retrieval.connections.port import Connection, Question, RetrieverReply
from goldwright.retrieval.connections.spec import connect

__all__ = ["Connection", "Question", "RetrieverReply", "connect"]
