"""How people ask without saying what they want, with the task type a classifier will take it for."""

from typing import Final

from goldwright.records import TaskType

GENERAL: Final[dict[str, tuple[tuple[str, TaskType], ...]]] = {
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
}  # fmt: skip
