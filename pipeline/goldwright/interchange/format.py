"""What the formats have in common: a dataset to write, and what a format has a place for."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from goldwright.golden.datasets import CorpusDocument
from goldwright.golden.metadata import DatasetMetadata
from goldwright.interchange.reader_protocols import Reading
from goldwright.records import ExpectedEntity, GoldenLabel

_ENTITIES: Final = "expected_entities"


def _piece_names() -> Iterator[str]:
    for field in GoldenLabel.model_fields:
        if field == _ENTITIES:
            for part in ExpectedEntity.model_fields:
                yield f"{field}.{part}"
        else:
            yield field


PIECES: Final[tuple[str, ...]] = tuple(_piece_names())
"""Everything that a record says, by the names of its fields.

Of the expected entities the id, the role and the rationale are pieces of their own.
"""


@dataclass(frozen=True, slots=True)
class Dataset:
    """A golden dataset to be written in another format.

    Attributes:
        name: The name of its file without the ending.
        sha256: The digest of its file.
        labels: Its records.
        metadata: Its metadata, where there are any.
        documents: The codebase, for formats that hold a corpus; can be iterated more than once.
    """

    name: str
    sha256: str
    labels: tuple[GoldenLabel, ...]
    metadata: DatasetMetadata | None = None
    documents: Iterable[CorpusDocument] = ()


class Format(Protocol):
    """One format: how to write a dataset in it, how to read one, and what it has no place for."""

    @property
    def name(self) -> str:
        """The name of the format."""
        ...

    @property
    def shape(self) -> str:
        """What is written, in a few words."""
        ...

    @property
    def visible_pieces(self) -> frozenset[str]:
        """The pieces of a record for which the format has a place that its tools read."""
        ...

    @property
    def carries_record(self) -> bool:
        """Whether the whole record is embedded as metadata, so that reading loses nothing."""
        ...

    @property
    def holds_corpus(self) -> bool:
        """Whether the codebase is a part of what is written."""
        ...

    def write(self, dataset: Dataset, out: Path) -> None:
        """Write a dataset to a path that is free: a file or a folder.

        Its bytes depend on the dataset alone.

        Raises:
            InputError: The format cannot hold a record; the text names it.
            OSError: The disk refused.
        """
        ...

    def read(self, path: Path) -> Reading:
        """Read queries, with the whole record of ours where the file embeds it.

        Returns:
            The queries in the order of the file, each query id once, and what was not read.

        Raises:
            InputError: It is not of this format; the text names the file, the line and what was
                expected.
        """
        ...

    def remarks(self, dataset: Dataset) -> Iterator[str]:
        """Yield what is said otherwise than in our own datasets, a sentence each."""
        ...


@dataclass(frozen=True, slots=True)
class Loss:
    """A piece of the records that no tool of a format sees.

    Attributes:
        piece: The name of the piece.
        records: How many records have it.
        returns: Whether it comes back when the file is read.
    """

    piece: str
    records: int
    returns: bool


def losses(target: Format, labels: Iterable[GoldenLabel]) -> tuple[Loss, ...]:
    """List every piece that a format has no place for and that at least one record has.

    Returns:
        The losses, in the order of the fields of a record.
    """
    invisible_pieces = [piece for piece in PIECES if piece not in target.visible_pieces]
    counts = dict.fromkeys(invisible_pieces, 0)
    for label in labels:
        for piece in counts:
            # A truth value counts as 0 or 1.
            counts[piece] += _has_piece(label, piece)
    returns = target.carries_record
    return tuple(Loss(piece, count, returns) for piece, count in counts.items() if count)


def _has_piece(label: GoldenLabel, piece: str) -> bool:
    field, _, _ = piece.partition(".")
    value = getattr(label, field)
    # Not "if value": a field that is False says something.
    return value is not None and value not in ((), {}, "")
