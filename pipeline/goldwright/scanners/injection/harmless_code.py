"""What looks like an address to a model and is plain code or configuration."""

import re
from functools import cache
from typing import Final

from goldwright.scanners.injection.disguises import normalize_word
from goldwright.scanners.injection.phrase_patterns import is_phrase_word
from goldwright.scanners.injection.rule_tables import read_table

_NAME: Final = re.compile(
    r"(?:(?:skip|bypass|omit)_verification|(?:SKIP|BYPASS|OMIT)_VERIFICATION)(?!\w)"
)
_OPTION: Final = re.compile(r"(?:skip|bypass|omit)-verification(?![\w-])")
# The start of a line, punctuation of code, or a keyword.
_BEFORE_A_NAME: Final = re.compile(
    r"(?:(?:^|\n)[ \t]{0,60}"
    r"|[.(\[{=!,\"'`|&*-][ \t]{0,3}"
    r"|(?<!\w)(?:if|elif|not|def|return|while|assert)[ ]"
    r")$"
)
_AFTER_A_NAME: Final = re.compile(
    r"[ \t]{0,3}(?:[]=(),.:;}\[{\"'`?|&<>!]|\n|$|else\b|is[ ](?:not[ ])?(?:None|True|False)\b)"
)
_FIELD: Final = re.compile(
    r"[^\w\n@]{0,21}"
    r"(?:(?:Reviewer|REVIEWER):[ \t]{1,3}(?P<person>[^\W\d_]{2,20}(?:[ ][^\W\d_]{2,20})?)"
    r"|AI:[ \t]{1,3}(?:true|false|yes|no|on|off|enabled|disabled|null|none),?)"
    r"[ \t]{0,9}\r?(?=\n|\Z)"
)
# The next lines hold prose: one word alone on its line, or a line that begins with two words.
_SENTENCE_FOLLOWS: Final = re.compile(
    r"(?:[^\w\n]{0,20}\n){1,3}[^\w\n]{0,20}(?!import |from [\w.]+ import )"
    r"(?:[a-z']{1,30}[.,;!?]*[ \t]*(?:\n|\Z)|[a-z']{1,30}[,;]?[ ][a-z']{1,30}[.,;!?]*(?:\s|\Z))",
    re.IGNORECASE,
)
_LONGEST_BEFORE: Final = 64
"""``_BEFORE_A_NAME`` reaches back over 60 spaces of indentation at most."""


def is_plain_name(text: str, start: int, end: int) -> bool:
    """Whether the text between two offsets is one name in code, and no part of a sentence."""
    start_before = max(0, start - _LONGEST_BEFORE)
    before = text[start_before:start]
    if _NAME.fullmatch(text, start, end):
        is_in_code = _BEFORE_A_NAME.search(before) is not None
    elif _OPTION.fullmatch(text, start, end):
        is_in_code = before.endswith("--")
    else:
        return False
    if not is_in_code:
        return False
    if not _AFTER_A_NAME.match(text, end):
        return False
    return not _prose_follows().match(text, end)


def is_plain_field(text: str, start: int) -> bool:
    """Return whether a line is from an offset on a field: a person's name or a switch, no more."""
    field = _FIELD.match(text, start)
    if not field or _SENTENCE_FOLLOWS.match(text, field.end()):
        return False
    words = (field["person"] or "").split()
    return all(map(_may_be_part_of_a_name, words))


def _may_be_part_of_a_name(word: str) -> bool:
    plain_word = normalize_word(word)
    is_ordinary = is_phrase_word(plain_word) or plain_word in _answers()
    return word.istitle() and not is_ordinary


@cache
def _prose_follows() -> re.Pattern[str]:
    table = read_table("harmless_code.toml")["plain_names"]
    words = "|".join(table["words_of_prose"].split())
    return re.compile(rf"\W{{0,80}}(?:{words})\b", re.IGNORECASE)


@cache
def _answers() -> frozenset[str]:
    table = read_table("harmless_code.toml")["plain_fields"]
    return frozenset(table["answers"].split())
