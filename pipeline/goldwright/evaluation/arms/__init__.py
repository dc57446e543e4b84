"""Comparisons of our own searches, on one dataset and over several repositories."""
