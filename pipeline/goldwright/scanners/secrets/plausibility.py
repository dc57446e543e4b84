"""Whether a value looks like a secret, and not like a stand-in, a word or a name."""

import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from goldwright.scanners.data_files import read_data_file
from goldwright.scanners.secrets.rules import PACKAGE

LEAST_ENTROPY: Final = 3.0
"""In bits per character: a value of eight characters has that if all of them differ."""

LEAST_CHARACTER_CLASSES: Final = 2

# Words of a name, a path or a title: with their digits, separators and inner capitals.
_WORDS: Final = re.compile(
    r"[_./:,|?=&\\-]*"
    r"(?:(?:[A-Za-z][a-z]+|[A-Z]{2,}s?|[A-Za-z])"
    r"(?:\d{0,3}(?:[_./:,|?=&\\-]|(?=[A-Z]))|\d?$)"
    r"|\d{1,3}[a-z]?(?:[_./:,|?=&\\-]|$))"
)


@dataclass(frozen=True, slots=True)
class _ImplausibleValues:
    """What ``plausibility.toml`` lists.

    Attributes:
        stand_ins: Finds a sign or a word of a stand-in.
        obvious: Values that are no secrets, in lower case.
        name_endings: How names end that hold no secret, in lower case.
        name_remainders: What follows the word for a secret in names that hold none.
    """

    stand_ins: re.Pattern[str]
    obvious: frozenset[str]
    name_endings: tuple[str, ...]
    name_remainders: frozenset[str]


def is_plausible(match: re.Match[str]) -> bool:
    """Tell whether what a weighed rule matched looks like a secret.

    Args:
        match: Its group ``secret`` is the value. Where the value is assigned to a name, the group
            ``name`` is the word for a secret in it, and ``rest`` what follows that word.
    """
    secret = match["secret"]
    implausible = _load_implausible_values()
    if implausible.stand_ins.search(secret) or secret.casefold() in implausible.obvious:
        return False
    groups = match.groupdict()
    if "name" in groups:
        return _is_plausible_assignment(groups["rest"] or "", secret, implausible)
    # A password in an address may be a word; after "basic", "bearer" or "curl -u" a word is prose.
    return "://" in match[0] or not _is_made_of_words(secret)


def _is_plausible_assignment(rest: str, secret: str, implausible: _ImplausibleValues) -> bool:
    lower_rest = rest.lower()
    if lower_rest in implausible.name_remainders:
        return False
    if lower_rest.endswith(implausible.name_endings):
        return False
    if _count_character_classes(secret) < LEAST_CHARACTER_CLASSES:
        return False
    return _entropy(secret) >= LEAST_ENTROPY and not _is_made_of_words(secret)


def _is_made_of_words(text: str) -> bool:
    """Tell whether a text reads like a name, a path or a title rather than like chance."""
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
def _load_implausible_values() -> _ImplausibleValues:
    data = read_data_file(PACKAGE, "plausibility.toml")
    return _ImplausibleValues(
        stand_ins=_stand_in_pattern(data),
        obvious=frozenset(_words_of(data, "obvious_values")),
        name_endings=tuple(_words_of(data, "name_endings")),
        name_remainders=frozenset(_words_of(data, "name_remainders")),
    )


def _stand_in_pattern(data: Mapping[str, Any]) -> re.Pattern[str]:
    signs = "|".join(_words_of(data, "stand_in_signs"))
    words = "|".join(_words_of(data, "stand_in_words"))
    beginnings = "|".join(_words_of(data, "stand_in_beginnings"))
    expression = rf"{signs}|(?<![a-z])(?:{words})(?![a-z])|^(?:{beginnings})"
    return re.compile(expression, re.IGNORECASE)


def _words_of(data: Mapping[str, Any], section: str) -> list[str]:
    words: str = data[section]["values"]
    return words.split()
