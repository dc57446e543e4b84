"""The task types, one file each: tiers, and what Author, screen and toolset ask about them."""

from goldwright.task_types.catalog import TASK_TYPE_DEFINITIONS, definition_of, tier_rule
from goldwright.task_types.definition import Bond, TaskTypeDefinition, TierRule

__all__ = [
    "TASK_TYPE_DEFINITIONS",
    "Bond",
    "TaskTypeDefinition",
    "TierRule",
    "definition_of",
    "tier_rule",
]
