"""A dataset as its users open it, ours or anybody's: its queries, and where they come from."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from goldwright.errors import InputError
from goldwright.golden.metadata import DatasetMetadata
from goldwright.golden.queries import DatasetQuery
from goldwright.notebooks.frames import FrameLibrary, make_frame, strata_columns
from goldwright.notebooks.html import block, folded, paragraph, paragraphs, table
from goldwright.records import GoldenLabel
from goldwright.text import counted, name_some, nearest_ids

OWN_FORMAT: Final = "goldwright"
# Queries that a notebook shows of a dataset.
_FIRST_QUERIES: Final = 5
# The columns of a frame that no dimension has the name of.
_COLUMNS: Final = (
    "query_id",
    "query_text",
    "expected_ids",
    "expected_files",
    "grades",
    "must_mention_facts",
    "must_not_mention_facts",
)


@dataclass(frozen=True, slots=True)
class CorpusDocument:
    """One document that a retriever can find.

    Attributes:
        document_id: Its id; that of the entity, in a corpus that is a codebase.
        title: Its title; the qualified name of an entity.
        text: Its text; the source of an entity.
    """

    document_id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class LoadedDataset:
    """A dataset that was found, read and checked; it holds at least one query.

    ``len(dataset)`` counts its queries, a loop gives each one, and ``dataset["q1"]`` that of an
    id.

    Attributes:
        path: The file or folder.
        description: Which dataset it is, why it was chosen, and its digest, in one line.
        sha256: The digest of the file, or of the files of a folder.
        queries: Its queries, in the order of the file.
        labels: The records of a dataset of Goldwright, in that order; none of other formats.
        metadata: The metadata beside the file; None for a file without.
        format: The name of its format; ``goldwright`` for our own.
        notes: What was left out of it or not read, a sentence each.
        corpus: Gives the documents that come with it; None where it comes without any.
        fields: Which field of the file holds what, where that was stated; empty where it was not.
    """

    path: Path
    description: str
    sha256: str
    queries: tuple[DatasetQuery, ...]
    labels: tuple[GoldenLabel, ...] = ()
    metadata: DatasetMetadata | None = None
    format: str = OWN_FORMAT
    notes: tuple[str, ...] = ()
    corpus: Callable[[], Iterable[CorpusDocument]] | None = None
    fields: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        query_count = counted(len(self), "query")
        return f"<LoadedDataset: {query_count} of {self.name}, {self.status}>"

    def __len__(self) -> int:
        return len(self.queries)

    def __iter__(self) -> Iterator[DatasetQuery]:
        return iter(self.queries)

    def __getitem__(self, query_id: str) -> DatasetQuery:
        """Find a query by its id.

        Raises:
            InputError: There is none, or there are several.
        """
        matches = [query for query in self.queries if query.query_id == query_id]
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise InputError(f"{query_id}: is the id of {len(matches)} queries of {self.name}")
        ids = [query.query_id for query in self.queries]
        nearest = nearest_ids(str(query_id), ids)
        raise InputError(f"{query_id}: no query of {self.name}; it has {name_some(nearest)}")

    def __contains__(self, query: object) -> bool:
        """Whether a query, or one of that id, is in the dataset."""
        return any(query in (member, member.query_id) for member in self.queries)

    @property
    def strata(self) -> Mapping[str, Mapping[str, int]]:
        """How many queries each stratum has, by dimension; empty where there are no strata."""
        counts: dict[str, Counter[str]] = {}
        for query in self.queries:
            for dimension, stratum in query.strata.items():
                counts.setdefault(dimension, Counter())[stratum] += 1
        return counts

    def to_frame(self, library: FrameLibrary | None = None) -> Any:
        """Give the queries as a data frame: a row for each, in the order of the file.

        The columns are ``query_id`` and ``query_text``, a column for each dimension of strata, then
        ``expected_ids``, ``expected_files``, ``grades`` (of the expected ids, in their order; 1
        where there are none), ``must_mention_facts`` and ``must_not_mention_facts``.

        Args:
            library: ``pandas`` or ``polars``; by default the first that is installed.

        Raises:
            InputError: Neither is installed.

        Examples:
            >>> goldwright.open_dataset("queries.csv").to_frame().shape
            (3, 7)
        """
        strata = strata_columns([query.strata for query in self.queries], _COLUMNS)
        pairs = zip(self.queries, strata, strict=True)
        rows = [_row(query, of_query) for query, of_query in pairs]
        return make_frame(rows, library)

    def _repr_html_(self) -> str:
        """Show the dataset in a notebook."""
        strata = [["", "stratum", "queries"]]
        for dimension, counts in self.strata.items():
            strata += [[dimension, name, str(count)] for name, count in counts.items()]
        queries = [["id", "query", "expected"]]
        queries += map(_shown_row, self.queries[:_FIRST_QUERIES])
        description = paragraph(self.description, is_soft=True)
        parts = [description, table(queries, is_words=True)]
        if len(strata) > 1:
            parts.append(folded("Strata", table(strata, is_words=True)))
        status = self.status.replace("_", " ")
        query_count = counted(len(self), "query")
        title = f"{query_count} of {self.name}, {status}"
        return block(title, *parts, paragraphs(self.notes))

    @property
    def name(self) -> str:
        """The name of its file."""
        return self.path.name

    @property
    def main_file(self) -> Path:
        """The file; of a folder its file of queries, else its first file."""
        if not self.path.is_dir():
            return self.path
        paths = self.path.rglob("*")
        files = sorted(filter(Path.is_file, paths))
        query_files = [path for path in files if re.search("quer|topic", path.name)]
        return (query_files or files)[0]

    @property
    def is_own(self) -> bool:
        """Whether it consists of records of Goldwright."""
        return self.format == OWN_FORMAT

    @property
    def cited_files(self) -> frozenset[str]:
        """The files that its metadata have hashes of."""
        if self.metadata is None:
            return frozenset()
        return frozenset(self.metadata.source_file_hashes)

    @property
    def status(self) -> str:
        """How far it can be trusted, in the words of its metadata."""
        if self.metadata is not None:
            return self.metadata.dataset_status
        if self.is_own:
            return "no metadata"
        return f"{self.format}, not checked by Goldwright"


def _shown_row(query: DatasetQuery) -> list[str]:
    return [query.query_id, query.query_text, name_some(query.expected_ids)]


def _row(query: DatasetQuery, strata: Mapping[str, str | None]) -> Mapping[str, object]:
    grades = [query.grades.get(expected, 1) for expected in query.expected_ids]
    return {
        "query_id": query.query_id,
        "query_text": query.query_text,
        **strata,
        "expected_ids": list(query.expected_ids),
        "expected_files": list(query.expected_files),
        "grades": grades,
        "must_mention_facts": list(query.must_mention_facts),
        "must_not_mention_facts": list(query.must_not_mention_facts),
    }
