"""Undoing what hides a text from a program and not from a model.

Escapes are written out, invisible characters dropped, and look-alikes of other alphabets and digits
in the place of letters read as what they pose as.
"""

import html
import re
import unicodedata
from typing import Final

from goldwright.scanners.injection.phrase_patterns import is_phrase_word

# Escapes of Python and C, of web addresses and of HTML; an escaped line end becomes a space.
_ESCAPE: Final = re.compile(
    r"\\(?:x(?P<two>[0-9a-fA-F]{2})"
    r"|u(?P<four>[0-9a-fA-F]{4})"
    r"|U(?P<eight>000[0-9a-fA-F]{5})"
    r"|[nrt])"
    r"|%(?P<percent>[0-9a-fA-F]{2})"
    r"|(?P<entity>&(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|[a-z]{2,8});)"
)
# As in "inst@ll"; at the edge of a word the signs belong to addresses, variables and decorators.
_SIGN_IN_A_WORD: Final = re.compile(r"(?<=[A-Za-z0-9])[@$](?=[A-Za-z0-9])")
_LETTERS_BY_SIGN: Final = {"@": "a", "$": "s"}
_HIGHEST_CODE_POINT: Final = 0x10FFFF

HIDDEN_LETTERS: Final = re.compile(
    "[\U000e0020-\U000e007e]{4,}|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4,}"
)
"""Runs of tag characters or of variation selectors, which encode letters that nobody sees."""

# Soft hyphens, joiners, fillers, marks of direction, variation selectors and the like.
_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0001\U000e007f\U000e0100-\U000e01ef]"
)
# Tag characters repeat printable ASCII, 0xE0000 higher.
_TAG_LETTERS: Final = {0xE0000 + code: chr(code) for code in range(0x20, 0x7F)}

# A digit stands for one letter, but 1 for i or for l.
_DIGITS_AS_LETTERS: Final = (
    str.maketrans("01345789", "oieastbg"),
    str.maketrans("01345789", "oleastbg"),
)
# For each Latin letter, letters of the Cyrillic, Greek and Armenian alphabets and of phonetic
# script that look like it.
_LOOK_ALIKES_BY_LETTER: Final = {
    "a": "\u0430\u0410\u03b1\u0391\u0251\u1d00",
    "b": "\u0432\u0412\u03b2\u0392\u0299",
    "c": "\u0441\u0421\u03f2\u1d04",
    "d": "\u0501\u1d05",
    "e": "\u0435\u0415\u03b5\u0395\u1d07",
    "g": "\u0261\u0262",
    "h": "\u04bb\u043d\u041d\u0397\u029c\u0570",
    "i": "\u0456\u0406\u03b9\u0399\u0131\u026a\u04c0",
    "j": "\u0458\u0408\u1d0a",
    "k": "\u043a\u041a\u03ba\u039a\u1d0b",
    "l": "\u04cf\u029f",
    "m": "\u043c\u041c\u039c\u1d0d",
    "n": "\u03b7\u039d\u0274\u0578",
    "o": "\u043e\u041e\u03bf\u03c3\u039f\u1d0f\u0585",
    "p": "\u0440\u0420\u03c1\u03a1\u1d18",
    "q": "\u051b",
    "r": "\u0433\u0491\u0280",
    "s": "\u0455\u0405\ua731",
    "t": "\u0442\u0422\u03c4\u03a4\u1d1b",
    "u": "\u03c5\u1d1c\u057d",
    "v": "\u03bd\u1d20",
    "w": "\u051d\u03c9\u1d21",
    "x": "\u0445\u0425\u03c7\u03a7",
    "y": "\u0443\u0423\u03b3\u03a5\u028f",
    "z": "\u0396\u1d22",
}


def make_legible(text: str) -> str:
    """Write a text as a model may read it, with the same number of lines."""
    if not text.isascii():
        visible = _INVISIBLE.sub("", text.translate(_TAG_LETTERS))
        lines = visible.split("\n")
        text = "\n".join(unicodedata.normalize("NFKC", line) for line in lines)
    if "\\" in text or "&" in text or "%" in text:
        text = _ESCAPE.sub(_decode_escape, text)
    return _SIGN_IN_A_WORD.sub(_read_sign, text)


def normalize_word(word: str) -> str:
    """Write a word as the phrases are written."""
    lower = word.lower() if word.isascii() else _to_latin(word)
    if lower.isalpha():
        return lower
    return _read_digits(lower)


def _decode_escape(match: re.Match[str]) -> str:
    """Give the character of an escape, or a space for one that is not printed."""
    digits = match["two"] or match["four"] or match["eight"] or match["percent"]
    if match["entity"]:
        character = html.unescape(match["entity"])
    elif digits:
        code_point = int(digits, 16)
        character = chr(min(code_point, _HIGHEST_CODE_POINT))
    else:
        character = " "
    if character.isprintable():
        return character
    return " "


def _read_sign(match: re.Match[str]) -> str:
    return _LETTERS_BY_SIGN[match[0]]


def _to_latin(word: str) -> str:
    """Write a word in lower case, in Latin letters if those of another alphabet pose as them.

    Look-alikes are read as Latin where the word holds Latin letters too, or makes a word of the
    phrases that way; an ordinary Russian or Greek word stays as it is.
    """
    lower = word.casefold()
    if lower.isascii():
        return lower
    unaccented = _without_accents(word)
    latin = unaccented.translate(_LOOK_ALIKES).casefold()
    if not latin.isascii():
        return lower
    is_mixed = any(map(str.isascii, unaccented))
    if is_mixed or is_phrase_word(latin):
        return latin
    return lower


def _without_accents(word: str) -> str:
    letters = unicodedata.normalize("NFKD", word)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _read_digits(word: str) -> str:
    """Read digits as letters where that makes a word of the phrases."""
    if word.isdigit():
        return word
    for letters_by_digit in _DIGITS_AS_LETTERS:
        letters = word.translate(letters_by_digit)
        if is_phrase_word(letters):
            return letters
    return word


def _look_alikes() -> dict[int, str]:
    latin_by_code: dict[int, str] = {}
    for latin, look_alikes in _LOOK_ALIKES_BY_LETTER.items():
        for letter in look_alikes:
            latin_by_code[ord(letter)] = latin
    return latin_by_code


_LOOK_ALIKES: Final = _look_alikes()
