"""What a task type is: everything that is said of it in one place, as data.

Where a task's own rule on its tiers and the general one differ (easy: one entity in one file;
medium: two or three entities one hop apart; hard: three or more across modules), the task's own
rule stands.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from goldwright.records import Difficulty, TaskType

MANY: Final = 12
"""The most targets or files that any tier takes; nobody reviews more in one record."""

Bond = Literal["none", "linked", "call_chain"]


@dataclass(frozen=True, slots=True)
class TierRule:
    """What the targets of a query are at one difficulty.

    Attributes:
        entities: The fewest and the most target entities.
        files: The fewest and the most files that they stand in.
        bond: How they hang together. ``linked`` wants every target one hop (a call, a base class,
            a reference or a containment) from another one; ``call_chain`` wants them joined by
            calls alone.
        max_lines: The most lines of the longest target; None where any length will do.
    """

    entities: tuple[int, int]
    files: tuple[int, int]
    bond: Bond = "none"
    max_lines: int | None = None


@dataclass(frozen=True, slots=True)
class TaskTypeDefinition:
    """One way of asking about code.

    Attributes:
        name: What records, plans and prompts call it.
        tiers: What makes its queries easy, medium or hard.
        may_name_target_when_easy: Whether an easy query may hold an identifier of its target.
        hides_file_named_after_target: Whether a target is too easy that is the only public symbol
            of a file named after it.
        reads_history: Whether Oracle and Adversary may look at the history of the code.
        phrasings: The ways people ask, by pattern. A phrasing holds slots in braces, filled by the
            offline Author: ``base`` (*split the header*), ``third`` (*splits the header*) and
            ``gerund`` (*splitting the header*) of an action, and what its finder adds. A slot
            with a capital starts a sentence.
        opening_for_one: First sentences of an answer about one target, with ``name`` and ``path``.
        opening_for_several: The same for several targets, with ``others`` besides.
        expectations: The task type that a classifier takes a phrasing for, where that is another.
    """

    name: TaskType
    tiers: Mapping[Difficulty, TierRule]
    may_name_target_when_easy: bool
    hides_file_named_after_target: bool
    reads_history: bool
    phrasings: Mapping[str, tuple[str, ...]]
    opening_for_one: tuple[str, ...]
    opening_for_several: tuple[str, ...]
    expectations: Mapping[str, TaskType] = field(default_factory=dict)

    @property
    def prompt(self) -> str:
        """The name of the prompt that tells a model how to ask in this way."""
        return f"author_{self.name}"
