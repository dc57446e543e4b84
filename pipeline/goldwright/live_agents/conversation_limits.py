"""How much is put right in a conversation with a model, and what closes its tools."""

from typing import Final

# What is put right within one conversation, and how often, before the item is given up.
MOST_REPAIRS: Final = 3
MOST_EMPTY_REPLIES: Final = 1
MOST_DOUBLINGS: Final = 1
MOST_PAUSES: Final = 5
MOST_SHORTENINGS: Final = 1
MOST_CALLS_OF_CLOSED_TOOLS: Final = 1
MOST_DOUBLE_IDS: Final = 1
# In a row: a model that errs at one call in five makes six in a row in one of 3,000 conversations.
MOST_BAD_CALLS: Final = 5
# What closes the tools, after which the model has to answer from what it has read.
MOST_TURNS: Final = 40
MOST_SHOWN_CHARACTERS: Final = 400 * 1024
MOST_EQUAL_CALLS: Final = 3
MOST_FRUITLESS_TURNS: Final = 6
