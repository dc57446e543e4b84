"""Words of an author that tell a reader nothing beyond the name and the question."""

import pytest

from goldwright.offline_agents.narratives.restatements import is_restatement
from goldwright.offline_agents.statements.described import Described
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.statement import Finding
from goldwright.records import FileRange

LINES = FileRange(file="shop.py", start=1, end=1)


@pytest.mark.parametrize(
    ("name", "text", "asked", "tells_nothing"),
    [
        ("Manager._callback_dict", "Return the callback dictionary", "", True),
        ("create", "Create a new repository", "Who calls what creates a new repository?", True),
        ("create", "Create a new repository", "Who calls it?", False),
        ("get_value", "Gets the value", "", True),
        ("close", "Close the socket and wait for its thread", "", False),
        ("inform", "Tell the information desk", "", False),
    ],
)
def test_a_docstring_tells_nothing_whose_words_are_known(
    name: str, text: str, asked: str, *, tells_nothing: bool
) -> None:
    finding = Finding(Described(name, text), f"shop.py::{name}", LINES)
    assert is_restatement(finding, asked) is tells_nothing


def test_what_the_code_does_is_no_restatement() -> None:
    finding = Finding(Returned("close", "close", ()), "shop.py::close", LINES)
    assert not is_restatement(finding, "What does close return?")
