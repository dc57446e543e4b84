"""What a warning tells people to do instead: the part of its message that gives the advice."""

import re
from typing import Final

# From a mark or a blank to the end: what is to be used, set, passed or written instead.
_ADVICE: Final = re.compile(
    r"(?P<joint>[.,;:!]|\s+[-–(]|\s(?=in favou?r of|and replaced by))\s*"
    r"(?P<advice>(?:you (?:should|can|must) |please,? |instead,? |consider |and )*"
    r"(?:use|using|set|pass|switch to|refactor|upgrade|provide|replace|override|define|rewrite|"
    r"add|import|call|move|migrate|"
    r"in favou?r of|replaced by|instead)\b.+)$",
    re.IGNORECASE,
)


def split_advice(message: str) -> tuple[str, str]:
    """Cut a message in two: what it complains about, and its advice; empty where it gives none."""
    match = _ADVICE.search(message)
    if match is None:
        return message, ""
    complaint = message[: match.start()].strip()
    advice = match["advice"].strip(" .")
    # Advice in brackets loses the closing one; a call keeps its own.
    while advice.endswith(")") and advice.count(")") > advice.count("("):
        advice = advice[:-1].strip(" .")
    return complaint, advice
