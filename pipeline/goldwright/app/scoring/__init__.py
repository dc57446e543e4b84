"""Retrievers on datasets: scored, compared, held against a baseline."""
