"""Text that is addressed to a model rather than to a program or to a developer.

A text of unknown origin is read as a stream of words: lower case, without accents, comment marks,
markup, line ends or characters nobody sees, look-alikes of other alphabets written in Latin. The
stream is matched forwards, backwards and through rot13 against phrases; without its spaces against
the heart of them, for words that were torn apart; and what stands in Base64 or in hexadecimal
digits is read the same way. Marks of chat templates and of tool replies are looked for in the text
itself. What is found goes to a person: a false alarm costs a look, a miss costs the data's truth.
"""

from goldwright.scanners.injection.scanner import suspicions
from goldwright.scanners.injection.suspicion import Suspicion

__all__ = ["Suspicion", "suspicions"]
