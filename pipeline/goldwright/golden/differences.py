"""What differs between two versions of a dataset, record by record, and why."""

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from typing import Final

from pydantic_core import to_jsonable_python

from goldwright.canonical import canonical_json
from goldwright.golden.metadata import CellCount, DatasetMetadata
from goldwright.records import (
    CarryOver,
    Edit,
    Evidence,
    ExpectedEntity,
    FactCitation,
    FileRange,
    GoldenLabel,
    Provenance,
    Record,
)

REWORDED: Final = 0.6
MOST_PAIRS: Final = 400
MOST_WORK: Final = 4_000_000

Likeness = Callable[[str, str], float] | None
Labels = Sequence[GoldenLabel]
BothMetadata = tuple[DatasetMetadata | None, DatasetMetadata | None]
_HEAD_END: Final = re.compile(r" = | at | \(|:(?=\d)")
_SENTENCES: Final = ("must_mention_facts", "must_not_mention_facts", "known_limits")
_ANCHORED: Final = (
    *(
        "expected_entities",
        "expected_files",
        "expected_line_ranges",
        "fact_citations",
        "source_evidence",
    ),
    *(
        "must_mention_facts",
        "must_not_mention_facts",
        "canonical_narrative",
        "alternatives",
        "provenance",
    ),
)
_TOLD: Final[Mapping[type, str]] = {
    str: "{0}",
    ExpectedEntity: "{0.entity_id} ({0.role})",
    FactCitation: "{0.claim_id} at {0}",
    Evidence: "{0} (step {0.read_at_step})",
    FileRange: "{0}",
    Edit: "{0.field} by {0.reviewer} at {0.reviewed_at}",
    CellCount: "{0.task_type}/{0.difficulty} = {0.count} of {0.target} wanted; in the batch {0.told_fates}",
    CarryOver: "{0.from_commit} as {0.kind}",
}
_AND: Final = (
    r"(?:\s*[-–]\s*L?|\s+(?:to|and|through|until|or)\s+|\s*,\s*(?:(?:and|or)\s+)?)(?:lines?\s+)?"
)
_LINES: Final = (
    r"(?:(?P<lead>\b[Ll]ines?\s+|(?<=[A-Za-z]):|#L)|(?<!\w))"
    rf"(?P<numbers>[0-9]{{1,9}}(?(lead)(?:{_AND}[0-9]{{1,9}})*|(?:\s*[-–]\s*[0-9]{{1,9}})?))(?!\w)"
)


@dataclass(frozen=True, slots=True)
class FieldChange:
    """What went from a field, what came, and what was worded anew; a single value is a list of one."""

    field: str
    removed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    reworded: tuple[tuple[str, str], ...] = ()
    reordered: bool = False


@dataclass(frozen=True, slots=True)
class LoneRecord:
    """A record that only one of two datasets holds."""

    label: GoldenLabel
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RecordChange:
    """What differs in a record that both datasets hold: its content, and its provenance."""

    query_id: str
    content: tuple[FieldChange, ...]
    provenance: tuple[FieldChange, ...]
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Differences:
    """Every record of two datasets in exactly one class, in the order of query ids.

    ``reanchored`` says the same at other places of a newer commit; ``restamped`` differs in
    provenance alone, as after a review; ``metadata`` is what differs beside the records.
    """

    added: tuple[LoneRecord, ...]
    removed: tuple[LoneRecord, ...]
    changed: tuple[RecordChange, ...]
    reanchored: tuple[RecordChange, ...]
    restamped: tuple[RecordChange, ...]
    unchanged: tuple[str, ...]
    metadata: tuple[FieldChange, ...]

    @property
    def summary(self) -> str:
        """How many records are in each class, in one line."""
        restamped = f"{len(self.restamped)} new in provenance alone, " if self.restamped else ""
        return (
            f"{len(self.added)} added, {len(self.removed)} removed, {len(self.changed)} changed, "
            f"{len(self.reanchored)} re-anchored, {restamped}{len(self.unchanged)} unchanged"
        )


def compare_labels(
    old: Labels, new: Labels, *, metadata: BothMetadata = (None, None)
) -> Differences:
    """Put every record of two datasets into one class; query ids are unique in each."""
    before, after = ({one.query_id: one for one in labels} for labels in (old, new))
    both = [
        (before[query_id], after[query_id]) for query_id in sorted(before.keys() & after.keys())
    ]
    differing = [
        (_class_of(one, other), _record_change(one, other)) for one, other in both if one != other
    ]
    changed, reanchored, restamped = (
        tuple(change for found, change in differing if found == name)
        for name in ("changed", "reanchored", "restamped")
    )
    beside = [one for one in metadata if one is not None]
    came = [after[query_id] for query_id in sorted(after.keys() - before.keys())]
    went = [before[query_id] for query_id in sorted(before.keys() - after.keys())]
    return Differences(
        added=tuple(LoneRecord(one, tuple(_why(None, one.provenance))) for one in came),
        removed=tuple(LoneRecord(one, tuple(_why_removed(one, came, metadata))) for one in went),
        changed=changed,
        reanchored=reanchored,
        restamped=restamped,
        unchanged=tuple(one.query_id for one, other in both if one == other),
        metadata=tuple(_changes(*beside, skipped=("dataset_sha256",))) if len(beside) == 2 else (),
    )


def differences_json(differences: Differences) -> dict[str, object]:
    """Give the differences as a JSON object: the counts, then each class in full."""
    found = asdict(differences)
    for name, lone in (("added", differences.added), ("removed", differences.removed)):
        found[name] = [
            {"record": one.label.model_dump(mode="json"), "why": list(one.why)} for one in lone
        ]
    return {"summary": differences.summary, **found}


def _class_of(old: GoldenLabel, new: GoldenLabel) -> str:
    if _steps_since(old.provenance, new.provenance) and _says_the_same(old, new):
        return "reanchored"
    return (
        "restamped" if new == old.model_copy(update={"provenance": new.provenance}) else "changed"
    )


def _record_change(old: GoldenLabel, new: GoldenLabel) -> RecordChange:
    content = tuple(_changes(old, new, skipped=("provenance",)))
    provenance = tuple(_changes(old.provenance, new.provenance))
    return RecordChange(
        old.query_id, content, provenance, tuple(_why(old.provenance, new.provenance))
    )


def _changes(old: Record, new: Record, *, skipped: Container[str] = ()) -> Iterator[FieldChange]:
    """Compare two records of one kind; each field that differs has at least one change."""
    for name in type(old).model_fields:
        before, after = getattr(old, name), getattr(new, name)
        if before != after and name not in skipped:
            yield from _field_changes(name, before, after)


def _field_changes(name: str, before: object, after: object) -> Iterator[FieldChange]:
    is_list = isinstance(before, tuple | dict | Record) or isinstance(after, tuple | dict | Record)
    likeness = (_share_words if name in _SENTENCES else _have_one_head) if is_list else None
    found = [_list_change(name, list(_items(before)), list(_items(after)), likeness)]
    if name == "expected_entities" and isinstance(before, tuple) and isinstance(after, tuple):
        found.append(
            _list_change(
                f"{name}.rationale", _rationales(before), _rationales(after), _have_one_head
            )
        )
    changes = [one for one in found if one is not None]
    yield from changes or [FieldChange(name, reworded=((_raw(before), _raw(after)),))]


def _rationales(entities: Iterable[ExpectedEntity]) -> list[str]:
    return [f"{one.entity_id} = {one.rationale}" for one in entities]


def _items(value: object, prefix: str = "") -> Iterator[str]:
    match value:
        case None:
            return
        case tuple():
            yield from map(told, value)
        case Record():
            yield from _items(value.model_dump(mode="json"))
        case dict():
            for key, one in sorted(value.items()):
                inner = f"{prefix}{key}"
                yield from (
                    _items(one, f"{inner}.")
                    if isinstance(one, dict)
                    else [f"{inner} = {told(one)}"]
                )
        case _:
            yield told(value)


def told(one: object) -> str:
    """Write a part of a record in one line."""
    return _TOLD[type(one)].format(one) if type(one) in _TOLD else _raw(one)


def _raw(value: object) -> str:
    return canonical_json(to_jsonable_python(value))


def _list_change(
    field: str, old: Sequence[str], new: Sequence[str], likeness: Likeness
) -> FieldChange | None:
    gone, come = Counter(old) - Counter(new), Counter(new) - Counter(old)
    removed, added = list(gone.elements()), list(come.elements())
    reworded = tuple(_pairs(removed, added, likeness))
    for before, after in reworded:
        removed.remove(before)
        added.remove(after)
    stays = [[one for one in items if one not in gone and one not in come] for items in (old, new)]
    change = FieldChange(field, tuple(removed), tuple(added), reworded, stays[0] != stays[1])
    return None if change == FieldChange(field) else change


def _pairs(
    removed: Sequence[str], added: Sequence[str], likeness: Likeness
) -> Iterator[tuple[str, str]]:
    """Match what went with what came, the most alike first; the other direction gives the same
    pairs.
    """
    if likeness is None or len(removed) * len(added) > MOST_PAIRS:
        yield from zip(removed, added, strict=False) if likeness is None else ()
        return
    both = [
        (i, j, min(one, two), max(one, two))
        for i, one in enumerate(removed)
        for j, two in enumerate(added)
    ]
    left, right = dict(enumerate(removed)), dict(enumerate(added))
    for unlike, _, _, i, j in sorted(
        (-likeness(one, two), one, two, i, j) for i, j, one, two in both
    ):
        if -unlike >= REWORDED and i in left and j in right:
            yield left.pop(i), right.pop(j)


def _have_one_head(one: str, other: str) -> float:
    return float(_HEAD_END.split(one)[0] == _HEAD_END.split(other)[0])


def _share_words(one: str, other: str) -> float:
    first, second = one.split(), other.split()
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    return matcher.ratio() if len(first) * len(second) <= MOST_WORK else 0.0


def _says_the_same(old: GoldenLabel, new: GoldenLabel) -> bool:
    """Tell whether a carried record differs in paths and line numbers alone, in its prose too."""
    if new.model_copy(update={name: getattr(old, name) for name in _ANCHORED}) != old or _shape(
        old
    ) != _shape(new):
        return False
    ranges = tuple(zip(_ranges(old), _ranges(new), strict=True))
    moves: dict[str, set[str]] = {
        path: {path} & {*new.expected_files} for path in old.expected_files
    }
    for before, after in (
        *zip(old.entity_ids, new.entity_ids, strict=True),
        *((a.file, b.file) for a, b in ranges),
    ):
        moves.setdefault(before, set()).add(after)
        moves.setdefault(before.partition("::")[0], set()).add(after.partition("::")[0])
    files, shifts = {*new.expected_files}, {after.start - before.start for before, after in ranges}
    return (
        files <= {place for path in old.expected_files for place in moves[path]}
        and all(moves[path] & files for path in old.expected_files)
        and _names_of_alternatives(new) <= _names_of_alternatives(old)
        and all(
            _follows(*texts, moves, shifts) for texts in zip(_prose(old), _prose(new), strict=True)
        )
    )


def _shape(label: GoldenLabel) -> object:
    """What a record keeps wherever its code goes: roles, simple names, what is cited for what, and
    how many lines.
    """
    entities = [(one.role, _simple_name(one.entity_id)) for one in label.expected_entities]
    purposes = [one.model_dump(exclude={"file", "start", "end"}) for one in _ranges(label)]
    lengths = [(type(one), one.end - one.start) for one in _ranges(label)]
    return (
        entities,
        purposes,
        lengths,
        len(label.must_mention_facts),
        len(label.must_not_mention_facts),
    )


def _simple_name(entity_id: str) -> str:
    return entity_id.rpartition("::")[2].rpartition(".")[2]


def _names_of_alternatives(label: GoldenLabel) -> set[tuple[str, str]]:
    return {
        (_simple_name(one), _simple_name(other))
        for one, others in label.alternatives.items()
        for other in others
    }


def _ranges(label: GoldenLabel) -> tuple[FileRange, ...]:
    return (*label.expected_line_ranges, *label.fact_citations, *label.source_evidence)


def _prose(label: GoldenLabel) -> tuple[str, ...]:
    rationales = (one.rationale for one in label.expected_entities)
    return (
        *label.must_mention_facts,
        *label.must_not_mention_facts,
        *rationales,
        label.canonical_narrative,
    )


def _follows(before: str, after: str, moves: Mapping[str, set[str]], shifts: set[int]) -> bool:
    """Tell whether a text is another one with its paths and lines put right, and no other word
    changed.
    """
    words = sorted(
        {*moves, *(place for places in moves.values() for place in places)}, key=len, reverse=True
    )
    names = f"(?<![\\w./-])(?:{'|'.join(map(re.escape, words))})(?![\\w/])|" if words else ""
    pattern = re.compile(names + _LINES)
    if pattern.sub("\0", before) != pattern.sub("\0", after):
        return False
    pairs = zip(pattern.finditer(before), pattern.finditer(after), strict=True)
    return all(
        one[0] == two[0] or two[0] in moves.get(one[0], ()) or _shifted(one, two, shifts)
        for one, two in pairs
    )


def _shifted(one: re.Match[str], two: re.Match[str], shifts: set[int]) -> bool:
    if (
        not one["numbers"]
        or not two["numbers"]
        or re.sub("[0-9]+", "", one[0]) != re.sub("[0-9]+", "", two[0])
    ):
        return False
    first, second = (map(int, re.findall("[0-9]+", match["numbers"])) for match in (one, two))
    by = {after - before for before, after in zip(first, second, strict=True)}
    if one["lead"]:
        return len(by) == 1 or re.search(",|and|or", one["numbers"]) is not None
    return len(by) == 1 and by <= shifts and re.search("[-–]", one["numbers"]) is not None


def _steps_since(old: Provenance, new: Provenance) -> tuple[CarryOver, ...]:
    known = len(old.carried)
    return new.carried[known:] if new.carried[:known] == old.carried else ()


def _why(old: Provenance | None, new: Provenance) -> Iterator[str]:
    if old is None or (old.query_author, old.oracle) != (new.query_author, new.oracle):
        yield f"written by {new.query_author}, answered by {new.oracle}"
    for edit in new.edits:
        if old is None or edit not in old.edits:
            yield f"{edit.reviewer} edited {edit.field} at {edit.reviewed_at}"
    for step in new.carried if old is None else _steps_since(old, new):
        yield f"carried over from commit {step.from_commit} as {step.kind}"
    if new.verdict and (old is None or _review(old) != _review(new)):
        yield _review(new)


def _review(provenance: Provenance) -> str:
    people = filter(
        None, (provenance.human_reviewer, provenance.second_reviewer, provenance.adjudicator)
    )
    return f"reviewed by {', '.join(people) or 'nobody named'}: {provenance.verdict}"


def _why_removed(label: GoldenLabel, came: Labels, metadata: BothMetadata) -> Iterator[str]:
    yield from (
        f"its query stands in {one.query_id} now"
        for one in came
        if one.query_text == label.query_text
    )
    old, new = metadata
    if old and new and old.repo_commit != new.repo_commit:
        yield "the codebase moved to another commit in between"
    if old and new and new.rebased and new.rebased.dataset_sha256 == old.dataset_sha256:
        yield from (
            "the code of it was edited" for one in new.rebased.edited if one == label.query_id
        )
        yield from ("an entity of it is gone" for one in new.rebased.gone if one == label.query_id)
