"""What a function calls one after the other, and where no order can be told."""

from pathlib import Path

import pytest

from goldwright.code_reading.call_order import call_sequence
from goldwright.snapshot import open_snapshot

_HELPERS = """
class PriceError(Exception):
    pass


def check(basket):
    return basket


def book(basket):
    return basket


def send(basket):
    return basket


"""


def _in_order(tmp_path: Path, body: str) -> tuple[str, ...] | None:
    root = tmp_path / "code"
    root.mkdir()
    (root / "shop.py").write_text(f"{_HELPERS}def pay(basket):\n{body}")
    sequence = call_sequence(open_snapshot(root, cache=tmp_path / "cache"), "shop.py::pay")
    return None if sequence is None else sequence.in_order


def test_the_call_inside_another_one_is_made_first(tmp_path: Path) -> None:
    """Arguments are worked out before the call that gets them."""
    body = "    send(check(basket))\n    book(basket)\n"
    assert _in_order(tmp_path, body) == ("check", "book")


def test_the_error_that_is_raised_is_no_step(tmp_path: Path) -> None:
    """It ends the steps."""
    body = (
        '    check(basket)\n    if not basket:\n        raise PriceError("no")\n    send(basket)\n'
    )
    assert _in_order(tmp_path, body) == ("check", "send")


@pytest.mark.parametrize(
    "body",
    [
        "    if basket:\n        book(basket)\n    else:\n        send(basket)\n",
        "    if basket:\n        return book(basket)\n    return send(basket)\n",
        (
            "    if basket:\n        if basket.open:\n            return book(basket)\n"
            "    return send(basket)\n"
        ),
    ],
)
def test_alternatives_are_in_no_order(tmp_path: Path, body: str) -> None:
    """One of them is called, and not the one after the other."""
    assert _in_order(tmp_path, body) == ()


def test_a_call_in_a_branch_of_an_expression_cannot_be_told(tmp_path: Path) -> None:
    """No statement says when it is made."""
    assert _in_order(tmp_path, "    return check(basket) if basket else send(basket)\n") is None
