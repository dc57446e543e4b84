"""Conditions on the way to a line of code, as readings by tree and by token both give them."""

from dataclasses import dataclass, field
from typing import Final, Literal

ConditionKind = Literal["if", "unless", "for", "while", "except", "no_error", "case", "loop_end"]

# A way of more conditions is no longer one thought, and neither is a question about it.
MOST_CONDITIONS: Final = 6
LONGEST_CONDITION: Final = 90


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition on the way to a statement.

    Attributes:
        kind: ``if`` and ``unless``: ``code`` is true or false. ``for``: inside a loop over
            ``code``, with ``detail`` as its variable. ``while``: inside a loop while ``code``.
            ``except``: after catching ``code``. ``no_error``: no ``code`` was caught before.
            ``case``: ``code`` matches the pattern ``detail``. ``loop_end``: the loop over ``code``
            with the variable ``detail`` has ended by itself, although it may be left early.
        code: An expression as it stands in the source, on one line.
        detail: The second part, where there is one.
        first, last: The lines on which it stands, from 1; 0 where a sentence is all there is.
        is_past: A name in it was given another value since; it held then, and may not hold now.
    """

    kind: ConditionKind
    code: str
    detail: str = ""
    first: int = field(default=0, compare=False)
    last: int = field(default=0, compare=False)
    is_past: bool = field(default=False, compare=False)


Path = tuple[Condition, ...]
"""Conditions from the outside in and from top to bottom."""
