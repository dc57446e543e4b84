"""The three tables of a retrieval dataset on the Hugging Face Hub: their files and columns."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from goldwright.interchange.parquet import Columns


@dataclass(frozen=True, slots=True)
class HubTable:
    """A table of a dataset on the Hub.

    Attributes:
        config: The Hub's name for the configuration that it belongs to.
        split: The Hub's name for the split.
        path: Its file, relative to the folder of the dataset.
        columns: The type of each column.
        key: The columns that tell rows apart.
        description: What its rows are, in a sentence.
    """

    config: str
    split: str
    path: str
    columns: Columns
    key: tuple[str, ...]
    description: str

    @property
    def folder(self) -> str:
        """The folder of its file."""
        return str(PurePosixPath(self.path).parent)


CORPUS: Final = HubTable(
    config="corpus",
    split="corpus",
    path="corpus/corpus.parquet",
    columns={"id": "string", "title": "string", "text": "string"},
    key=("id",),
    description="Every entity of the codebase: its id, its qualified name and its source.",
)
QUERIES: Final = HubTable(
    config="queries",
    split="queries",
    path="queries/queries.parquet",
    columns={"id": "string", "text": "string", "metadata": "string"},
    key=("id",),
    description="The questions; metadata is the whole golden record as JSON.",
)
# MTEB looks for judgements in the default configuration.
QRELS: Final = HubTable(
    config="default",
    split="test",
    path="qrels/test.parquet",
    columns={"query-id": "string", "corpus-id": "string", "score": "int32"},
    key=("query-id", "corpus-id"),
    description="Which entities answer which question; what is not listed is judged by nobody.",
)
TABLES: Final = (CORPUS, QUERIES, QRELS)


def hashes_in(root: Path) -> Mapping[str, str]:
    """The SHA-256 of each table below a folder, by its path there, in hexadecimal digits.

    Raises:
        OSError: One of them cannot be read.
    """
    hashes: dict[str, str] = {}
    for table in TABLES:
        with (root / table.path).open("rb") as file:
            digest = hashlib.file_digest(file, "sha256")
        hashes[table.path] = digest.hexdigest()
    return hashes
