"""A stage file with what is done in it, written in the order of the cases whatever order they end
in.

Every case settles its place in every ledger, with a record or with none. A record is written as
soon as all earlier places are settled, so the file of a run that was killed is a prefix of the
file of a run that was not, and the runs that carry on from it end in the same bytes.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from goldwright.records import QueryRecord

R = TypeVar("R", bound=QueryRecord)


class RecordLog(Protocol[R]):
    """An append-only file of records."""

    @property
    def records(self) -> Sequence[R]:
        """Every record of the file, in order."""
        ...

    def append(self, record: R) -> None:
        """Write one record durably."""
        ...


class EmptyRecordLog:
    """Stands where a run keeps no such file."""

    records: Sequence[Any] = ()

    def append(self, record: QueryRecord) -> None:
        """Refuse a record that nobody asked for."""
        raise ValueError(f"{record.query_id}: this run keeps no such records")


class OrderedLog(Generic[R]):
    """The records of one stage by query id, and a waiting room for those that are early."""

    def __init__(self, log: RecordLog[R]) -> None:
        self._log = log
        self._done = {record.query_id: record for record in log.records}
        self._waiting: dict[int, R | None] = {}
        self._next = 0

    @property
    def done(self) -> Mapping[str, R]:
        """What is written, by query id, in the order of the file."""
        return self._done

    def settle(self, place: int, record: R | None) -> None:
        """Hand in what a case has to write here (``None``: nothing, or it stands there already).

        A place that is settled keeps its first word.
        """
        if place < self._next or place in self._waiting:
            return
        self._waiting[place] = record
        while self._next in self._waiting:
            ready = self._waiting.pop(self._next)
            if ready is not None:
                self.add(ready)
            self._next += 1

    def add(self, record: R) -> None:
        """Write a record now, outside the order of the cases; a query id is written once."""
        if record.query_id in self._done:
            return
        self._log.append(record)
        self._done[record.query_id] = record
