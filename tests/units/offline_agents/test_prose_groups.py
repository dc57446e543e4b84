"""Which sentences of a narrative belong together."""

import pytest

from goldwright.offline_agents.prose.prose_groups import is_the_only_holder
from goldwright.offline_agents.statements.only_holder import OnlyHolder
from goldwright.offline_agents.statements.raises import Raises


@pytest.mark.parametrize(
    ("message", "text", "holder", "is_only"),
    [
        ("no such shop", "no such shop", "pay", True),
        ("no such shop", "no such till", "pay", False),
        ("no such shop", "no such shop", "refund", False),
        ("", "", "pay", False),
    ],
)
def test_no_other_code_holds_the_message_that_was_just_told(
    message: str, text: str, holder: str, *, is_only: bool
) -> None:
    raised = Raises("pay", "ShopError", message, ())
    assert is_the_only_holder(raised, [OnlyHolder(holder, text)]) is is_only


def test_a_further_sentence_says_more_than_that() -> None:
    raised = Raises("pay", "ShopError", "no such shop", ())
    holder = OnlyHolder("pay", "no such shop")
    assert not is_the_only_holder(raised, [holder, holder])
    assert not is_the_only_holder(raised, [])
