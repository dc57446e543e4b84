"""Narratives: what is told beside the facts, and the code that is quoted."""
