"""The three tables of a retrieval dataset on the Hugging Face Hub: where each lies, and its
columns.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from goldwright.interchange.parquet import Columns


@dataclass(frozen=True, slots=True)
class HubTable:
    """A table: ``config`` and ``split`` are the Hub's names for it, ``key`` are the columns that
    tell rows apart.
    """

    config: str
    split: str
    path: str
    columns: Columns
    key: tuple[str, ...]
    what: str

    @property
    def folder(self) -> str:
        """The folder it lies in."""
        return str(PurePosixPath(self.path).parent)


CORPUS: Final = HubTable(
    "corpus",
    "corpus",
    "corpus/corpus.parquet",
    {"id": "string", "title": "string", "text": "string"},
    ("id",),
    "Every entity of the codebase: its id, its qualified name and its source.",
)
QUERIES: Final = HubTable(
    "queries",
    "queries",
    "queries/queries.parquet",
    {"id": "string", "text": "string", "metadata": "string"},
    ("id",),
    "The questions; metadata is the whole golden record as JSON.",
)
QRELS: Final = HubTable(
    "default",
    "test",
    "qrels/test.parquet",
    {"query-id": "string", "corpus-id": "string", "score": "int32"},
    ("query-id", "corpus-id"),
    "Which entities answer which question; what is not listed is judged by nobody.",
)
TABLES: Final = (CORPUS, QUERIES, QRELS)


def hashes_in(root: Path) -> Mapping[str, str]:
    """The SHA-256 of each table below a folder, by its path there, in hexadecimal digits.

    Raises:
        OSError: One of them cannot be read.
    """
    found: dict[str, str] = {}
    for table in TABLES:
        with (root / table.path).open("rb") as file:
            found[table.path] = hashlib.file_digest(file, "sha256").hexdigest()
    return found
