"""General: the query names a subject, and not what it asks about it."""

from typing import Final

from goldwright.task_types.definition import MANY, TaskTypeDefinition, TierRule

GENERAL: Final = TaskTypeDefinition(
    name="general",
    tiers={
        "easy": TierRule(entities=(1, 1), files=(1, 1)),
        "medium": TierRule(entities=(2, 3), files=(1, 3), bond="linked"),
        "hard": TierRule(entities=(3, MANY), files=(2, MANY), bond="linked"),
    },
    may_name_target_when_easy=False,
    hides_file_named_after_target=False,
    reads_history=False,
)
