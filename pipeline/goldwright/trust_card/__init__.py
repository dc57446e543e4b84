"""The trust card: figures about a dataset that need no person.

They are computed from the records and the codebase alone. Nothing here is shared with the agents
that make records: the room reads code, finds callers and families, splits identifiers and searches
by ways of its own, so that a mistake of the agents cannot hide itself in their own measure.
"""
