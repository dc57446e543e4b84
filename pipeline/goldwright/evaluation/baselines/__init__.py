"""Baselines, and when a retriever counts as worse than its own."""
