"""Where code of one commit stands at another, told by its text and by nothing else."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from itertools import takewhile
from pathlib import PurePosixPath
from typing import Final

from goldwright.records import FileRange
from goldwright.snapshot import Entity, Snapshot, Span
from goldwright.snapshot.entity_bodies import body_text

# Below this share of common lines a file that came is another file than the one that went; git's
# own figure.
SAME_FILE: Final = 0.5
SIMILAR_BODY: Final = 0.6
# Code this short is written again and again, so that finding it in another class says nothing.
FEWEST_TELLING_LINES: Final = 4
MOST_CONTEXT_LINES: Final = 20
# Lines that stand several times are told by what is around them; less than this may be blank lines
# and brackets.
FEWEST_CONTEXT_LINES: Final = 4


@dataclass(frozen=True, slots=True)
class LostAnchor:
    """Why a piece of code has no place at the new commit; ``is_gone`` when neither its id nor its
    text is there.
    """

    reason: str
    hints: tuple[str, ...] = ()
    is_gone: bool = False


@dataclass(frozen=True, slots=True)
class AnchorTarget:
    """An entity and the one at the new commit that has the same body."""

    old: Entity
    new: Entity

    @property
    def is_in_place(self) -> bool:
        """Tell whether id and lines are what they were."""
        return self.old.entity_id == self.new.entity_id and self.old.spans == self.new.spans

    def carry(self, cited: FileRange) -> FileRange | None:
        """Move a range that lies in one of the spans along with it; None for a range that does not."""
        for old, new in zip(self.old.spans, self.new.spans, strict=True):
            if cited.file == self.old.path and old.first <= cited.start and cited.end <= old.last:
                shift = new.first - old.first
                return FileRange(
                    file=self.new.path, start=cited.start + shift, end=cited.end + shift
                )
        return None


class Anchors:
    """Two commits of one codebase, and the way from the old one to the new one."""

    def __init__(self, old: Snapshot, new: Snapshot) -> None:
        """Compare nothing yet; each question reads what it needs."""
        self.old = old
        self.new = new
        self._renamed: dict[str, str | None] = {}
        self._bodies: dict[tuple[bool, str], str] = {}

    def file(self, path: str) -> str | None:
        """Give the path that a file has now; None when it is gone.

        A file that is gone was renamed when one that came has the same content, or shares more of
        its lines with it than any other does and at least half of all.
        """
        if self.new.has_text(path):
            return path
        if path not in self._renamed:
            self._renamed[path] = self._new_name(path) if self.old.has_text(path) else None
        return self._renamed[path]

    def entity(self, entity_id: str) -> AnchorTarget | LostAnchor:
        """Find the entity that has this id, with its file if that was renamed, or else this body."""
        old = self.old.entity(entity_id)
        if old is None:
            return LostAnchor(f"{entity_id} is no entity of {self.old.commit[:12]}")
        same = self.new.entity(f"{self.file(old.path)}::{old.name}")
        if same is None:
            return self._elsewhere(old)
        if self._has_body(same, old):
            return AnchorTarget(old, same)
        return LostAnchor(f"the code of {entity_id} has changed", self._hints(old, same))

    def range(self, cited: FileRange, along: Iterable[AnchorTarget]) -> FileRange | LostAnchor:
        """Find the place of a range: with the smallest entity around it that kept its body, else by
        its text.

        Args:
            cited: Lines of the old commit.
            along: Entities whose place is known.
        """
        if not self.old.has_text(
            cited.file
        ) or not 1 <= cited.start <= cited.end <= self.old.line_count(cited.file):
            return LostAnchor(f"{cited} stands for no lines of {self.old.commit[:12]}")
        carried = _carried(along, cited)
        if carried is None and self.file(cited.file) is None:
            return LostAnchor(f"{cited}: the file is gone")
        around = self._smallest_around(cited)
        holder = self.entity(around.entity_id) if around is not None else None
        if carried is None and isinstance(holder, AnchorTarget):
            carried = _carried([holder], cited)
        return (
            carried
            or _carried(self._unchanged_around(cited), cited)
            or self._by_text(cited, around)
        )

    def is_same_file(self, path: str) -> bool:
        """Tell whether a file stands under its name with the content it had."""
        old, new = self.old.files.get(path), self.new.files.get(path)
        return old is not None and new is not None and old.oid == new.oid

    def _unchanged_around(self, cited: FileRange) -> Iterator[AnchorTarget]:
        path = self.file(cited.file)
        for old in self.old.entities_in(cited.file):
            if any(span.first <= cited.start and cited.end <= span.last for span in old.spans):
                new = self.new.entity(f"{path}::{old.name}")
                if new is not None and self._has_body(new, old):
                    yield AnchorTarget(old, new)

    def _by_text(self, cited: FileRange, around: Entity | None) -> FileRange | LostAnchor:
        path = self.file(cited.file) or cited.file
        before, after = self.old.source(cited.file).lines, self.new.source(path).lines
        first, end = cited.start - 1, cited.end
        now = self.new.entity(f"{path}::{around.name}") if around is not None else None
        if around is not None and now is None:
            return LostAnchor(f"{cited}: {around.entity_id}, in which the lines stood, is gone")
        stood = _within(
            _places(before[first:end], before), end - first, around.spans if around else None
        )
        places = _within(_places(before[first:end], after), end - first, now.spans if now else None)
        is_the_one = len(stood) == len(places) == 1
        best = places if is_the_one else _best_surrounded(before, first, end, after, places)
        if len(best) > 1 and path == cited.file and first in best:
            best = [first]
        if len(best) == 1:
            return FileRange(file=path, start=best[0] + 1, end=best[0] + end - first)
        return LostAnchor(f"the lines of {cited} stand {len(places) or 'no'} times in {path}")

    def _smallest_around(self, cited: FileRange) -> Entity | None:
        around = [
            (span.last - span.first, one.name, one)
            for one in self.old.entities_in(cited.file)
            for span in one.spans
            if span.first <= cited.start and cited.end <= span.last
        ]
        return min(around, key=lambda found: found[:2])[2] if around else None

    def _elsewhere(self, old: Entity) -> AnchorTarget | LostAnchor:
        same = [one for one in self.new.named(old.simple_name) if self._has_body(one, old)]
        stood = [one.entity_id for one in same if self._stood_before(one)]
        moved = [one for one in same if one.entity_id not in stood]
        if len(moved) > 1:
            places = tuple(f"the same code: {one.entity_id}" for one in moved)
            return LostAnchor(f"{old.entity_id}: {len(moved)} places hold the same code", places)
        if moved and (moved[0].name == old.name or self._is_telling(old)):
            return AnchorTarget(old, moved[0])
        if same:
            reason = (
                "other code like it stood there already"
                if stood
                else "so short a body may be another's"
            )
            hints = tuple(f"the same code: {one.entity_id}" for one in same)
            return LostAnchor(f"{old.entity_id} is gone; {reason}", hints)
        return self._vanished(old)

    def _stood_before(self, new: Entity) -> bool:
        """Tell whether an entity was there at the old commit already, if under the old name of its
        file.
        """
        return any(
            one.name == new.name and self.file(one.path) == new.path and self._has_body(new, one)
            for one in self.old.named(new.simple_name)
        )

    def _is_telling(self, old: Entity) -> bool:
        return sum(span.last - span.first + 1 for span in old.spans) >= FEWEST_TELLING_LINES

    def _vanished(self, old: Entity) -> LostAnchor:
        renamed = [one for one in self._fresh if self._same_but_for_the_name(one, old)]
        if renamed:
            hints = tuple(f"the same code under another name: {one.entity_id}" for one in renamed)
            return LostAnchor(f"{old.entity_id} has another name", hints)
        return LostAnchor(f"{old.entity_id} is gone", self._hints(old, None), is_gone=True)

    def _hints(self, old: Entity, same: Entity | None) -> tuple[str, ...]:
        """Say where the body now stands, or else what is most like it."""
        named = self.new.named(old.simple_name)
        now = [one for one in named if self._has_body(one, old) and not self._stood_before(one)]
        if now:
            return tuple(f"the same code: {_place_of(one)}" for one in now)
        path = self.file(old.path) or old.path
        near = [one for one in self._fresh if one.path == path and one.kind == old.kind]
        candidates = {one.entity_id: one for one in (*([same] if same else []), *named, *near)}
        ratios = [(self._likeness(old, one), one) for one in candidates.values()]
        ratio, most = max(ratios, key=lambda pair: (pair[0], pair[1].entity_id), default=(0.0, old))
        return (f"{int(100 * ratio)} % alike: {_place_of(most)}",) if ratio >= SIMILAR_BODY else ()

    def _likeness(self, old: Entity, new: Entity) -> float:
        before, after = (
            self._body(old, is_new=False).split("\n"),
            self._body(new, is_new=True).split("\n"),
        )
        matcher = SequenceMatcher(None, before, after, autojunk=False)
        return matcher.ratio() if matcher.real_quick_ratio() >= SIMILAR_BODY else 0.0

    @cached_property
    def _fresh(self) -> tuple[Entity, ...]:
        return tuple(one for one in self.new.entities() if self.old.entity(one.entity_id) is None)

    def _same_but_for_the_name(self, new: Entity, old: Entity) -> bool:
        if new.kind != old.kind or new.kind == "variable" or not _is_as_long(new, old):
            return False
        return _nameless(self._body(new, is_new=True), new) == _nameless(
            self._body(old, is_new=False), old
        )

    def _has_body(self, new: Entity, old: Entity) -> bool:
        return _is_as_long(new, old) and self._body(new, is_new=True) == self._body(
            old, is_new=False
        )

    def _body(self, entity: Entity, *, is_new: bool) -> str:
        key = (is_new, entity.entity_id)
        if key not in self._bodies:
            self._bodies[key] = body_text(self.new if is_new else self.old, entity)
        return self._bodies[key]

    def _new_name(self, path: str) -> str | None:
        came = [
            one for one in self.new.files if one not in self.old.files and self.new.has_text(one)
        ]
        same = [one for one in came if self.new.files[one].oid == self.old.files[path].oid]
        if same:
            return _only(same, path)
        suffix, lines = PurePosixPath(path).suffix, Counter(self.old.source(path).lines)
        alike = [
            (_overlap(lines, Counter(self.new.source(one).lines)), one)
            for one in came
            if one.endswith(suffix)
        ]
        most = max((ratio for ratio, _ in alike), default=0.0)
        return (
            _only([one for ratio, one in alike if ratio == most], path)
            if most >= SAME_FILE
            else None
        )


def _carried(along: Iterable[AnchorTarget], cited: FileRange) -> FileRange | None:
    places = (
        (sum(span.last - span.first for span in one.old.spans), one.carry(cited)) for one in along
    )
    return next(
        (place for _, place in sorted(places, key=lambda pair: pair[0]) if place is not None), None
    )


def _only(paths: Sequence[str], path: str) -> str | None:
    """Give the one path of several, or the one of them that kept the name of the file."""
    kept = [one for one in paths if PurePosixPath(one).name == PurePosixPath(path).name]
    for choice in (paths, kept):
        if len(choice) == 1:
            return choice[0]
    return None


def _overlap(before: Counter[str], after: Counter[str]) -> float:
    total = before.total() + after.total()
    return 2 * (before & after).total() / total if total else 0.0


def _places(wanted: Sequence[str], lines: Sequence[str]) -> list[int]:
    last = len(lines) - len(wanted)
    return [
        at
        for at in range(last + 1)
        if lines[at] == wanted[0] and lines[at : at + len(wanted)] == wanted
    ]


def _within(places: Sequence[int], length: int, spans: Sequence[Span] | None) -> list[int]:
    """Keep the places that lie whole in a span; all of them where there are no spans to lie in."""
    return [
        place
        for place in places
        if spans is None
        or any(span.first <= place + 1 and place + length <= span.last for span in spans)
    ]


def _best_surrounded(
    before: Sequence[str], first: int, end: int, after: Sequence[str], places: Sequence[int]
) -> list[int]:
    """Keep the places around which most lines are what they were, up to twenty each way."""
    above = before[max(0, first - MOST_CONTEXT_LINES) : first][::-1]
    below = before[end : end + MOST_CONTEXT_LINES]
    scores = {
        place: _shared(above, after[:place][::-1]) + _shared(below, after[place + end - first :])
        for place in places
    }
    best = max([FEWEST_CONTEXT_LINES, *scores.values()])
    return [place for place in places if scores[place] == best]


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _is_as_long(new: Entity, old: Entity) -> bool:
    return [span.last - span.first for span in new.spans] == [
        span.last - span.first for span in old.spans
    ]


def _nameless(body: str, entity: Entity) -> str:
    return re.sub(rf"\b{re.escape(entity.simple_name)}\b", "@", body)


def _place_of(entity: Entity) -> str:
    lines = " and ".join(f"{span.first}-{span.last}" for span in entity.spans)
    return f"{entity.entity_id} (lines {lines})"
