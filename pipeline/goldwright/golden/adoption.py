"""From a query of any dataset to a record of ours: what the codebase tells is filled in."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

from goldwright.golden.expected_ids import ExpectedIdResolver, UnresolvedId
from goldwright.golden.foreign.audit_context import AuditCase, AuditContext
from goldwright.golden.foreign.measurements import Band, band_of, first_rank
from goldwright.golden.queries import DatasetQuery
from goldwright.records import (
    ADOPTED,
    Difficulty,
    ExpectedEntity,
    FileRange,
    GoldenLabel,
    Provenance,
    TaskType,
)
from goldwright.retrieval.lexical_index import lexical_index
from goldwright.retrieval.retrievers.bm25 import NAME as BASELINE_NAME
from goldwright.snapshot import Snapshot
from goldwright.stages.gate import run_gate
from goldwright.stages.gate.cited_text import cited_digests, every_range

# Ids stand in addresses of the review page and in lines of terminals.
_PLAIN_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")
# Where a dataset states no difficulty, how far up plain search finds the first target is one.
_DIFFICULTIES: Final[dict[Band, Difficulty]] = {
    "first": "easy",
    "first ten": "medium",
    "beyond": "hard",
}
_RATIONALE: Final = "Expected by the dataset that the record was adopted from."


@dataclass(frozen=True, slots=True)
class AdoptedRecord:
    """A query as a record of ours.

    Attributes:
        label: The record; ids that name nothing in the codebase stay as they are written.
        place: Where the query stands in its file.
        unresolved: The expected ids that name nothing in the codebase.
        failures: What the gate has against what is there, a sentence each.
        filled_in: The names of the fields that were worked out from the codebase.
        open_questions: What only people can tell, a sentence each.
    """

    label: GoldenLabel
    place: str
    unresolved: tuple[UnresolvedId, ...]
    failures: tuple[str, ...]
    filled_in: tuple[str, ...]
    open_questions: tuple[str, ...]

    @property
    def problems(self) -> tuple[str, ...]:
        """Everything that keeps the record out, a sentence each."""
        all_messages = [unresolved.message for unresolved in self.unresolved]
        messages = tuple(dict.fromkeys(all_messages))
        # The gate finds the same of an id that does not resolve.
        gate_messages = [failure for failure in self.failures if not failure.endswith(messages)]
        return (*messages, *gate_messages)

    @property
    def is_sound(self) -> bool:
        """Whether every check that can be made is passed."""
        return not self.unresolved and not self.failures


def adopt_queries(
    queries: Sequence[DatasetQuery],
    snapshot: Snapshot,
    root: Path,
    *,
    name: str,
    task_type: TaskType,
) -> tuple[AdoptedRecord, ...]:
    """Make a record of each query.

    Args:
        queries: The queries, each with an id of its own.
        snapshot: The codebase.
        root: Its directory, which ids may begin with.
        name: The name of the dataset, for the provenance.
        task_type: The task type of queries that state none that Goldwright knows.
    """
    resolver = ExpectedIdResolver(snapshot, root)
    new_ids = _new_ids(queries)
    author = f"{ADOPTED}{name}"
    records: list[AdoptedRecord] = []
    for query in queries:
        resolved = resolver.resolve_all([query])
        (resolved_query,) = resolved.queries
        query_id = query.query_id
        if not _PLAIN_ID.fullmatch(query_id):
            query_id = next(new_ids)
        adoption = _RecordMaker(resolved_query, snapshot, query_id, author, task_type)
        records.append(adoption.record(resolved.unresolved))
    return tuple(records)


def _new_ids(queries: Sequence[DatasetQuery]) -> Iterator[str]:
    """Yield ids in the form of ours that no query has."""
    query_ids = {query.query_id for query in queries}
    for number in count(1):
        query_id = f"q_{number:05d}"
        if query_id not in query_ids:
            yield query_id


class _RecordMaker:
    """One query on its way to a record."""

    def __init__(
        self,
        query: DatasetQuery,
        snapshot: Snapshot,
        query_id: str,
        author: str,
        task_type: TaskType,
    ) -> None:
        self._query = query
        self._snapshot = snapshot
        self._query_id = query_id
        self._author = author
        self._default_task_type = task_type
        self._filled_in: list[str] = []
        self._open_questions: list[str] = []
        self._entity_ids = tuple(
            expected for expected in query.expected_ids if not snapshot.has_text(expected)
        )

    def record(self, unresolved: tuple[UnresolvedId, ...]) -> AdoptedRecord:
        """Make the record, and put it through the gate."""
        label = self._label()
        cited_text = cited_digests(every_range(label), self._snapshot)
        label = label.model_copy(update={"cited_text": cited_text})
        failures = run_gate(label, self._snapshot)
        messages = tuple(f"{failure.check}: {failure.message}" for failure in failures)
        return AdoptedRecord(
            label,
            self._query.place,
            unresolved,
            messages,
            tuple(self._filled_in),
            tuple(self._open_questions),
        )

    def _label(self) -> GoldenLabel:
        query = self._query
        rank = self._rank()
        difficulty, rationale = self._difficulty(rank)
        return GoldenLabel(
            query_id=self._query_id,
            task_type=self._task_type(),
            difficulty=difficulty,
            query_text=query.query_text,
            focus_area=None,
            difficulty_rationale=rationale,
            classifier_expectation=None,
            identifier_in_query=self._names_target(),
            baseline_answerable=rank is not None,
            baseline_retriever=BASELINE_NAME,
            alternatives=dict(query.alternatives),
            provenance=Provenance(
                query_author=self._author, oracle=self._author, adversary=None, judge=None
            ),
            strata=dict(query.strata),
            expected_entities=self._entities(),
            expected_files=self._files(),
            expected_line_ranges=self._ranges(),
            must_mention_facts=query.must_mention_facts,
            must_not_mention_facts=query.must_not_mention_facts,
            fact_citations=(),
            canonical_narrative=query.canonical_narrative,
            source_evidence=(),
            confidence="medium",
            uncertainty_notes=f"Adopted as it stands in {query.place or self._author}.",
        )

    def _task_type(self) -> TaskType:
        if self._query.task_type is not None:
            return self._query.task_type
        self._filled_in.append("task_type")
        self._open_questions.append(
            f"its dataset states no task type of ours; it stands under {self._default_task_type}"
        )
        return self._default_task_type

    def _rank(self) -> int | None:
        context = AuditContext("adopted", [self._query], self._snapshot)
        return first_rank(AuditCase(0, context), lexical_index(self._snapshot))

    def _difficulty(self, rank: int | None) -> tuple[Difficulty, str]:
        place = "beyond the first ten" if rank is None else f"at rank {rank}"
        measured = f"BM25 finds the first target {place}."
        if self._query.difficulty is not None:
            return self._query.difficulty, f"Stated by its dataset; {measured}"
        self._filled_in.append("difficulty")
        return _DIFFICULTIES[band_of(rank)], f"Measured: {measured}"

    def _names_target(self) -> bool:
        words = set(re.findall(r"\w+", self._query.query_text))
        names = {entity_id.rpartition("::")[2] for entity_id in self._entity_ids}
        parts = {part for name in names for part in name.split(".")}
        return not words.isdisjoint(parts)

    def _entities(self) -> tuple[ExpectedEntity, ...]:
        return tuple(
            ExpectedEntity(entity_id=entity_id, role="primary", rationale=_RATIONALE)
            for entity_id in self._entity_ids
        )

    def _files(self) -> tuple[str, ...]:
        """Give the expected files, with those of all entities and lines."""
        files = list(self._query.expected_files)
        for entity_id in self._entity_ids:
            path, _, _ = entity_id.partition("::")
            files.append(path)
        files.extend(cited.file for cited in self._query.expected_line_ranges)
        return tuple(dict.fromkeys(files))

    def _ranges(self) -> tuple[FileRange, ...]:
        """Give the expected lines, and all lines of entities of which there are none."""
        ranges = list(self._query.expected_line_ranges)
        cited = tuple(ranges)
        for entity_id in self._entity_ids:
            entity = self._snapshot.entity(entity_id)
            if entity is None or any(
                entity.path == lines.file and entity.touches(lines.start, lines.end)
                for lines in cited
            ):
                continue
            ranges += (
                FileRange(file=entity.path, start=span.first, end=span.last)
                for span in entity.spans
            )
        if len(ranges) > len(cited):
            self._filled_in.append("expected_line_ranges")
        return tuple(ranges)
