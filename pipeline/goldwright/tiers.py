"""The tier table: what makes a query easy, medium or hard, by task type, in one place.

A row bounds the number of target entities and of files they stand in, and says how the targets
must hang together. Where a task's own rule and the general one (easy: one entity in one file;
medium: two or three entities one hop apart; hard: three or more across modules) differ, the
task's own rule stands here.
"""

from dataclasses import dataclass
from typing import Final, Literal

from goldwright.plan import Cell

MANY: Final = 12
EASY_EXPLAIN_MAX_LINES: Final = 40

Bond = Literal["none", "linked", "call_chain"]


@dataclass(frozen=True, slots=True)
class Tier:
    """Bounds of one cell, inclusive.

    ``bond``: ``linked`` wants every target one hop (a call, a base class, a reference or a
    containment) from another one; ``call_chain`` wants the targets to be joined by calls alone.
    ``max_lines`` bounds the length of the longest target.
    """

    entities: tuple[int, int]
    files: tuple[int, int]
    bond: Bond = "none"
    max_lines: int | None = None


TIERS: Final[dict[Cell, Tier]] = {
    Cell("locate", "easy"): Tier((1, 1), (1, 1)),
    Cell("locate", "medium"): Tier((1, 1), (1, 1)),
    Cell("locate", "hard"): Tier((2, 3), (2, 3), "linked"),
    Cell("explain", "easy"): Tier((1, 1), (1, 1), max_lines=EASY_EXPLAIN_MAX_LINES - 1),
    Cell("explain", "medium"): Tier((2, 5), (1, 5), "call_chain"),
    Cell("explain", "hard"): Tier((3, MANY), (2, MANY), "call_chain"),
    Cell("debug", "easy"): Tier((1, 1), (1, 1)),
    Cell("debug", "medium"): Tier((2, 4), (1, 4), "call_chain"),
    Cell("debug", "hard"): Tier((3, MANY), (2, MANY), "linked"),
    Cell("extend", "easy"): Tier((2, 4), (1, 1), "linked"),
    Cell("extend", "medium"): Tier((2, 6), (2, 3), "linked"),
    Cell("extend", "hard"): Tier((4, MANY), (4, MANY), "linked"),
    Cell("review", "easy"): Tier((1, 1), (1, 1)),
    Cell("review", "medium"): Tier((2, 3), (1, 3), "linked"),
    Cell("review", "hard"): Tier((3, MANY), (2, MANY), "linked"),
    Cell("general", "easy"): Tier((1, 1), (1, 1)),
    Cell("general", "medium"): Tier((2, 3), (1, 3), "linked"),
    Cell("general", "hard"): Tier((3, MANY), (2, MANY), "linked"),
}
