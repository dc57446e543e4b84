"""Searching a codebase for the entities that answer a query."""

from goldwright.retrieval.port import Hit, Retriever

__all__ = ["Hit", "Retriever"]
