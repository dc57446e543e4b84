"""Statements as prose, and prose read back."""
