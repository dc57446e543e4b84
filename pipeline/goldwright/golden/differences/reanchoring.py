"""Whether a record says the same as before about code that is at other places now."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from goldwright.golden.differences.moved_prose import ProseComparison
from goldwright.golden.labels import cited_ranges
from goldwright.records import CarryOver, GoldenLabel, Provenance

# The fields that a rebase rewrites. All others have to be equal in a record that only moved.
_ANCHORED_FIELDS: Final = (
    "expected_entities",
    "expected_files",
    "expected_line_ranges",
    "fact_citations",
    "source_evidence",
    "must_mention_facts",
    "must_not_mention_facts",
    "canonical_narrative",
    "alternatives",
    "cited_text",
    "provenance",
)


def carry_overs_since(old: Provenance, new: Provenance) -> tuple[CarryOver, ...]:
    """Give the rebases that a record went through since its older provenance."""
    count = len(old.carried)
    if new.carried[:count] != old.carried:
        return ()
    return new.carried[count:]


def is_in_place(old: GoldenLabel, new: GoldenLabel) -> bool:
    """Return whether rebases found a record unchanged each time, and nothing else changed it."""
    carry_overs = carry_overs_since(old.provenance, new.provenance)
    if any(carry_over.kind != "unchanged" for carry_over in carry_overs):
        return False
    provenance = new.provenance.model_copy(update={"carried": old.provenance.carried})
    return new.model_copy(update={"provenance": provenance}) == old


def is_only_moved(old: GoldenLabel, new: GoldenLabel) -> bool:
    """Return whether a record differs in paths and line numbers alone, in its words too."""
    old_anchors = {name: getattr(old, name) for name in _ANCHORED_FIELDS}
    if new.model_copy(update=old_anchors) != old or _shape(new) != _shape(old):
        return False
    moves = _moves(old, new)
    if not _are_files_moved(old, new, moves):
        return False
    if not _alternative_names(new) <= _alternative_names(old):
        return False
    prose = ProseComparison(moves, _line_shifts(old, new))
    old_texts = _prose(old)
    new_texts = _prose(new)
    return all(map(prose.is_only_moved, old_texts, new_texts))


def _shape(label: GoldenLabel) -> object:
    """What a record keeps wherever its code goes.

    These are roles and simple names, what is cited for what, over how many lines and with which
    text, and the numbers of facts.
    """
    roles = [entity.role for entity in label.expected_entities]
    names = list(map(_simple_name, label.entity_ids))
    citations: list[object] = []
    digests: list[str | None] = []
    for cited in cited_ranges(label):
        purpose = cited.model_dump(exclude={"file", "start", "end"})
        length = cited.end - cited.start
        citations.append((type(cited), purpose, length))
        digests.append(label.cited_text.get(str(cited)))
    fact_count = len(label.must_mention_facts)
    falsehood_count = len(label.must_not_mention_facts)
    return roles, names, citations, fact_count, falsehood_count, digests


def _moves(old: GoldenLabel, new: GoldenLabel) -> Mapping[str, set[str]]:
    """Map each path and entity id of a record to where it is now; several where it came apart."""
    moves: defaultdict[str, set[str]] = defaultdict(set)
    for path in old.expected_files:
        stays = {path} & set(new.expected_files)
        moves[path] |= stays
    for old_id, new_id in zip(old.entity_ids, new.entity_ids, strict=True):
        moves[old_id].add(new_id)
        old_path, _, _ = old_id.partition("::")
        new_path, _, _ = new_id.partition("::")
        moves[old_path].add(new_path)
    for old_range, new_range in zip(cited_ranges(old), cited_ranges(new), strict=True):
        moves[old_range.file].add(new_range.file)
    return dict(moves)


def _are_files_moved(old: GoldenLabel, new: GoldenLabel, moves: Mapping[str, set[str]]) -> bool:
    """Return whether every expected file is where an old one went, and every old one went there."""
    new_files = set(new.expected_files)
    moved_files: set[str] = set()
    for path in old.expected_files:
        if moves[path].isdisjoint(new_files):
            return False
        moved_files |= moves[path]
    return new_files <= moved_files


def _line_shifts(old: GoldenLabel, new: GoldenLabel) -> set[int]:
    shifts: set[int] = set()
    for old_range, new_range in zip(cited_ranges(old), cited_ranges(new), strict=True):
        shifts.add(new_range.start - old_range.start)
    return shifts


def _alternative_names(label: GoldenLabel) -> set[tuple[str, str]]:
    names: set[tuple[str, str]] = set()
    for entity_id, alternatives in label.alternatives.items():
        name = _simple_name(entity_id)
        for alternative in alternatives:
            names.add((name, _simple_name(alternative)))
    return names


def _simple_name(entity_id: str) -> str:
    _, _, name = entity_id.rpartition("::")
    return name.rpartition(".")[2]


def _prose(label: GoldenLabel) -> tuple[str, ...]:
    rationales = [entity.rationale for entity in label.expected_entities]
    return (
        *label.must_mention_facts,
        *label.must_not_mention_facts,
        *rationales,
        label.canonical_narrative,
    )
