"""The wording of a fact: its code, its conditions, and the words that are neither."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from goldwright.snapshot.identifiers import is_code_shaped

HIDDEN: Final = "\0"
"""Stands for every character of code in the plain text of a fact."""

_MARKED: Final = re.compile(r"`([^`]+)`|“([^”]+)”")
_IDENTIFIER: Final = re.compile(r"[^\W\d]\w*")
_CONDITION: Final = re.compile(
    r"\b(?:when|whenever|if|unless|while|until|as long as|after|once|where|for each|for every"
    r"|because|since)\b",
    re.IGNORECASE,
)
_CLAUSE_END: Final = re.compile(r"[,;](?=\s)|\.(?=\s|$)")
_DENIAL: Final = re.compile(
    r"\b(?:no|not|never|without|neither|nor|none|nothing|nobody|instead|rather|unlike|except|only"
    r"|cannot|lacks?)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)
_DOUBT: Final = re.compile(
    r"\b(?:what|whether|may|might|can|could|sometimes|either|or|possibly|optionally|usually|often"
    r"|typically|some|any|all|every|even|regardless|one of its paths|except|only)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class QuotedPiece:
    """A piece of code or a quotation in a fact; ``place`` is the offset where it starts."""

    place: int
    text: str


class FactWording:
    """The text of a fact, taken apart.

    Attributes:
        text: The fact.
        plain: The same text with all marked code and quotations hidden; offsets are the same.
        conditions: The clauses that state a condition, as offsets, end exclusive.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.plain = _MARKED.sub(_hide_inside, text)
        self.conditions = tuple(self._conditions())

    def is_conditional(self, place: int) -> bool:
        """Whether a place of the text lies in a condition."""
        return any(first <= place < end for first, end in self.conditions)

    @cached_property
    def denies(self) -> bool:
        """Whether the statement itself, not its condition, says that something is not so."""
        for denial in _DENIAL.finditer(self.plain):
            if not self.is_conditional(denial.start()):
                return True
        return False

    @property
    def is_doubtful(self) -> bool:
        """Whether the statement leaves open what it says."""
        return _DOUBT.search(self.plain) is not None

    def pieces(self) -> Iterator[QuotedPiece]:
        """Yield the marked code, the quotations and then the names shaped like code.

        Conditions are left out: what they name is not what the fact states.
        """
        for match in _MARKED.finditer(self.text):
            if not self.is_conditional(match.start()):
                # One group for each kind of mark: backticks, or quotation marks.
                text = match[1] or match[2]
                yield QuotedPiece(match.start(), text)
        for match in _IDENTIFIER.finditer(self.plain):
            if is_code_shaped(match[0]) and not self.is_conditional(match.start()):
                yield QuotedPiece(match.start(), match[0])

    def _conditions(self) -> Iterator[tuple[int, int]]:
        for match in _CONDITION.finditer(self.plain):
            end = len(self.plain)
            clause_end = _CLAUSE_END.search(self.plain, match.end())
            if clause_end is not None:
                end = clause_end.start()
            yield match.start(), end


def replace_span(text: str, start: int, end: int, replacement: str) -> str:
    """Put something else in the place of a part of a text; ``end`` is the offset behind it."""
    return text[:start] + replacement + text[end:]


def _hide_inside(match: re.Match[str]) -> str:
    """Hide what stands between two marks; the marks stay."""
    quoted = match[0]
    hidden = HIDDEN * (len(quoted) - 2)
    return quoted[0] + hidden + quoted[-1]
