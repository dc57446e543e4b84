"""Extend: what it takes to add one more."""

from typing import Final

from goldwright.task_types.definition import MANY, TaskTypeDefinition, TierRule

EXTEND: Final = TaskTypeDefinition(
    name="extend",
    tiers={
        "easy": TierRule(entities=(2, 4), files=(1, 1), bond="linked"),
        "medium": TierRule(entities=(2, 6), files=(2, 3), bond="linked"),
        "hard": TierRule(entities=(4, MANY), files=(4, MANY), bond="linked"),
    },
    may_name_target_when_easy=True,
    hides_file_named_after_target=False,
    reads_history=False,
)
