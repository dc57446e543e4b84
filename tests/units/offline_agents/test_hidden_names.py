"""A question gives a target away where it speaks the words of its name."""

import pytest

from goldwright.offline_agents.inquiries.hidden_names import gives_away


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("parses a Cookie header value", "parse_cookie_header"),
        ("gets the state of the object", "State.get_state"),
        ("reads until one of the characters is reached", "_read_until"),
        ("opens a connection", "Pool.openConnection"),
        ("parse cookie headers", "parse_cookie_header"),
    ],
)
def test_words_in_their_order_give_a_name_away(text: str, name: str) -> None:
    assert gives_away(text, [f"shop/till.py::{name}"])


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("reads a header of the cookie", "parse_cookie_header"),
        ("gets what is kept of the state", "get_state"),
        ("opens", "open"),
        ("until it is read", "read_until"),
    ],
)
def test_a_single_word_another_order_or_a_distance_gives_nothing_away(text: str, name: str) -> None:
    assert not gives_away(text, [f"shop/till.py::{name}"])
