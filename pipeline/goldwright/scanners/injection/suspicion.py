"""What is handed to a person: a place in a text and the rule that stopped at it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A place that may speak to a model: its line, counted from 1, and the rule that stopped at it."""

    line: int
    rule: str
    excerpt: str
