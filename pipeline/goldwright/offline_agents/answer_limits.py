"""How much an answer says: the gate's own limits, and a little room inside them."""

from typing import Final

FEWEST_FACTS: Final = 3
MOST_FACTS: Final = 8
MOST_FALSEHOODS: Final = 3
# The gate wants 80 to 250 words.
FEWEST_WORDS: Final = 80
MOST_WORDS: Final = 230
