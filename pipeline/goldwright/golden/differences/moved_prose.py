"""Whether the words of a record differ in nothing but the places that they name."""

import re
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import Final

_AND: Final = (
    r"(?:\s*[-–]\s*L?|\s+(?:to|and|through|until|or)\s+|\s*,\s*(?:(?:and|or)\s+)?)(?:lines?\s+)?"
)
# Line numbers after "lines", a colon or "#L", as many as there are; without such a lead, one number
# or one range.
_LINES: Final = (
    r"(?:(?P<lead>\b[Ll]ines?\s+|(?<=[A-Za-z]):|#L)|(?<!\w))"
    rf"(?P<numbers>[0-9]{{1,9}}(?(lead)(?:{_AND}[0-9]{{1,9}})*|(?:\s*[-–]\s*[0-9]{{1,9}})?))(?!\w)"
)
_NUMBER: Final = re.compile("[0-9]+")
_LIST: Final = re.compile(",|and|or")
_DASH: Final = re.compile("[-–]")


class ProseComparison:
    """Compares texts of a record from before and after its code moved."""

    def __init__(self, moves: Mapping[str, set[str]], line_shifts: AbstractSet[int]) -> None:
        """Take where the code went.

        Args:
            moves: Where each path and entity id is now, by the old one.
            line_shifts: By how many lines the ranges of the record moved.
        """
        self._moves = moves
        self._line_shifts = line_shifts
        self._places = _place_pattern(moves)

    def is_only_moved(self, old_text: str, new_text: str) -> bool:
        """Return whether a text is the old one with its paths and lines put right."""
        old_frame = self._places.sub("\0", old_text)
        new_frame = self._places.sub("\0", new_text)
        if old_frame != new_frame:
            return False
        old_places = list(self._places.finditer(old_text))
        new_places = list(self._places.finditer(new_text))
        # Equal frames hold equally many places, unless a text holds NUL itself.
        if len(old_places) != len(new_places):
            return False
        return all(map(self._is_moved_place, old_places, new_places))

    def _is_moved_place(self, old: re.Match[str], new: re.Match[str]) -> bool:
        if new[0] == old[0]:
            return True
        if new[0] in self._moves.get(old[0], ()):
            return True
        return self._are_moved_lines(old, new)

    def _are_moved_lines(self, old: re.Match[str], new: re.Match[str]) -> bool:
        if not old["numbers"] or not new["numbers"]:
            return False
        if _NUMBER.sub("", old[0]) != _NUMBER.sub("", new[0]):
            return False
        differences = _differences(old["numbers"], new["numbers"])
        shifts = set(differences)
        is_one_shift = len(shifts) == 1
        if old["lead"]:
            # The lines of a list may have moved apart.
            return is_one_shift or _LIST.search(old["numbers"]) is not None
        # Numbers without a lead may count anything: only a range that moved as the code did is
        # taken for lines.
        is_range = _DASH.search(old["numbers"]) is not None
        return is_one_shift and is_range and shifts <= self._line_shifts


def _place_pattern(moves: Mapping[str, set[str]]) -> re.Pattern[str]:
    """Match the paths and ids, old and new, and line numbers."""
    names = set(moves)
    for places in moves.values():
        names |= places
    if not names:
        return re.compile(_LINES)
    # A longer name before one that it begins with.
    longest_first = sorted(names, key=len, reverse=True)
    any_name = "|".join(map(re.escape, longest_first))
    return re.compile(rf"(?<![\w./-])(?:{any_name})(?![\w/])|{_LINES}")


def _differences(old_numbers: str, new_numbers: str) -> Iterable[int]:
    old_lines = map(int, _NUMBER.findall(old_numbers))
    new_lines = map(int, _NUMBER.findall(new_numbers))
    for old_line, new_line in zip(old_lines, new_lines, strict=True):
        yield new_line - old_line
