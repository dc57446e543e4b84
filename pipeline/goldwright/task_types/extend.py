"""Extend: what it takes to add one more."""

from typing import Final

from goldwright.task_types.definition import MANY, TaskTypeDefinition, TierRule

EXTEND: Final = TaskTypeDefinition(
    name="extend",
    tiers={
        "easy": TierRule(entities=(2, 4), files=(1, 1), bond="linked"),
        # What must change together is held together by a value, a name or a registry as often as
        # by a call or a base class: places that branch on the same value know nothing of one
        # another. A contract with all who fulfil it may stand in one file.
        "medium": TierRule(entities=(2, 6), files=(1, 3)),
        "hard": TierRule(entities=(3, MANY), files=(2, MANY)),
    },
    may_name_target_when_easy=True,
    hides_file_named_after_target=False,
    reads_history=False,
)
