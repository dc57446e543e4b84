"""Finding text that is addressed to a model rather than to a program or to a developer.

A text of unknown origin is read as a stream of words: lower case, without accents, comment marks,
markup, line ends or invisible characters, look-alikes of other alphabets written in Latin. Phrases
are matched in it forwards, backwards and through rot13; the cores of the phrases are matched
without spaces too, for words that were torn apart; and what stands in Base64 or in hexadecimal
digits is decoded and scanned the same way. Marks of chat templates and of tool replies are looked
for in the text itself.

Every suspicion goes to a person: a false alarm costs a look, a miss costs the truth of the data.
What the rules look for stands in ``rules/*.toml``.
"""

from goldwright.scanners.injection.scanner import find_suspicions
from goldwright.scanners.injection.suspicion import Suspicion

__all__ = ["Suspicion", "find_suspicions"]
