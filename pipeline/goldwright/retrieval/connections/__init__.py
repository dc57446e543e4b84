"""Connections to retrievers, built-in and foreign, all behind one small interface.

Nothing is imported here: the process of a retriever loads its own part alone.
"""
