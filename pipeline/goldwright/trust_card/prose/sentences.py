"""Sentences, code marks and quotations of a text."""

import re
from typing import Final

_CODE_MARK: Final = re.compile(r"``(.+?)``|`([^`]+)`", re.DOTALL)
_QUOTATION: Final = re.compile("“([^“”]*)”")
_ANY_QUOTATION: Final = re.compile('“([^“”]*)”|(?<!\\w)"([^"]*)"(?!\\w)')
# A full stop inside a mark, a quotation or a file name ends no sentence.
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])[\"”)]*\s+(?=[\"“(]?[A-Z`\x00_])")
_HIDDEN: Final = re.compile(r"\x00(\d+)\x00")


def code_marks(text: str) -> tuple[str, ...]:
    """What stands between backticks, in order."""
    return tuple(match[1] or match[2] for match in _CODE_MARK.finditer(text))


def without_code_marks(text: str) -> str:
    """The text with a blank in place of every code mark."""
    return _CODE_MARK.sub(" ", text)


def mask_code_marks(text: str) -> str:
    """The text with blanks in place of every code mark, as many as it has characters."""
    return _CODE_MARK.sub(_blank_out, text)


def without_quotations(text: str) -> str:
    """The text with a blank in place of every quotation."""
    return _QUOTATION.sub(" ", text)


def quotations(text: str) -> tuple[str, ...]:
    """What stands between double quotation marks, typographic or straight, but in no code mark."""
    matches = _ANY_QUOTATION.finditer(without_code_marks(text))
    return tuple(match[1] or match[2] or "" for match in matches)


def sentences(text: str) -> tuple[str, ...]:
    """Split a text into sentences; marks and quotations stay whole."""
    hidden_parts: list[str] = []

    def hide(match: re.Match[str]) -> str:
        hidden_parts.append(match[0])
        return f"\x00{len(hidden_parts) - 1}\x00"

    def show(match: re.Match[str]) -> str:
        return hidden_parts[int(match[1])]

    masked_text = _QUOTATION.sub(hide, _CODE_MARK.sub(hide, text))
    complete: list[str] = []
    for part in _SENTENCE_END.split(masked_text):
        # Twice, because a quotation may hold a mark.
        with_quotations = _HIDDEN.sub(show, part)
        sentence = _HIDDEN.sub(show, with_quotations).strip()
        if sentence:
            complete.append(sentence)
    return tuple(complete)


def _blank_out(match: re.Match[str]) -> str:
    return " " * len(match[0])
