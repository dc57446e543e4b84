"""Runs: started, carried on, redone, looked at, and what becomes of their records."""
