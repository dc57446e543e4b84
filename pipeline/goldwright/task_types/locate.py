"""Locate: where something is done."""

from typing import Final

from goldwright.task_types.definition import TaskTypeDefinition, TierRule

LOCATE: Final = TaskTypeDefinition(
    name="locate",
    tiers={
        "easy": TierRule(entities=(1, 1), files=(1, 1)),
        "medium": TierRule(entities=(1, 1), files=(1, 1)),
        "hard": TierRule(entities=(2, 3), files=(2, 3), bond="linked"),
    },
    may_name_target_when_easy=False,
    hides_file_named_after_target=True,
    reads_history=False,
)
