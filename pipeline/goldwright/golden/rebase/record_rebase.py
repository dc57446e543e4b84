"""Carrying records to a newer commit: what is the same code keeps its blessing.

Records whose code has changed go back to people. See decision 11: a record is carried over by the
text of its code and not by likeness.
"""

from collections.abc import Iterable, Sequence

from goldwright.golden.labels import cited_ranges
from goldwright.golden.rebase.anchor_targets import AnchorTarget, LostAnchor
from goldwright.golden.rebase.anchors import Anchors
from goldwright.golden.rebase.rebase_outcome import RebasedRecord
from goldwright.golden.rebase.relocated_record import Relocation
from goldwright.golden.rebase.returned_draft import ReturnedDraft, plain_range
from goldwright.golden.rebase.set_claims import SetClaims
from goldwright.records import FileRange, GoldenLabel
from goldwright.snapshot import Snapshot
from goldwright.stages.gate.cited_text import cited_digests


def rebase_labels(
    labels: Sequence[GoldenLabel], old: Snapshot, new: Snapshot
) -> tuple[RebasedRecord, ...]:
    """Find out which records hold at a newer commit, and anchor those there.

    A record holds when the code of all its entities is the same text, all lines that it cites say
    what they said, and the sets that its words count or close are the same. It is ``unchanged``
    when everything is where it was, and ``moved`` otherwise.

    Args:
        labels: The records of a dataset.
        old: The commit that they were made from.
        new: The commit to carry them to.

    Returns:
        One result for each record, in the order of the records.
    """
    anchors = Anchors(old, new)
    return tuple(_rebase(label, anchors) for label in labels)


def _rebase(label: GoldenLabel, anchors: Anchors) -> RebasedRecord:
    targets: dict[str, AnchorTarget] = {}
    lost_entities: list[LostAnchor] = []
    for entity_id in label.entity_ids:
        anchor = anchors.entity(entity_id)
        if isinstance(anchor, LostAnchor):
            lost_entities.append(anchor)
        else:
            targets[entity_id] = anchor
    new_ranges, lost_ranges = _find_ranges(label, anchors, targets.values())
    stale_claims = SetClaims(label, targets, anchors).stale()
    draft = ReturnedDraft(label, anchors, targets, new_ranges, stale_claims)
    if lost_entities:
        return _return_for_entities(draft, lost_entities)
    reasons = _reasons(lost_ranges)
    reasons.extend(f"{claim_id}: {change}" for claim_id, change in stale_claims.items())
    if reasons:
        return draft.give_back("edited", reasons)
    return Relocation(label, anchors, targets, new_ranges).rebase()


def _find_ranges(
    label: GoldenLabel, anchors: Anchors, targets: Iterable[AnchorTarget]
) -> tuple[dict[FileRange, FileRange], list[LostAnchor]]:
    """Find every range that says what the record keeps of it, and says it at a place now."""
    new_ranges: dict[FileRange, FileRange] = {}
    lost_ranges: list[LostAnchor] = []
    known_targets = tuple(targets)
    # Evidence and expected ranges are often the same lines; each is looked for once.
    for cited in dict.fromkeys(map(plain_range, cited_ranges(label))):
        place = _find_range(cited, label, anchors, known_targets)
        if isinstance(place, LostAnchor):
            lost_ranges.append(place)
        else:
            new_ranges[cited] = place
    return new_ranges, lost_ranges


def _find_range(
    cited: FileRange, label: GoldenLabel, anchors: Anchors, targets: Sequence[AnchorTarget]
) -> FileRange | LostAnchor:
    name = str(cited)
    recorded = label.cited_text.get(name)
    digests = cited_digests([cited], anchors.old)
    # Where they never said so, finding them again would prove nothing.
    if name in digests and digests[name] != recorded:
        commit = anchors.old.commit[:12]
        return LostAnchor(f"{cited}: at {commit} already, these lines did not say what they said")
    place = anchors.range(cited, targets)
    if isinstance(place, LostAnchor):
        return place
    # However a place was found, it is none unless the lines say there what they said here.
    if cited_digests([place], anchors.new).get(str(place)) != recorded:
        return LostAnchor(f"{cited}: {place} does not say what it said")
    return place


def _return_for_entities(draft: ReturnedDraft, lost: Sequence[LostAnchor]) -> RebasedRecord:
    hints: list[str] = []
    for anchor in lost:
        hints.extend(anchor.hints)
    reasons = _reasons(lost)
    if any(anchor.is_gone for anchor in lost):
        return draft.give_back("gone", reasons, hints)
    return draft.give_back("edited", reasons, hints)


def _reasons(lost: Iterable[LostAnchor]) -> list[str]:
    return [anchor.reason for anchor in lost]
