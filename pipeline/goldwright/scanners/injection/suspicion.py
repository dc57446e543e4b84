"""What a scan hands to a person: a place in a text and the rule that matched there."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A place that may be addressed to a model.

    Attributes:
        line: The number of the line it starts in, from 1.
        rule: The name of the rule that matched.
        excerpt: The matched text on one line, shortened and with its hidden characters visible.
    """

    line: int
    rule: str
    excerpt: str
