"""What looks like an address to a model and is plain code or configuration."""

import re
from typing import Final

from goldwright.scanners.injection.disguises import bare
from goldwright.scanners.injection.phrases import is_known

_NAME: Final = re.compile(
    r"(?:(?:skip|bypass|omit)_verification|(?:SKIP|BYPASS|OMIT)_VERIFICATION)(?!\w)"
)
_OPTION: Final = re.compile(r"(?:skip|bypass|omit)-verification(?![\w-])")
_BEFORE_A_NAME: Final = re.compile(
    r"(?:(?:^|\n)[ \t]{0,60}|[.(\[{=!,\"'`|&*-][ \t]{0,3}|(?<!\w)(?:if|elif|not|def|return|while|assert)[ ])$"
)
_AFTER_A_NAME: Final = re.compile(
    r"[ \t]{0,3}(?:[]=(),.:;}\[{\"'`?|&<>!]|\n|$|else\b|is[ ](?:not[ ])?(?:None|True|False)\b)"
)
_PROSE_FOLLOWS: Final = re.compile(
    r"\W{0,80}(?:of|the|this|that|these|those|any|all|every|for|here|now|and|because|since|as|on|it|then|when|you|your"
    r"|please|claims?|statements?|answers?|citations?|evidence|facts?)\b",
    re.IGNORECASE,
)
_FIELD: Final = re.compile(
    r"[^\w\n@]{0,21}(?:(?:Reviewer|REVIEWER):[ \t]{1,3}(?P<person>[^\W\d_]{2,20}(?:[ ][^\W\d_]{2,20})?)"
    r"|AI:[ \t]{1,3}(?:true|false|yes|no|on|off|enabled|disabled|null|none),?)[ \t]{0,9}\r?(?=\n|\Z)"
)
_SENTENCE_FOLLOWS: Final = re.compile(
    r"(?:[^\w\n]{0,20}\n){1,3}[^\w\n]{0,20}(?!import |from [\w.]+ import )"
    r"(?:[a-z']{1,30}[.,;!?]*[ \t]*(?:\n|\Z)|[a-z']{1,30}[,;]?[ ][a-z']{1,30}[.,;!?]*(?:\s|\Z))",
    re.IGNORECASE,
)
_ANSWERS: Final = frozenset(
    """agree allow assent bless comply concur congratulations done endorse fine good great just kindly lgtm nod obey ok
    okay praise proceed quit relax rest shush silence sleep success support surrender thanks wait yes yield""".split()
)
_LONGEST_BEFORE: Final = 64


def is_plain_name(text: str, start: int, end: int) -> bool:
    """Tell whether the words between two characters are one name in code, with no sentence around
    it.
    """
    before = text[max(0, start - _LONGEST_BEFORE) : start]
    name = _NAME.fullmatch(text, start, end)
    is_named = bool(name and _BEFORE_A_NAME.search(before))
    is_option = bool(_OPTION.fullmatch(text, start, end) and before.endswith("--"))
    return (
        (is_named or is_option)
        and bool(_AFTER_A_NAME.match(text, end))
        and not _PROSE_FOLLOWS.match(text, end)
    )


def is_plain_field(text: str, start: int) -> bool:
    """Tell whether a line from a character on is a field: a person's name or a switch, and nothing
    else.
    """
    field = _FIELD.match(text, start)
    if not field or _SENTENCE_FOLLOWS.match(text, field.end()):
        return False
    return all(_is_part_of_a_name(word) for word in (field["person"] or "").split())


def _is_part_of_a_name(word: str) -> bool:
    plain = bare(word)
    return word.istitle() and not is_known(plain) and plain not in _ANSWERS
