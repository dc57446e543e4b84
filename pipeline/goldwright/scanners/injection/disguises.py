"""What hides a text from a program and not from a model, undone: escapes, unseen characters,
look-alikes.
"""

import html
import re
import unicodedata
from typing import Final

from goldwright.scanners.injection.phrases import is_known

_ESCAPE: Final = re.compile(
    r"\\(?:x(?P<two>[0-9a-fA-F]{2})|u(?P<four>[0-9a-fA-F]{4})|U(?P<eight>000[0-9a-fA-F]{5})|[nrt])"
    r"|%(?P<percent>[0-9a-fA-F]{2})|(?P<entity>&(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|[a-z]{2,8});)"
)
_MARKED_LETTER: Final = re.compile(r"(?<=[A-Za-z0-9])[@$](?=[A-Za-z0-9])")
TAGS: Final = re.compile("[\U000e0020-\U000e007e]{4,}|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4,}")
_UNSEEN: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\U000e0001\U000e007f\U000e0100-\U000e01ef]"
)
_TAG_LETTERS: Final = {0xE0000 + code: chr(code) for code in range(0x20, 0x7F)}
_LEET: Final = tuple(str.maketrans("01345789", f"o{one}eastbg") for one in "il")
_LOOK_ALIKES: Final = str.maketrans(
    {
        other: latin
        for latin, others in {
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
        }.items()
        for other in others
    }
)


def legible(text: str) -> str:
    """Write a text as a model may read it, with the same number of lines."""
    if not text.isascii():
        shown = _UNSEEN.sub("", text.translate(_TAG_LETTERS))
        text = "\n".join(unicodedata.normalize("NFKC", line) for line in shown.split("\n"))
    if "\\" in text or "&" in text or "%" in text:
        text = _ESCAPE.sub(_unescaped, text)
    return _MARKED_LETTER.sub(lambda match: "a" if match[0] == "@" else "s", text)


def bare(word: str) -> str:
    """Write a word as the phrases do."""
    lower = word.lower() if word.isascii() else _latin(word)
    return lower if lower.isalpha() else _without_digits(lower)


def _unescaped(match: re.Match[str]) -> str:
    digits = match["two"] or match["four"] or match["eight"] or match["percent"]
    if match["entity"]:
        letter = html.unescape(match["entity"])
    else:
        letter = chr(min(int(digits, 16), 0x10FFFF)) if digits else " "
    return letter if letter.isprintable() else " "


def _latin(word: str) -> str:
    """Write a word in lower case, in Latin letters if those of another alphabet pose as them."""
    lower = word.casefold()
    if lower.isascii():
        return lower
    bare = "".join(
        letter
        for letter in unicodedata.normalize("NFKD", word)
        if not unicodedata.combining(letter)
    )
    turned = bare.translate(_LOOK_ALIKES).casefold()
    is_mixed = any(letter.isascii() for letter in bare)
    return turned if turned.isascii() and (is_mixed or is_known(turned)) else lower


def _without_digits(word: str) -> str:
    """Read digits as letters where that makes a word of the phrases."""
    for letters in () if word.isdigit() else _LEET:
        read = word.translate(letters)
        if is_known(read):
            return read
    return word
