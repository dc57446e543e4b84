"""Debug: what goes wrong, and where it comes from."""

from typing import Final

from goldwright.task_types.definition import MANY, TaskTypeDefinition, TierRule

DEBUG: Final = TaskTypeDefinition(
    name="debug",
    tiers={
        "easy": TierRule(entities=(1, 1), files=(1, 1)),
        "medium": TierRule(entities=(2, 4), files=(1, 4), bond="call_chain"),
        "hard": TierRule(entities=(3, MANY), files=(2, MANY), bond="linked"),
    },
    may_name_target_when_easy=False,
    hides_file_named_after_target=False,
    reads_history=False,
)
