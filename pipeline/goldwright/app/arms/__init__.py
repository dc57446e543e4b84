"""Retrieval set-ups compared over one index, in one repository or several."""
