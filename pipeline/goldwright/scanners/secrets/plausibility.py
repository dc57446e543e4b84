"""Whether a value looks like a secret, and not like a stand-in, a word or a name."""

import math
import re
from collections import Counter
from functools import cache
from typing import Final

from goldwright.scanners.secrets.value_tables import values_of

LEAST_ENTROPY: Final = 3.0
"""In bits per character: a value of eight characters has that if all of them differ."""

# Of digits, small letters, capitals and other characters.
LEAST_CHARACTER_CLASSES: Final = 2

# Words of a name, a path or a title: with their digits, separators and inner capitals.
_WORDS: Final = re.compile(
    r"[_./:,|?=&\\-]*"
    r"(?:(?:[A-Za-z][a-z]+|[A-Z]{2,}s?|[A-Za-z])"
    r"(?:\d{0,3}(?:[_./:,|?=&\\-]|(?=[A-Z]))|\d?$)"
    r"|\d{1,3}[a-z]?(?:[_./:,|?=&\\-]|$))"
)


def is_plausible(match: re.Match[str]) -> bool:
    """Return whether what a weighed rule matched looks like a secret.

    Args:
        match: Its group ``secret`` is the value. Where the value is assigned to a name, the group
            ``name`` is the word for a secret in it, and ``rest`` what follows that word.
    """
    secret = match["secret"]
    if _stand_ins().search(secret) or secret.casefold() in _values("obvious_values"):
        return False
    if "name" in match.re.groupindex:
        return _is_plausible_assignment(match["rest"] or "", secret)
    if "://" in match[0]:
        # A password in an address may be a word; elsewhere a word is prose.
        return True
    return not _is_made_of_words(secret)


def _is_plausible_assignment(name_remainder: str, secret: str) -> bool:
    """Whether a value may be a secret, and the name that it is assigned to one of a secret."""
    remainder = name_remainder.lower()
    if remainder in _values("name_remainders") or remainder.endswith(_values("name_endings")):
        return False
    if _count_character_classes(secret) < LEAST_CHARACTER_CLASSES:
        return False
    if _entropy(secret) < LEAST_ENTROPY:
        return False
    return not _is_made_of_words(secret)


def _is_made_of_words(text: str) -> bool:
    """Return whether a text reads like a name, a path or a title rather than like chance."""
    return not _WORDS.sub("", text)


def _count_character_classes(text: str) -> int:
    """Count which of digits, small letters, capitals and other characters a text holds."""
    has_digits = any(map(str.isdigit, text))
    has_lower = any(map(str.islower, text))
    has_upper = any(map(str.isupper, text))
    has_others = not text.isalnum()
    return has_digits + has_lower + has_upper + has_others


def _entropy(text: str) -> float:
    """Shannon's entropy of the characters, in bits per character."""
    total = 0.0
    for count in Counter(text).values():
        share = count / len(text)
        total -= share * math.log2(share)
    return total


@cache
def _stand_ins() -> re.Pattern[str]:
    """Finds a sign or a word of a stand-in."""
    signs = "|".join(_values("stand_in_signs"))
    words = "|".join(_values("stand_in_words"))
    beginnings = "|".join(_values("stand_in_beginnings"))
    expression = rf"{signs}|(?<![a-z])(?:{words})(?![a-z])|^(?:{beginnings})"
    return re.compile(expression, re.IGNORECASE)


def _values(section: str) -> tuple[str, ...]:
    return values_of("plausibility.toml", section)
