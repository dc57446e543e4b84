"""What the formats have in common: a dataset to write, and what a format has a place for."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from goldwright.golden.metadata import DatasetMetadata
from goldwright.records import ExpectedEntity, GoldenLabel

Fields = Mapping[str, object]
"""Some or all fields of a golden label, as JSON types; where ``provenance`` is one of them, they
are all there.
"""

ENTITIES: Final = "expected_entities"
PIECES: Final[tuple[str, ...]] = tuple(
    piece
    for field in GoldenLabel.model_fields
    for piece in (
        [f"{field}.{part}" for part in ExpectedEntity.model_fields]
        if field == ENTITIES
        else [field]
    )
)
"""Everything that a record says, by name; of the expected entities the id, the role and the
rationale apart.
"""


@dataclass(frozen=True, slots=True)
class CorpusDocument:
    """One entity of the codebase as a retriever finds it: its id, its qualified name, and its
    source.
    """

    document_id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Dataset:
    """A golden dataset on its way out.

    ``name`` is that of its file without the ending, ``sha256`` names its content; ``documents`` may
    be iterated more than once, and are there for formats that hold a corpus.
    """

    name: str
    sha256: str
    labels: tuple[GoldenLabel, ...]
    metadata: DatasetMetadata | None = None
    documents: Iterable[CorpusDocument] = ()


class Format(Protocol):
    """One format: how to write a dataset in it, how to read one, and what it cannot say."""

    @property
    def name(self) -> str:
        """The name of the format."""
        ...

    @property
    def shape(self) -> str:
        """What is written, in a few words."""
        ...

    @property
    def shown(self) -> frozenset[str]:
        """The pieces of a record for which the format has a place that its tools read."""
        ...

    @property
    def carries_record(self) -> bool:
        """Whether the whole record travels along as metadata, so that nothing is lost on the way
        back.
        """
        ...

    @property
    def holds_corpus(self) -> bool:
        """Whether the codebase is a part of what is written."""
        ...

    def write(self, dataset: Dataset, out: Path) -> None:
        """Write a dataset to a path that is free: a file or a folder, with bytes that depend on the
        dataset alone.

        Raises:
            InputError: The format cannot hold a record; the text names it.
            OSError: The disk refused.
        """
        ...

    def read(self, path: Path) -> tuple[Fields, ...]:
        """Read records, in the order of the file and each query id once: in full where they carry
        themselves.

        Raises:
            InputError: It is not of this format; the text names the file, the line and what was
                wanted.
        """
        ...

    def remarks(self, dataset: Dataset) -> Iterator[str]:
        """Yield what is said otherwise than in our own datasets, a sentence each."""
        ...


@dataclass(frozen=True, slots=True)
class Loss:
    """A piece that no tool of a format sees, how many records have it, and whether it comes back on
    the way back.
    """

    piece: str
    records: int
    returns: bool


def losses(to: Format, labels: Iterable[GoldenLabel]) -> tuple[Loss, ...]:
    """List every piece that a format has no place for and that at least one record has, in the
    order of the record.
    """
    counts = dict.fromkeys((piece for piece in PIECES if piece not in to.shown), 0)
    for label in labels:
        for piece in counts:
            counts[piece] += _says(label, piece)
    return tuple(Loss(piece, count, to.carries_record) for piece, count in counts.items() if count)


def _says(label: GoldenLabel, piece: str) -> bool:
    value = getattr(label, piece.partition(".")[0])
    return value is not None and value not in ((), {}, "")
