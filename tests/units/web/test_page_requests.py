"""What the page may ask for."""

import json
from typing import Any

import pytest

from goldwright.errors import InputError
from goldwright.web.page_requests import DecisionRequest, EditRequest, parse_page_request

SEEN = {"key": "12345678", "query_id": "q_00001", "content": "sha256:1", "last": 0}


def edit(start: int, end: int) -> EditRequest:
    """Read an ask for other lines."""
    lines = {"file": "a.py", "start": start, "end": end}
    return parse_page_request(
        json.dumps({**SEEN, "claim_id": "fact-1", "text": "It is.", "lines": lines}).encode(),
        EditRequest,
    )


def decision(**more: Any) -> DecisionRequest:
    """Read an ask to decide."""
    return parse_page_request(json.dumps({**SEEN, **more}).encode(), DecisionRequest)


def test_lines_in_order_are_read() -> None:
    """One line and many."""
    ranges = [edit(1, 1).lines, edit(2, 900).lines]
    assert [(one.start, one.end) for one in ranges if one] == [(1, 1), (2, 900)]


@pytest.mark.parametrize(
    ("start", "end", "message"),
    [
        (900, 2, "the request: lines: the last line comes before the first, found 900 to 2"),
        (0, 2, "the request: lines: lines count from 1, found 0"),
    ],
)
def test_lines_out_of_order_are_refused_in_one_line(start: int, end: int, message: str) -> None:
    """Whoever asks."""
    with pytest.raises(InputError) as refused:
        edit(start, end)
    assert str(refused.value) == message


def test_nothing_is_dropped_without_a_reason() -> None:
    """A blank one is none; keeping wants none."""
    assert decision(decision="keep").words == ""
    assert (
        decision(decision="drop", words="Nobody would ask that.").words == "Nobody would ask that."
    )
    for words in ("", "  "):
        with pytest.raises(InputError, match=r"^the request: to drop a record wants a reason$"):
            decision(decision="drop", words=words)
