"""Retrievers of other people, each behind the same small interface."""

from goldwright.retrieval.connections.connection import Connection, Question, Retrieved
from goldwright.retrieval.connections.spec import connect

__all__ = ["Connection", "Question", "Retrieved", "connect"]
