"""Carrying a dataset to a newer commit: what stands keeps its blessing, what has changed goes back
to people.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, TypeVar

from goldwright.golden.anchors import Anchors, AnchorTarget, LostAnchor
from goldwright.records import CarryOver, FileRange, GoldenLabel
from goldwright.records.label import CarriedAs
from goldwright.snapshot import Snapshot
from goldwright.stages.gate import run_gate

RebasedKind = Literal["unchanged", "moved", "edited", "gone"]
Ranged = TypeVar("Ranged", bound=FileRange)

_TO: Final = r"\s*(?:-|–|to|through|until)\s*(?:lines?\s+)?"
_PLACE: Final = r"(?P<path>[\w./-]*\w)(?P<mark>:|#L)(?P<at>\d+(?:-L?\d+)?)(?![\w:])"
_LINES: Final = (
    rf"(?P<word>\b[Ll]ines?\s+)(?P<numbers>\d+\b(?:(?:{_TO}|\s*,?\s*and\s+|\s*,\s*|\s+or\s+)\d+\b)*)"
    r"(?=(?:\s+(?:of|in)\s+`?(?P<file>[\w./-]*\w))?)"
)
_BARE: Final = r"(?<![\w.:/$-])(?P<bare>\d+\s?[-–]\s?\d+)(?![\w/$-]|\.\d)"
_NUMBERED: Final = re.compile(rf"(?P<code>`[^`]*`)|{_PLACE}|{_LINES}|{_BARE}")
_IN_CODE: Final = re.compile(_PLACE)
_NUMBERS: Final = re.compile(rf"(?P<first>\d+)(?P<to>{_TO}|-L)(?P<last>\d+)|(?P<one>\d+)")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+")
_OF_CALLERS: Final = re.compile(
    r"\b(?:callers?|call sites?|places|repository|codebase)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class RebasedRecord:
    """What became of one record at the newer commit.

    ``label`` is the record as it stands there; there is none where it was edited or is gone, and
    then ``reasons`` say why and ``hints`` where to look. A record that was carried has hints where
    its words speak of callers and their number has changed.
    """

    query_id: str
    kind: RebasedKind
    reasons: tuple[str, ...]
    label: GoldenLabel | None
    hints: tuple[str, ...]


def rebase_labels(
    labels: Sequence[GoldenLabel], old: Snapshot, new: Snapshot
) -> tuple[RebasedRecord, ...]:
    """Tell of every record, in their order, whether it holds at a newer commit, and anchor it there
    if it does.

    A record holds when the code of all its entities is the same text and all lines that it cites
    are found again; it is ``unchanged`` when they are where they were, and else ``moved``.

    Args:
        labels: The records of a dataset.
        old: The commit that they were made from.
        new: The commit to carry them to.
    """
    anchors = Anchors(old, new)
    return tuple(_rebased(one, anchors) for one in labels)


def _rebased(label: GoldenLabel, anchors: Anchors) -> RebasedRecord:
    entities = {identifier: anchors.entity(identifier) for identifier in label.entity_ids}
    lost = [one for one in entities.values() if isinstance(one, LostAnchor)]
    if lost:
        kind: RebasedKind = "gone" if any(one.is_gone for one in lost) else "edited"
        return _returned(
            label, kind, [one.reason for one in lost], [hint for one in lost for hint in one.hints]
        )
    found = {
        identifier: one for identifier, one in entities.items() if isinstance(one, AnchorTarget)
    }
    ranges = {cited: anchors.range(cited, found.values()) for cited in _ranges(label)}
    missing = [one for one in ranges.values() if isinstance(one, LostAnchor)]
    if missing:
        return _returned(label, "edited", dict.fromkeys(one.reason for one in missing))
    places = {cited: place for cited, place in ranges.items() if isinstance(place, FileRange)}
    return _Move(label, anchors, found, places).made()


def _returned(
    label: GoldenLabel, kind: RebasedKind, reasons: Iterable[str], hints: Iterable[str] = ()
) -> RebasedRecord:
    return RebasedRecord(
        label.query_id, kind, tuple(dict.fromkeys(reasons)), None, tuple(dict.fromkeys(hints))
    )


def _ranges(label: GoldenLabel) -> Iterator[FileRange]:
    cited = (*label.expected_line_ranges, *label.fact_citations, *label.source_evidence)
    yield from dict.fromkeys(_plain(one) for one in cited)


def _plain(cited: FileRange) -> FileRange:
    return FileRange(file=cited.file, start=cited.start, end=cited.end)


@dataclass(frozen=True)
class _Move:
    """A record whose entities and ranges all have a place at the newer commit."""

    label: GoldenLabel
    anchors: Anchors
    found: Mapping[str, AnchorTarget]
    places: Mapping[FileRange, FileRange]

    def made(self) -> RebasedRecord:
        """Re-anchor the record, and put it through the gate."""
        gone = [path for path, now in self._files.items() if not now]
        if gone:
            return _returned(self.label, "edited", (f"{path} is gone" for path in gone))
        placed = self._placed()
        if placed == self.label and all(one.is_in_place for one in self.found.values()):
            return self._checked(placed, "unchanged")
        prose = _Prose(self.anchors, tuple(self.found.values()), self.places, self._files)
        restated = prose.restated(placed)
        if prose.problems:
            return _returned(self.label, "edited", prose.problems)
        return self._checked(restated, "moved")

    @cached_property
    def _files(self) -> Mapping[str, tuple[str, ...]]:
        """Tell for every file of the record where what the record says of it stands now."""
        now: dict[str, dict[str, None]] = {}
        for found in self.found.values():
            now.setdefault(found.old.path, {})[found.new.path] = None
        for cited, place in self.places.items():
            now.setdefault(cited.file, {})[place.file] = None
        for path in self.label.expected_files:
            if path not in now:
                there = self.anchors.file(path)
                now[path] = {there: None} if there else {}
        return {path: tuple(there) for path, there in now.items()}

    def _placed(self) -> GoldenLabel:
        files = [there for path in self.label.expected_files for there in self._files[path]]
        return self.label.model_copy(
            update={
                "expected_entities": tuple(
                    one.model_copy(update={"entity_id": self.found[one.entity_id].new.entity_id})
                    for one in self.label.expected_entities
                ),
                "expected_files": tuple(dict.fromkeys(files)),
                "expected_line_ranges": self._replaced(self.label.expected_line_ranges),
                "fact_citations": self._replaced(self.label.fact_citations),
                "source_evidence": self._replaced(self.label.source_evidence),
            }
        )

    def _replaced(self, ranges: Iterable[Ranged]) -> tuple[Ranged, ...]:
        return tuple(one.model_copy(update=dict(self.places[_plain(one)])) for one in ranges)

    def _checked(self, label: GoldenLabel, kind: CarriedAs) -> RebasedRecord:
        failures = run_gate(label, self.anchors.new)
        if failures:
            reasons = (f"the gate: {one.check}: {one.claim}: {one.message}" for one in failures)
            return _returned(self.label, "edited", reasons)
        once_more = CarryOver(from_commit=self.anchors.old.commit, kind=kind)
        provenance = label.provenance.model_copy(
            update={"carried": (*label.provenance.carried, once_more)}
        )
        update = {"provenance": provenance, "alternatives": self._alternatives()}
        return RebasedRecord(
            label.query_id, kind, (), label.model_copy(update=update), tuple(self._stale_counts())
        )

    def _stale_counts(self) -> Iterator[str]:
        """Tell where words speak of callers that have become more or fewer: no line of the record
        shows it.
        """
        texts = (
            self.label.canonical_narrative,
            *self.label.must_mention_facts,
            *self.label.must_not_mention_facts,
        )
        spoken = " ".join(
            one for text in texts for one in _SENTENCE_END.split(text) if _OF_CALLERS.search(one)
        )
        for identifier, one in self.found.items():
            if re.search(rf"\b{re.escape(one.old.simple_name)}\b", spoken):
                before = len(self.anchors.old.graph.callers(identifier))
                now = len(self.anchors.new.graph.callers(one.new.entity_id))
                if before != now:
                    yield f"the words speak of the callers of {identifier}: direct calls were {before} and are {now}"

    def _alternatives(self) -> dict[str, tuple[str, ...]]:
        """Let alternatives follow; what is no longer there, or no longer the same code, is none any
        more.
        """
        kept: dict[str, tuple[str, ...]] = {}
        for identifier, others in self.label.alternatives.items():
            one = self.anchors.entity(identifier)
            there = (self.anchors.entity(other) for other in others)
            now = tuple(
                dict.fromkeys(
                    other.new.entity_id for other in there if isinstance(other, AnchorTarget)
                )
            )
            if isinstance(one, AnchorTarget) and now:
                kept[one.new.entity_id] = now
        return kept


class _Prose:
    """What a record says in words about places that have moved; what cannot be restated is a
    problem.
    """

    def __init__(
        self,
        anchors: Anchors,
        found: Sequence[AnchorTarget],
        places: Mapping[FileRange, FileRange],
        files: Mapping[str, tuple[str, ...]],
    ) -> None:
        self.problems: list[str] = []
        self._anchors = anchors
        self._files = files
        self._names = _new_names(found, files, anchors)
        self._named = _any_of(self._names)
        self._pairs = {
            (old.file, old.start, old.end): (new.start, new.end) for old, new in places.items()
        }
        for one in found:
            for old, new in zip(one.old.spans, one.new.spans, strict=True):
                self._pairs[one.old.path, old.first, old.last] = (new.first, new.last)

    def restated(self, label: GoldenLabel) -> GoldenLabel:
        """Write the places in the words of a record anew; in its question, they may not stand."""
        for text in (label.query_text, label.focus_area or ""):
            if self._text(text) != text:
                self.problems.append("the question names a place that has moved")
        return label.model_copy(
            update={
                "expected_entities": tuple(
                    one.model_copy(update={"rationale": self._text(one.rationale)})
                    for one in label.expected_entities
                ),
                "must_mention_facts": tuple(map(self._text, label.must_mention_facts)),
                "must_not_mention_facts": tuple(map(self._text, label.must_not_mention_facts)),
                "canonical_narrative": self._text(label.canonical_narrative),
                "uncertainty_notes": label.uncertainty_notes
                and self._text(label.uncertainty_notes),
                "difficulty_rationale": label.difficulty_rationale
                and self._text(label.difficulty_rationale),
            }
        )

    def _text(self, text: str) -> str:
        self._note_stale_names(text)
        numbered = _NUMBERED.sub(self._numbers, text)
        return (
            self._named.sub(lambda match: self._names[match[0]], numbered)
            if self._names
            else numbered
        )

    def _note_stale_names(self, text: str) -> None:
        """Note the short names of files that are called otherwise now, and names of files that came
        apart.
        """
        for old, now in self._files.items():
            name = old.rpartition("/")[2]
            for match in re.finditer(
                rf"(?<![\w./-])(?:[\w.-]+/)*{re.escape(name)}(?![\w-]|\.\w)", text
            ):
                word = match[0]
                if word == old and len(now) > 1:
                    self.problems.append(
                        f"the words name {old}, of which the parts stand in {' and '.join(now)}"
                    )
                elif (
                    word != old
                    and f"/{old}".endswith(f"/{word}")
                    and not all(f"/{one}".endswith(f"/{word}") for one in now)
                ):
                    self.problems.append(f"the words name {word}, which is {now[0]} now")

    def _numbers(self, match: re.Match[str]) -> str:
        if match["code"]:
            return _IN_CODE.sub(self._place, match[0])
        if match["path"]:
            return self._place(match)
        if match["bare"]:
            return self._renumbered(match["bare"], None)
        return match["word"] + self._renumbered(
            match["numbers"], self._file_called(match["file"] or "")
        )

    def _place(self, match: re.Match[str]) -> str:
        file = self._file_called(match["path"])
        at = self._renumbered(match["at"], file) if file else match["at"]
        return f"{match['path']}{match['mark']}{at}"

    def _file_called(self, name: str) -> str | None:
        known = [path for path in self._files if f"/{path}".endswith(f"/{name}")] if name else []
        if len(known) == 1:
            return known[0]
        return name if name in self._anchors.old.files else None

    def _renumbered(self, numbers: str, file: str | None) -> str:
        def renumber(match: re.Match[str]) -> str:
            if match["one"]:
                lines = self._line(int(match["one"]), file)
                return str(lines) if lines else self._lost(match[0], file)
            first, last = int(match["first"]), int(match["last"])
            pairs = {
                new
                for (path, *old), new in self._pairs.items()
                if old == [first, last] and file in (None, path)
            }
            start, end = (
                pairs.pop()
                if len(pairs) == 1
                else (self._line(first, file), self._line(last, file))
            )
            return f"{start}{match['to']}{end}" if start and end else self._lost(match[0], file)

        return _NUMBERS.sub(renumber, numbers)

    def _line(self, number: int, file: str | None) -> int | None:
        ends = {
            now
            for (path, *old), new in self._pairs.items()
            for was, now in zip(old, new, strict=True)
            if was == number and file in (None, path)
        }
        return ends.pop() if len(ends) == 1 else None

    def _lost(self, written: str, file: str | None) -> str:
        if file is None or not self._anchors.is_same_file(file):
            self.problems.append(
                f"the words name lines {written}, which are no ends of one range that is cited"
            )
        return written


def _new_names(
    found: Iterable[AnchorTarget], files: Mapping[str, tuple[str, ...]], anchors: Anchors
) -> dict[str, str]:
    """Map what words may call an entity or a file to what it is called now.

    A name without a dot is left alone: it names the entity wherever that stands.
    """
    names = {old: now[0] for old, now in files.items() if now != (old,) and len(now) == 1}
    # The other entities of a file that is gone went with it; those of a file that is there did not.
    names.update({f"{old}::": f"{now}::" for old, now in names.items() if anchors.file(old) == now})
    for one in found:
        names[one.old.entity_id] = one.new.entity_id
        if "." in one.old.name:
            names[one.old.name] = one.new.name
    return {old: now for old, now in names.items() if old != now}


def _any_of(names: Iterable[str]) -> re.Pattern[str]:
    """Match any of these names as whole words, the longest first; nothing where there are none."""
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    endings = {name: "" if name.endswith("::") else r"(?![\w-]|\.\w|::)" for name in longest_first}
    return re.compile(
        r"(?<![\w./:-])(?:" + "|".join(re.escape(name) + endings[name] for name in endings) + ")"
    )
