"""What a task type is: everything about it in one place, as data.

The general rule of tiers is: easy, one entity in one file; medium, two or three entities one hop
apart; hard, three or more across modules. Where a task type has its own rule, that one counts.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from goldwright.records import Difficulty, TaskType

# The most targets or files of any tier: nobody can review more in one record.
MANY: Final = 12

Bond = Literal["none", "linked", "call_chain"]


@dataclass(frozen=True, slots=True)
class TierRule:
    """What the targets of a query are at one difficulty.

    Attributes:
        entities: The fewest and the most target entities.
        files: The fewest and the most files that they stand in.
        bond: How the targets are connected. ``linked``: each is one hop (a call, a base class, a
            reference or a containment) from another one. ``call_chain``: they are joined by calls
            alone.
        max_lines: The most lines of the longest target; None allows any length.
    """

    entities: tuple[int, int]
    files: tuple[int, int]
    bond: Bond = "none"
    max_lines: int | None = None


@dataclass(frozen=True, slots=True)
class TaskTypeDefinition:
    """One way of asking about code.

    Attributes:
        name: Its name in records, plans and prompts.
        tiers: What makes its queries easy, medium or hard.
        may_name_target_when_easy: Whether an easy query may hold an identifier of its target.
        hides_file_named_after_target: Whether a target is refused as too easy if it is the only
            public symbol of a file named after it.
        reads_history: Whether Oracle and Adversary may look at the history of the code.
    """

    name: TaskType
    tiers: Mapping[Difficulty, TierRule]
    may_name_target_when_easy: bool
    hides_file_named_after_target: bool
    reads_history: bool

    @property
    def prompt(self) -> str:
        """The name of the prompt for models that write queries of this type."""
        return f"author_{self.name}"
