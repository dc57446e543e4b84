"""A stage file that is written in the order of the cases, in whatever order they end.

Every case settles its place in every file, with a record or with None. A record is written as soon
as all earlier places are settled, so the file of a run that was killed is a prefix of the file of a
run that was not, and a resumed run ends in the same bytes.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from goldwright.records import QueryRecord

RecordType = TypeVar("RecordType", bound=QueryRecord)


class RecordLog(Protocol[RecordType]):
    """An append-only file of records."""

    @property
    def records(self) -> Sequence[RecordType]:
        """Every record of the file, in order."""
        ...

    def append(self, record: RecordType) -> None:
        """Write one record durably."""
        ...


class EmptyRecordLog:
    """Takes the place of a file that a run does not keep."""

    records: Sequence[Any] = ()

    def append(self, record: QueryRecord) -> None:
        """Refuse the record.

        Raises:
            ValueError: Always; a run that makes such records keeps their file.
        """
        raise ValueError(f"{record.query_id}: this run keeps no such records")


class OrderedLog(Generic[RecordType]):
    """The records of one stage by query id; records that come early wait for their turn."""

    def __init__(self, log: RecordLog[RecordType]) -> None:
        self._log = log
        self._done = {record.query_id: record for record in log.records}
        self._waiting: dict[int, RecordType | None] = {}
        self._next_place = 0

    @property
    def done(self) -> Mapping[str, RecordType]:
        """What is written, by query id, in the order of the file."""
        return self._done

    def settle(self, place: int, record: RecordType | None) -> None:
        """Hand in what a case has to write here; only the first call for a place counts.

        Args:
            place: The position of the case in the run, from 0.
            record: Its record; None where the case writes nothing, or was written by an earlier
                process.
        """
        # A case that has written its record is released too, and settles its place again.
        if place < self._next_place or place in self._waiting:
            return
        self._waiting[place] = record
        while self._next_place in self._waiting:
            next_record = self._waiting.pop(self._next_place)
            if next_record is not None:
                self.add(next_record)
            self._next_place += 1

    def add(self, record: RecordType) -> None:
        """Write a record now, outside the order of the cases; a query id is written once."""
        if record.query_id in self._done:
            return
        self._log.append(record)
        self._done[record.query_id] = record
