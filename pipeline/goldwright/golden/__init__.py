"""Datasets: putting one together, publishing it once, and checking one against a codebase."""
