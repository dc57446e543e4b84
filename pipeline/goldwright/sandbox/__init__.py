"""Processes for code that nobody has read: no network, no home, no other process, bounded."""
