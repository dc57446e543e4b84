"""The built-in retrievers, one per file."""
