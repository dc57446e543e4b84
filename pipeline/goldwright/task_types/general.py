"""General: the query names a subject, and not what it asks about it."""

from collections.abc import Mapping
from typing import Final

from goldwright.records import TaskType
from goldwright.task_types.definition import MANY, TaskTypeDefinition, TierRule

# Each phrasing with the task type that a classifier would take it for.
_PHRASINGS_AND_EXPECTATIONS: Final[Mapping[str, tuple[tuple[str, TaskType], ...]]] = {
    # The subject of a class.
    "general_topic": (
        ("Tell me about the {topic}.", "explain"),
        ("What's the story with the {topic}?", "explain"),
        ("Anything I should know about the {topic} before touching it?", "review"),
        ("The {topic} - what do I need to know?", "explain"),
        ("Where are we with the {topic}?", "locate"),
        ("Got a question about the {topic}: who uses it, and is it any trouble?", "review"),
        ("I've been handed the {topic}. Now what?", "extend"),
        ("Can we talk about the {topic}?", "explain"),
        ("Need some background on the {topic}.", "explain"),
        ("How are things with the {topic}?", "debug"),
        ("Someone mentioned the {topic} in stand-up. What about it?", "locate"),
        ("Quick one on the {topic}: what's the deal?", "explain"),
    ),
    # The action of a function.
    "general_doing": (
        ("What's going on with {gerund}?", "debug"),
        ("Anything I should know about {gerund} before I touch it?", "review"),
        ("{Gerund} - what's the story there?", "explain"),
        ("So, about {gerund}: what do we have?", "locate"),
        ("I need to get up to speed on {gerund}.", "explain"),
        ("Tell me about {gerund}.", "explain"),
        ("How good are we at {gerund}?", "review"),
        ("Does {gerund} need any attention?", "debug"),
        ("Help me with {gerund}.", "debug"),
        ("Let's look at {gerund}. Where do we stand?", "locate"),
        ("Can you give me the background on {gerund}?", "explain"),
        ("Who deals with {gerund}, and how?", "locate"),
    ),
    # A family of classes.
    "general_family": (
        ("What's the deal with our {nouns}?", "explain"),
        ("Tell me about the {nouns} we have.", "explain"),
        ("Why are there so many {nouns}?", "review"),
        ("I need an overview of the {nouns}.", "explain"),
        ("{Nouns}: how many are there, and which one is for what?", "locate"),
        ("Which {noun} should I be looking at?", "locate"),
        ("How do the {nouns} fit together?", "explain"),
        ("Somebody asked me about our {nouns}. What should I say?", "explain"),
        ("Do we need all of these {nouns}?", "review"),
    ),
}


def _phrasings_by_pattern() -> dict[str, tuple[str, ...]]:
    phrasings = {}
    for pattern, rows in _PHRASINGS_AND_EXPECTATIONS.items():
        phrasings[pattern] = tuple(phrasing for phrasing, _ in rows)
    return phrasings


def _expectations_by_phrasing() -> dict[str, TaskType]:
    expectations: dict[str, TaskType] = {}
    for rows in _PHRASINGS_AND_EXPECTATIONS.values():
        expectations.update(rows)
    return expectations


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
    phrasings=_phrasings_by_pattern(),
    expectations=_expectations_by_phrasing(),
    opening_for_one=(
        "This is about `{name}` in {path}.",
        "The centre of it is `{name}`, in {path}.",
        "`{name}` in {path} is what stands behind this.",
    ),
    opening_for_several=(
        "This is mostly the business of `{name}` in {path}, with {others} beside it.",
        "The centre of it is `{name}` in {path}; {others} belong to it.",
        "`{name}` in {path} and {others} make this up between them.",
    ),
)
