"""The words of a record, with the places that they name put right for the newer commit."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from goldwright.code_blocks import rewrite_prose
from goldwright.golden.rebase.anchor_targets import AnchorTarget
from goldwright.golden.rebase.anchors import Anchors
from goldwright.golden.rebase.line_numbers import RANGE_SEPARATOR, LineNumbers
from goldwright.golden.rebase.place_names import PlaceNames, is_end_of
from goldwright.records import ExpectedEntity, FileRange, GoldenLabel

# A path with line numbers: ``shop.py:6-10``, ``shop.py#L6-L10``.
_PLACE: Final = r"(?P<path>[\w./-]*\w)(?P<mark>:|#L)(?P<place_numbers>\d+(?:-L?\d+)?)(?![\w:])"
# Line numbers in a sentence: ``lines 6 to 10``, ``Line 7, 9 and 12 of shop.py``.
_LINES: Final = (
    r"(?P<lead>\b[Ll]ines?\s+)"
    rf"(?P<numbers>\d+\b(?:(?:{RANGE_SEPARATOR}|\s*,?\s*and\s+|\s*,\s*|\s+or\s+)\d+\b)*)"
    r"(?=(?:\s+(?:of|in)\s+`?(?P<file>[\w./-]*\w))?)"
)
# Two numbers alone, ``6-10``, but no part of a version, a date, a price or a path.
_BARE_RANGE: Final = r"(?<![\w.:/$-])(?P<bare>\d+\s?[-–]\s?\d+)(?![\w/$-]|\.\d)"
# Code comes first: in it only a path with line numbers is a place.
_NUMBERED: Final = re.compile(rf"(?P<code>`[^`]*`)|{_PLACE}|{_LINES}|{_BARE_RANGE}")
_NUMBERED_PLACE: Final = re.compile(_PLACE)


class ProseRewriter:
    """The words of one record, rewritten for the newer commit.

    Attributes:
        problems: What cannot be put right; such a record goes back to people.
    """

    def __init__(
        self,
        anchors: Anchors,
        targets: Sequence[AnchorTarget],
        new_ranges: Mapping[FileRange, FileRange],
        new_paths: Mapping[str, tuple[str, ...]],
    ) -> None:
        self.problems: list[str] = []
        self._anchors = anchors
        self._new_paths = new_paths
        self._names = PlaceNames(targets, new_paths, anchors)
        self._lines = LineNumbers(targets, new_ranges)

    def reword(self, label: GoldenLabel) -> GoldenLabel:
        """Put the places in the words of a record right; its question may name none that moved."""
        # In other words it would be another question, which nobody has answered.
        for text in (label.query_text, label.focus_area or ""):
            if self._reword(text) != text:
                self.problems.append("the question names a place that has moved")
        # In this order, which is that of the problems that a person is shown.
        entities = tuple(map(self._reword_entity, label.expected_entities))
        must_mention = tuple(map(self._reword, label.must_mention_facts))
        must_not_mention = tuple(map(self._reword, label.must_not_mention_facts))
        # What is quoted stands in cited lines, whose text is compared by itself.
        narrative = rewrite_prose(label.canonical_narrative, self._reword)
        uncertainty_notes = self._reword_note(label.uncertainty_notes)
        difficulty_rationale = self._reword_note(label.difficulty_rationale)
        update = {
            "expected_entities": entities,
            "must_mention_facts": must_mention,
            "must_not_mention_facts": must_not_mention,
            "canonical_narrative": narrative,
            "uncertainty_notes": uncertainty_notes,
            "difficulty_rationale": difficulty_rationale,
        }
        return label.model_copy(update=update)

    def _reword_entity(self, entity: ExpectedEntity) -> ExpectedEntity:
        rationale = self._reword(entity.rationale)
        return entity.model_copy(update={"rationale": rationale})

    def _reword_note(self, note: str | None) -> str | None:
        if not note:
            return note
        return self._reword(note)

    def _reword(self, text: str) -> str:
        self.problems.extend(self._names.stale_names(text))
        renumbered = _NUMBERED.sub(self._renumber_match, text)
        return self._names.replace(renumbered)

    def _renumber_match(self, match: re.Match[str]) -> str:
        if match["code"]:
            return _NUMBERED_PLACE.sub(self._renumber_place, match[0])
        if match["path"]:
            return self._renumber_place(match)
        if match["bare"]:
            return self._renumber(match["bare"], None)
        # Without a file, the lines may be those of any file of the record.
        path = self._path_called(match["file"] or "")
        numbers = self._renumber(match["numbers"], path)
        return match["lead"] + numbers

    def _renumber_place(self, match: re.Match[str]) -> str:
        path = self._path_called(match["path"])
        numbers = match["place_numbers"]
        # What looks like a path may be a time or a port: without a file, it is left alone.
        if path is not None:
            numbers = self._renumber(numbers, path)
        return match["path"] + match["mark"] + numbers

    def _path_called(self, name: str) -> str | None:
        """Give the old path of the file that a name in the text means, if it means one."""
        if not name:
            return None
        matches = [path for path in self._new_paths if is_end_of(name, path)]
        if len(matches) == 1:
            return matches[0]
        if name in self._anchors.old.files:
            return name
        return None

    def _renumber(self, numbers: str, path: str | None) -> str:
        """Write line numbers of a file, or of any file of the record, for the newer commit."""
        renumbered = self._lines.renumber(numbers, path)
        # In a file that did not change, every number is still right.
        if path is None or not self._anchors.is_same_file(path):
            for lines in renumbered.unknown:
                self.problems.append(
                    f"the words name lines {lines}, which are no ends of one range that is cited"
                )
        return renumbered.text
