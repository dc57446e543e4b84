"""A query of any dataset, as an evaluation and an audit see it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from goldwright.plan import Cell
from goldwright.records import (
    DIFFICULTIES,
    TASK_TYPES,
    Difficulty,
    FileRange,
    GoldenLabel,
    TaskType,
)


@dataclass(frozen=True, slots=True)
class DatasetQuery:
    """One query and what it is to find, as it is in the file: ids are not checked, and may repeat.

    Attributes:
        query_id: The id of the query.
        query_text: The query.
        expected_ids: What a retriever should show: entities, or files or documents where the
            dataset names those.
        names_entities: Whether the format says that the expected ids are entities, whatever their
            spelling; otherwise only those with ``::`` are.
        expected_files: The files that the dataset expects beside them.
        grades: The grade of each judged id, where the dataset has grades; above 0 is relevant.
        strata: Its stratum in each dimension, by the dataset's own names.
        must_mention_facts: What an answer has to say.
        must_not_mention_facts: What an answer must not say.
        expected_line_ranges: The expected lines.
        alternatives: For an expected id, the others that answer as well.
        canonical_narrative: The answer in prose.
        carries_facts: Whether the format has a place for facts.
        place: The file and the row; empty where it comes from no file.
        label: The record of ours that it is taken from.
        corpus_commit: The commit whose tree alone may be searched for it; empty where the dataset
            is about one codebase.
    """

    query_id: str
    query_text: str
    expected_ids: tuple[str, ...] = ()
    names_entities: bool = False
    expected_files: tuple[str, ...] = ()
    grades: Mapping[str, int] = field(default_factory=dict)
    strata: Mapping[str, str] = field(default_factory=dict)
    must_mention_facts: tuple[str, ...] = ()
    must_not_mention_facts: tuple[str, ...] = ()
    expected_line_ranges: tuple[FileRange, ...] = ()
    alternatives: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    canonical_narrative: str = ""
    carries_facts: bool = False
    place: str = ""
    label: GoldenLabel | None = None
    corpus_commit: str = ""

    @property
    def entity_ids(self) -> tuple[str, ...]:
        """The expected ids that are entities."""
        if self.names_entities:
            return self.expected_ids
        return tuple(expected for expected in self.expected_ids if "::" in expected)

    @property
    def file_paths(self) -> tuple[str, ...]:
        """The expected files, and the expected ids that are no entities, each once."""
        entity_ids = frozenset(self.entity_ids)
        further_ids = [expected for expected in self.expected_ids if expected not in entity_ids]
        return tuple(dict.fromkeys((*self.expected_files, *further_ids)))

    @property
    def is_graded(self) -> bool:
        """Whether its expected ids are worth different amounts, or some id is judged irrelevant."""
        return any(grade != 1 for grade in self.grades.values())

    @property
    def task_type(self) -> TaskType | None:
        """Its task type in upper or lower case, where it is one of ours."""
        name = self.strata.get("task_type", "").lower()
        return next((task_type for task_type in TASK_TYPES if task_type == name), None)

    @property
    def difficulty(self) -> Difficulty | None:
        """Its difficulty in upper or lower case, where it is one of ours."""
        name = self.strata.get("difficulty", "").lower()
        return next((difficulty for difficulty in DIFFICULTIES if difficulty == name), None)

    @property
    def cell(self) -> Cell | None:
        """The cell of a plan, where both its task type and its difficulty are ours."""
        if self.task_type is None or self.difficulty is None:
            return None
        return Cell(self.task_type, self.difficulty)


def query_of(label: GoldenLabel, *, place: str = "") -> DatasetQuery:
    """Give a record of ours as a query of any dataset."""
    return DatasetQuery(
        query_id=label.query_id,
        query_text=label.query_text,
        # An adopted record may expect files alone.
        expected_ids=label.entity_ids or label.expected_files,
        names_entities=bool(label.entity_ids),
        expected_files=label.expected_files,
        strata=strata_of(label),
        must_mention_facts=label.must_mention_facts,
        must_not_mention_facts=label.must_not_mention_facts,
        expected_line_ranges=label.expected_line_ranges,
        alternatives=label.alternatives,
        canonical_narrative=label.canonical_narrative,
        carries_facts=True,
        place=place,
        label=label,
    )


def strata_of(label: GoldenLabel) -> dict[str, str]:
    """Name the stratum of a record in each dimension; names of an adopted dataset stay its own."""
    return {"task_type": label.task_type, "difficulty": label.difficulty, **label.strata}


def name_queries(queries: Iterable[DatasetQuery]) -> tuple[str, ...]:
    """Give the ids of queries, for messages."""
    return tuple(query.query_id for query in queries)
