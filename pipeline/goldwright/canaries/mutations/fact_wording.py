"""The wording of a fact: its code, its conditions, and the words that are neither."""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from goldwright.snapshot.identifiers import is_code_shaped

_MARKED: Final = re.compile(r"`([^`]+)`|“([^”]+)”")
_CONDITION: Final = re.compile(
    r"\b(?:when|whenever|if|unless|while|until|as long as|after|once|where|for each|for every|because|since)\b",
    re.IGNORECASE,
)
_CLAUSE_END: Final = re.compile(r"[,;](?=\s)|\.(?=\s|$)")
_DENIAL: Final = re.compile(
    r"\b(?:no|not|never|without|neither|nor|none|nothing|nobody|instead|rather|unlike|except|only|cannot|lacks?)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)
_DOUBT: Final = re.compile(
    r"\b(?:what|whether|may|might|can|could|sometimes|either|or|possibly|optionally|usually|often|typically|some|any|all"
    r"|every|even|regardless|one of its paths|except|only)\b",
    re.IGNORECASE,
)


class FactWording:
    """A fact taken apart: its code, its conditions, and the words that are neither."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.plain = _MARKED.sub(
            lambda match: match[0][0] + "\0" * (len(match[0]) - 2) + match[0][-1], text
        )
        self.conditions = tuple(self._conditions())

    def _conditions(self) -> Iterator[tuple[int, int]]:
        for match in _CONDITION.finditer(self.plain):
            end = _CLAUSE_END.search(self.plain, match.end())
            yield match.start(), end.start() if end else len(self.plain)

    def is_conditional(self, place: int) -> bool:
        """Tell whether a place of the text lies in a condition."""
        return any(first <= place < last for first, last in self.conditions)

    @cached_property
    def denies(self) -> bool:
        """Tell whether the statement itself, not its condition, says that something is not so."""
        return any(not self.is_conditional(match.start()) for match in _DENIAL.finditer(self.plain))

    @property
    def is_doubtful(self) -> bool:
        """Tell whether the statement leaves open what it says."""
        return _DOUBT.search(self.plain) is not None

    def pieces(self) -> Iterator[tuple[int, str]]:
        """Yield the code, the names shaped like code and the quotations of the statement, each with
        its place.
        """
        for match in _MARKED.finditer(self.text):
            if not self.is_conditional(match.start()):
                yield match.start(), match[1] or match[2]
        for match in re.finditer(r"[^\W\d]\w*", self.plain):
            if is_code_shaped(match[0]) and not self.is_conditional(match.start()):
                yield match.start(), match[0]
