"""The order in which cases are written."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from goldwright.engine.ordered_log import OrderedLog
from goldwright.records import QueryRecord


class Page:
    """A shelf in memory."""

    def __init__(self, *ids: str) -> None:
        self._records = [QueryRecord(query_id=one) for one in ids]

    @property
    def records(self) -> Sequence[QueryRecord]:
        return self._records

    def append(self, record: QueryRecord) -> None:
        self._records.append(record)

    @property
    def ids(self) -> list[str]:
        return [record.query_id for record in self._records]


@given(st.permutations(range(7)))
def test_records_are_written_in_the_order_of_places_whatever_order_cases_end_in(
    ends: list[int],
) -> None:
    """Odd places have nothing to write; the others stand in order."""
    page = Page()
    ledger = OrderedLog(page)
    for place in ends:
        ledger.settle(place, QueryRecord(query_id=f"q{place}") if place % 2 == 0 else None)
    assert page.ids == ["q0", "q2", "q4", "q6"]


@given(st.permutations(range(6)), st.integers(0, 6))
def test_a_run_that_was_cut_off_is_a_prefix_and_ends_the_same(ends: list[int], cut: int) -> None:
    """What a second process writes after the first was killed completes the same file."""
    page = Page()
    first = OrderedLog(page)
    for place in ends[:cut]:
        first.settle(place, QueryRecord(query_id=f"q{place}"))
    assert page.ids == [f"q{place}" for place in range(len(page.ids))]
    second = OrderedLog(page)
    for place in range(6):
        known = f"q{place}" in second.done
        second.settle(place, None if known else QueryRecord(query_id=f"q{place}"))
    assert page.ids == ["q0", "q1", "q2", "q3", "q4", "q5"]


def test_a_place_keeps_its_first_word() -> None:
    """Releasing a case after it wrote changes nothing."""
    page = Page()
    ledger = OrderedLog(page)
    ledger.settle(1, QueryRecord(query_id="late"))
    ledger.settle(1, None)
    ledger.settle(0, None)
    assert page.ids == ["late"]


def test_a_query_id_is_written_once() -> None:
    """A record that stands in the file already is not written again."""
    page = Page("q1")
    OrderedLog(page).add(QueryRecord(query_id="q1"))
    assert page.ids == ["q1"]
