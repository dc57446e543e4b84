"""Comparing two versions of a dataset: every record gets exactly one class."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from goldwright.golden.differences.change_classes import ChangeClass, change_class_of
from goldwright.golden.differences.field_changes import FieldChange, field_changes
from goldwright.golden.differences.reasons import MetadataPair, change_reasons, removal_reasons
from goldwright.golden.metadata import DatasetMetadata
from goldwright.records import GoldenLabel


@dataclass(frozen=True, slots=True)
class LoneRecord:
    """A record that only one of two datasets holds, and why."""

    label: GoldenLabel
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RecordChange:
    """A record that differs between two datasets.

    Attributes:
        query_id: The record.
        content: What differs in its content.
        provenance: What differs in its provenance.
        why: What its provenance says about the reasons.
    """

    query_id: str
    content: tuple[FieldChange, ...]
    provenance: tuple[FieldChange, ...]
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Differences:
    """Every record of two datasets in exactly one class, in the order of query ids.

    Attributes:
        added: The records that only the new dataset holds.
        removed: The records that only the old dataset holds.
        changed: The records whose content differs.
        reanchored: The records that say the same of code at other places of a newer commit.
        restamped: The records that differ in provenance alone, as after a review.
        unchanged: The query ids of records that are the same.
        metadata: What differs in the metadata of the datasets.
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
        classes = {
            "added": self.added,
            "removed": self.removed,
            "changed": self.changed,
            "re-anchored": self.reanchored,
        }
        if self.restamped:
            classes["new in provenance alone"] = self.restamped
        classes["unchanged"] = self.unchanged
        return ", ".join(f"{len(records)} {change}" for change, records in classes.items())


def compare_labels(
    old: Sequence[GoldenLabel],
    new: Sequence[GoldenLabel],
    *,
    metadata: MetadataPair = (None, None),
) -> Differences:
    """Put every record of two datasets into one class.

    Args:
        old: The records of the one dataset; query ids are unique.
        new: The records of the other; query ids are unique.
        metadata: The metadata of both, where there are any.
    """
    old_labels = _by_query_id(old)
    new_labels = _by_query_id(new)
    changes: defaultdict[ChangeClass, list[RecordChange]] = defaultdict(list)
    unchanged: list[str] = []
    for query_id in sorted(old_labels.keys() & new_labels.keys()):
        old_label = old_labels[query_id]
        new_label = new_labels[query_id]
        change_class = change_class_of(old_label, new_label)
        if change_class == "unchanged":
            unchanged.append(query_id)
        else:
            changes[change_class].append(_record_change(old_label, new_label))
    added = _without(new_labels, old_labels)
    added_records = [_added_record(label) for label in added]
    removed = _without(old_labels, new_labels)
    removed_records = [_removed_record(label, added, metadata) for label in removed]
    return Differences(
        added=tuple(added_records),
        removed=tuple(removed_records),
        changed=tuple(changes["changed"]),
        reanchored=tuple(changes["reanchored"]),
        restamped=tuple(changes["restamped"]),
        unchanged=tuple(unchanged),
        metadata=_metadata_changes(*metadata),
    )


def differences_json(differences: Differences) -> dict[str, object]:
    """Give the differences as a JSON object: the counts, then each class in full."""
    return {
        "summary": differences.summary,
        **asdict(differences),
        "added": _lone_records_json(differences.added),
        "removed": _lone_records_json(differences.removed),
    }


def _by_query_id(labels: Iterable[GoldenLabel]) -> dict[str, GoldenLabel]:
    return {label.query_id: label for label in labels}


def _without(labels: dict[str, GoldenLabel], excluded: dict[str, GoldenLabel]) -> list[GoldenLabel]:
    """Give the records of one dataset that the other lacks, in the order of query ids."""
    query_ids = sorted(labels.keys() - excluded.keys())
    return [labels[query_id] for query_id in query_ids]


def _record_change(old: GoldenLabel, new: GoldenLabel) -> RecordChange:
    content = field_changes(old, new, skipped=("provenance",))
    provenance = field_changes(old.provenance, new.provenance)
    reasons = change_reasons(old.provenance, new.provenance)
    return RecordChange(
        query_id=old.query_id,
        content=tuple(content),
        provenance=tuple(provenance),
        why=tuple(reasons),
    )


def _added_record(label: GoldenLabel) -> LoneRecord:
    why = change_reasons(None, label.provenance)
    return LoneRecord(label, tuple(why))


def _removed_record(
    label: GoldenLabel, added: Sequence[GoldenLabel], metadata: MetadataPair
) -> LoneRecord:
    why = removal_reasons(label, added, metadata)
    return LoneRecord(label, tuple(why))


def _metadata_changes(
    old: DatasetMetadata | None, new: DatasetMetadata | None
) -> tuple[FieldChange, ...]:
    if old is None or new is None:
        return ()
    # The digest differs whenever a record does, and says nothing more.
    return tuple(field_changes(old, new, skipped=("dataset_sha256",)))


def _lone_records_json(records: Iterable[LoneRecord]) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for record in records:
        label = record.label.model_dump(mode="json")
        rows.append({"record": label, "why": list(record.why)})
    return rows
