"""One rule for joining logs: what is the same is reused, what is missing is taken, a conflict is
refused.

The records of a log belong to pieces of work: a task, a pair of trials, a model's work item. Those
of one piece stand in the order in which they were made, and a log that was cut off holds the first
of them. So of two logs that hold the same piece, one has to begin with what the other holds.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from goldwright.errors import QualityGateError

RecordT = TypeVar("RecordT")

ByPiece = Mapping[str, Sequence[RecordT]]
"""The records of a log, in their order, by the piece of work that they belong to."""


def by_piece(records: Iterable[RecordT], piece_of: Callable[[RecordT], str]) -> ByPiece[RecordT]:
    """Sort the records of a log by their pieces; the order within a piece stays."""
    sorted_records: dict[str, list[RecordT]] = {}
    for record in records:
        sorted_records.setdefault(piece_of(record), []).append(record)
    return sorted_records


def missing_records(
    held_pieces: ByPiece[RecordT], shards: Sequence[tuple[Path, ByPiece[RecordT]]], target: Path
) -> list[RecordT]:
    """Give what a log lacks of what shards hold, piece by piece in the order of their names.

    That order depends on no order of the shards, so the same shards give the same log.

    Args:
        held_pieces: What the log holds.
        shards: What the others hold, with the directories that messages name.
        target: The directory of the log, for messages.

    Raises:
        QualityGateError: Two hold different records of one piece.
    """
    longest: dict[str, tuple[Path, Sequence[RecordT]]] = {}
    for piece, records in held_pieces.items():
        longest[piece] = (target, records)
    for directory, pieces in shards:
        for piece, records in pieces.items():
            other_directory, other_records = longest.get(piece, (directory, ()))
            shared = min(len(records), len(other_records))
            if list(records[:shared]) != list(other_records[:shared]):
                raise QualityGateError(
                    f"{piece}: {other_directory} and {directory} hold different outcomes of it; "
                    "neither is taken"
                )
            if len(records) > len(other_records):
                longest[piece] = (directory, records)
    missing: list[RecordT] = []
    for piece, (_, records) in sorted(longest.items()):
        held_count = len(held_pieces.get(piece, ()))
        missing.extend(records[held_count:])
    return missing
