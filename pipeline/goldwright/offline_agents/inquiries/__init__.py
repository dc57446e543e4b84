"""Reasons to ask about code, one file a kind: how it is found, asked about and answered."""
