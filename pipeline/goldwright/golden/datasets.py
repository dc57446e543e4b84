"""A dataset as its users open it, ours or anybody's: its queries, and where they come from."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from goldwright.golden.metadata import DatasetMetadata
from goldwright.golden.queries import DatasetQuery
from goldwright.records import GoldenLabel

OWN_FORMAT: Final = "goldwright"


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

    @property
    def name(self) -> str:
        """The name of its file."""
        return self.path.name

    @property
    def main_file(self) -> Path:
        """The file; of a folder its file of queries, else its first file."""
        if not self.path.is_dir():
            return self.path
        files = sorted(path for path in self.path.rglob("*") if path.is_file())
        named = [path for path in files if re.search("quer|topic", path.name)]
        return (named or files)[0]

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
