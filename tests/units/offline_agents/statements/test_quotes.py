"""Messages made fit for quotation marks."""

import pytest

from goldwright.offline_agents.statements.quotes import LONGEST_MESSAGE, cut_message


@pytest.mark.parametrize(
    ("message", "quoted"),
    [
        ("no such shop", "no such shop"),
        (" no such shop ", "no such shop"),
        # Marks would end the quotation, or begin code.
        ("no shop `till`", "no shop …till…"),
        ("the “best” shop", "the …best… shop"),
        # A value in marks of its own is one gap.
        ("no shop `…`", "no shop …"),
        ("no shop … … here", "no shop … … here"),
    ],
)
def test_nothing_may_be_read_as_more_than_it_is(message: str, quoted: str) -> None:
    assert cut_message(message) == quoted


def test_a_long_message_ends_behind_a_word() -> None:
    quoted = cut_message("shop " * LONGEST_MESSAGE)
    assert quoted.endswith("shop…")
    assert len(quoted) <= LONGEST_MESSAGE + 1
    assert cut_message("s" * (LONGEST_MESSAGE + 1)) == ""


def test_the_longest_message_is_quoted_whole() -> None:
    longest = "s" * LONGEST_MESSAGE
    assert cut_message(longest) == longest
