"""What the checks look at: one record, and the dataset and the codebase around it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from goldwright.golden.foreign.near_duplicates import mostly_contained, nearly_repeated
from goldwright.golden.foreign.opening_guesses import given_away
from goldwright.golden.foreign.spellings import normalize_query
from goldwright.golden.foreign.target_files import TargetFile
from goldwright.golden.queries import DatasetQuery
from goldwright.plan import Cell
from goldwright.records import CandidateDraft, TaskType, opening
from goldwright.snapshot import Entity, Snapshot
from goldwright.snapshot.entities import entity_id
from goldwright.stages.screen import AcceptedCandidates, ScreeningCase

STRICTEST_CELL: Final = Cell("locate", "easy")
"""The cell by which a record without one is screened: its query may name no target."""


class AuditContext:
    """The queries of a dataset and a codebase, with what concerns several records worked out once.

    Attributes:
        format: The name of the dataset's format.
        queries: The queries of the dataset.
        snapshot: The codebase.
        openings: The first three words of every query, in the order of the records.
        targets: The entity ids that every record expects, in the order of the records.
    """

    def __init__(
        self, dataset_format: str, queries: Iterable[DatasetQuery], snapshot: Snapshot
    ) -> None:
        self.format = dataset_format
        self.queries = tuple(queries)
        self.snapshot = snapshot
        self.openings = tuple(opening(record.query_text) for record in self.queries)
        self.targets = tuple(map(self._targets, self.queries))
        self._target_files: dict[str, TargetFile] = {}

    @cached_property
    def first_with_id(self) -> Mapping[str, int]:
        """The position of the first record with each id."""
        positions: dict[str, int] = {}
        for position, record in enumerate(self.queries):
            positions.setdefault(record.query_id, position)
        return positions

    @cached_property
    def opening_counts(self) -> Mapping[tuple[str, ...], int]:
        """How many records start with the same three words."""
        return Counter(self.openings)

    @cached_property
    def opening_counts_in_cell(self) -> Mapping[tuple[Cell | None, tuple[str, ...]], int]:
        """How many records of one cell start with the same three words."""
        cells = [record.cell for record in self.queries]
        return Counter(zip(cells, self.openings, strict=True))

    @cached_property
    def overlaps(self) -> Mapping[int, int]:
        """The positions of records most of whose targets are those of one earlier record.

        Each comes with the position of that one. Files are the targets where there are no entities.
        """
        target_sets: list[frozenset[str]] = []
        for targets, record in zip(self.targets, self.queries, strict=True):
            target_sets.append(frozenset(targets or record.file_paths))
        return mostly_contained(target_sets)

    @cached_property
    def repeats(self) -> Mapping[int, int]:
        """The positions of records whose query nearly repeats an earlier one, with its position."""
        queries = [record.query_text for record in self.queries]
        return nearly_repeated(queries)

    @cached_property
    def given_away(self) -> Mapping[int, tuple[str, ...]]:
        """The positions of records whose opening gives their task type away, with its words."""
        return given_away(self.openings, self.task_types)

    @cached_property
    def task_types(self) -> tuple[TaskType | None, ...]:
        """The task type of every record, in the order of the records."""
        return tuple(record.task_type for record in self.queries)

    def target_file(self, path: str) -> TargetFile:
        """Give a file that a query is to find, read once."""
        if path not in self._target_files:
            self._target_files[path] = TargetFile.read(path, self.snapshot)
        return self._target_files[path]

    def _targets(self, record: DatasetQuery) -> tuple[str, ...]:
        """Give the ids of a record's entities, each once."""
        ids: list[str] = []
        for entity in record.entity_ids:
            if self.format == "coderag" and "::" not in entity:
                ids.extend(self._ids_of_symbol(entity, record))
            else:
                ids.append(entity)
        return tuple(dict.fromkeys(ids))

    def _ids_of_symbol(self, symbol: str, record: DatasetQuery) -> list[str]:
        """Resolve a name in the files of its record; an id of the first file where none has it."""
        ids: list[str] = []
        for path in record.file_paths:
            entities = self.snapshot.entities_in(path)
            ids.extend(entity.entity_id for entity in entities if _has_name(entity, symbol))
        if ids:
            return ids
        # It resolves to nothing, and says in the report which file was meant.
        first_file = next(iter(record.file_paths), "")
        return [entity_id(first_file, symbol)]


@dataclass(frozen=True, slots=True)
class AuditCase:
    """One record of a dataset.

    Attributes:
        position: The position of the record, from 0.
        context: The dataset and the codebase.
    """

    position: int
    context: AuditContext

    @property
    def record(self) -> DatasetQuery:
        """The record itself."""
        return self.context.queries[self.position]

    @property
    def snapshot(self) -> Snapshot:
        """The codebase that the record is about."""
        return self.context.snapshot

    @property
    def targets(self) -> tuple[str, ...]:
        """The ids of the entities that the record expects, whether they resolve or not."""
        return self.context.targets[self.position]

    @property
    def opening(self) -> tuple[str, ...]:
        """The first three words of the query."""
        return self.context.openings[self.position]

    def query_id_at(self, position: int) -> str:
        """The id of another record."""
        return self.context.queries[position].query_id

    def as_candidate(self, cell: Cell) -> ScreeningCase:
        """Give the record as the screen would see it, had it just been written for a cell."""
        query_text = normalize_query(self.record.query_text)
        target_ids = tuple(self.named_targets())
        # The bounds on our own drafts do not hold for datasets of others, so nothing is validated.
        draft = CandidateDraft.model_construct(
            query_text=query_text,
            target_entity_ids=target_ids,
        )
        return ScreeningCase(draft, cell, 1, self.snapshot, AcceptedCandidates())

    def named_targets(self) -> Iterator[str]:
        """Yield the targets as ids with a name after ``::``.

        Of an id in another style, such as a dotted one, the name is its last two parts at most:
        those before are modules, which no rule forbids a query to name.
        """
        for target in self.targets:
            if "::" in target:
                yield target
            else:
                last_parts = target.split(".")[-2:]
                yield entity_id("", ".".join(last_parts))


def _has_name(entity: Entity, symbol: str) -> bool:
    return symbol in {entity.name, entity.simple_name}
