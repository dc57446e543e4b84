"""Bringing together what shards of one piece of work hold."""
