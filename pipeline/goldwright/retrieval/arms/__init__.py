"""Retrieval arms: ways to rank the documents of one shared index, each in a file."""
