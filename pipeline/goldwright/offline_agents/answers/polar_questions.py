"""Questions for yes or no: who asks one wants to hear that first."""

import re
from typing import Final

YES: Final = "Yes"

_POLAR: Final = re.compile(
    r"(?:are|can|could|did|do|does|has|have|is|was|were|will|would) [\"“`]?(?P<subject>\w+)",
    re.IGNORECASE,
)
# "Can you show me ..." asks for something else than whether somebody can.
_PERSONS: Final = frozenset({"you", "somebody", "someone", "anybody", "anyone"})
# "Is it required, or is there a default?"
_ALTERNATIVE: Final = re.compile(r"\bor (?:are|do|does|is|only)\b")


def asks_yes_or_no(question: str) -> bool:
    """Find out whether a question begins as one for yes or no, whatever it goes on with."""
    polar = _POLAR.match(question)
    is_request = polar is not None and polar["subject"].lower() in _PERSONS
    return polar is not None and not is_request and not _ALTERNATIVE.search(question)


def affirmed(sentence: str) -> str:
    """Put a yes before a sentence, which may have a colon of its own behind its verdict."""
    first, remainder = sentence[:1].lower(), sentence[1:]
    verdict, colon, _ = sentence.partition(": ")
    joint = "," if colon and "`" not in verdict else ":"
    return f"{YES}{joint} {first}{remainder}"
