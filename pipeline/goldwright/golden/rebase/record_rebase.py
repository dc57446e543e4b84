"""Carrying records to a newer commit: what is the same code keeps its blessing.

Records whose code has changed go back to people. See decision 11: a record is carried over by the
text of its code and not by likeness.
"""

from collections.abc import Iterable, Sequence

from goldwright.golden.labels import cited_ranges
from goldwright.golden.rebase.anchor_targets import AnchorTarget, LostAnchor
from goldwright.golden.rebase.anchors import Anchors
from goldwright.golden.rebase.rebased_record import RebasedRecord, return_record
from goldwright.golden.rebase.relocation import Relocation, plain_range
from goldwright.records import FileRange, GoldenLabel
from goldwright.snapshot import Snapshot


def rebase_labels(
    labels: Sequence[GoldenLabel], old: Snapshot, new: Snapshot
) -> tuple[RebasedRecord, ...]:
    """Find out which records hold at a newer commit, and anchor those there.

    A record holds when the code of all its entities is the same text and all lines that it cites
    are found again. It is ``unchanged`` when they are where they were, and ``moved`` otherwise.

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
    if lost_entities:
        return _return_for_entities(label, lost_entities)

    new_ranges: dict[FileRange, FileRange] = {}
    lost_ranges: list[LostAnchor] = []
    # Evidence and expected ranges are often the same lines; each is looked for once.
    for cited in dict.fromkeys(map(plain_range, cited_ranges(label))):
        place = anchors.range(cited, targets.values())
        if isinstance(place, LostAnchor):
            lost_ranges.append(place)
        else:
            new_ranges[cited] = place
    if lost_ranges:
        return return_record(label, "edited", _reasons(lost_ranges))
    return Relocation(label, anchors, targets, new_ranges).rebase()


def _return_for_entities(label: GoldenLabel, lost: Sequence[LostAnchor]) -> RebasedRecord:
    hints: list[str] = []
    for anchor in lost:
        hints.extend(anchor.hints)
    reasons = _reasons(lost)
    if any(anchor.is_gone for anchor in lost):
        return return_record(label, "gone", reasons, hints)
    return return_record(label, "edited", reasons, hints)


def _reasons(lost: Iterable[LostAnchor]) -> list[str]:
    return [anchor.reason for anchor in lost]
