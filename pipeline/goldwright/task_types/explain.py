"""Explain: how something works."""

from typing import Final

from goldwright.task_types.definition import MANY, TaskTypeDefinition, TierRule

# Lines of a function that is read at one glance; the prompt of the Author says "fewer than 40".
EASY_MAX_LINES: Final = 39

EXPLAIN: Final = TaskTypeDefinition(
    name="explain",
    tiers={
        "easy": TierRule(entities=(1, 1), files=(1, 1), max_lines=EASY_MAX_LINES),
        "medium": TierRule(entities=(2, 5), files=(1, 5), bond="call_chain"),
        "hard": TierRule(entities=(3, MANY), files=(2, MANY), bond="call_chain"),
    },
    may_name_target_when_easy=True,
    hides_file_named_after_target=False,
    reads_history=False,
)
