"""What the checks look at: one record, and the dataset and the codebase around it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from goldwright.golden.foreign.records import ForeignDataset, ForeignRecord
from goldwright.golden.foreign.naming import NamedFile, plainly
from goldwright.golden.foreign.near_duplicates import mostly_contained, nearly_repeated
from goldwright.golden.foreign.task_types import given_away
from goldwright.plan import Cell
from goldwright.records import CandidateDraft, TaskType, opening
from goldwright.snapshot import Snapshot
from goldwright.stages.screen import AcceptedCandidates, ScreeningCase

STRICTEST = Cell("locate", "easy")
"""The cell by which a record without one is screened: its query may name no target."""


class AuditContext:
    """A dataset before a codebase, with what several records have in common found once."""

    def __init__(self, dataset: ForeignDataset, snapshot: Snapshot) -> None:
        self.dataset = dataset
        self.snapshot = snapshot
        self.openings = tuple(opening(record.query_text) for record in dataset.records)
        self.targets = tuple(self._targets(record) for record in dataset.records)
        self._named_files: dict[str, NamedFile] = {}

    @cached_property
    def first_with_id(self) -> Mapping[str, int]:
        """The position of the first record with each id."""
        return {record.query_id: n for n, record in reversed(tuple(enumerate(self.dataset.records)))}

    @cached_property
    def same_opening(self) -> Mapping[tuple[str, ...], int]:
        """How many records start with the same three words."""
        return Counter(self.openings)

    @cached_property
    def same_opening_in_cell(self) -> Mapping[tuple[Cell | None, tuple[str, ...]], int]:
        """How many records of one cell start with the same three words."""
        cells = (record.cell for record in self.dataset.records)
        return Counter(zip(cells, self.openings, strict=True))

    @cached_property
    def overlaps(self) -> Mapping[int, int]:
        """The positions of records most of whose targets are those of one earlier record, with its
        position.
        """
        wanted = (
            frozenset(targets or record.files)
            for targets, record in zip(self.targets, self.dataset.records, strict=True)
        )
        return mostly_contained(tuple(wanted))

    @cached_property
    def repeats(self) -> Mapping[int, int]:
        """The positions of records that word an earlier one nearly again, with its position."""
        return nearly_repeated(tuple(record.query_text for record in self.dataset.records))

    @cached_property
    def given_away(self) -> Mapping[int, tuple[str, ...]]:
        """The positions of records whose opening alone tells the task type, with the words that do.
        """
        return given_away(self.openings, self.task_types)

    @cached_property
    def task_types(self) -> tuple[TaskType | None, ...]:
        """The task type of every record, in their order."""
        return tuple(record.task_type for record in self.dataset.records)

    def named_file(self, path: str) -> NamedFile:
        """What of a file a query may not name, read once."""
        if path not in self._named_files:
            self._named_files[path] = NamedFile.of(path, self.snapshot)
        return self._named_files[path]

    def _targets(self, record: ForeignRecord) -> tuple[str, ...]:
        """The ids of a record's entities, each once; where a name alone is given, of those in its
        files.
        """
        found = (one for written in record.entities for one in self._ids(written, record))
        return tuple(dict.fromkeys(found))

    def _ids(self, written: str, record: ForeignRecord) -> tuple[str, ...]:
        if self.dataset.format != "coderag" or "::" in written:
            return (written,)
        here = (entity for path in record.files for entity in self.snapshot.entities_in(path))
        found = tuple(one.entity_id for one in here if written in {one.name, one.simple_name})
        return found or (f"{record.files[0] if record.files else ''}::{written}",)


@dataclass(frozen=True, slots=True)
class AuditCase:
    """One record of a dataset, by its position from 0."""

    position: int
    ground: AuditContext

    @property
    def record(self) -> ForeignRecord:
        """The record itself."""
        return self.ground.dataset.records[self.position]

    @property
    def snapshot(self) -> Snapshot:
        """The codebase the record is about."""
        return self.ground.snapshot

    @property
    def targets(self) -> tuple[str, ...]:
        """The ids of the entities that the record wants, whether they resolve or not."""
        return self.ground.targets[self.position]

    @property
    def opening(self) -> tuple[str, ...]:
        """The first three words of the query."""
        return self.ground.openings[self.position]

    def query_id_at(self, position: int) -> str:
        """The id of another record."""
        return self.ground.dataset.records[position].query_id

    def as_candidate(self, cell: Cell) -> ScreeningCase:
        """See the record as the screen would, had it just been written for a cell."""
        # Bounds of our own drafts are no rule for others: nothing is validated here.
        targets = tuple(_with_name(target) for target in self.targets)
        draft = CandidateDraft.model_construct(query_text=plainly(self.record.query_text), target_entity_ids=targets)
        return ScreeningCase(draft, cell, 1, self.snapshot, AcceptedCandidates())


def _with_name(target: str) -> str:
    """Give an id that is no id of ours, such as a dotted one, a name: its last two parts, at most.
    """
    return target if "::" in target else "::" + ".".join(target.split(".")[-2:])
