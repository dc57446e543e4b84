"""What a comment gives as a reason, and what only follows from it."""

import pytest

from goldwright.offline_agents.statements.reasoned import split_reason


@pytest.mark.parametrize(
    ("comment", "reason"),
    [
        ("cut before a blank, so that no word is torn", "so that no word is torn"),
        ("keep it so that we can go back", "so that we can go back"),
        # Not every dot ends a sentence.
        (
            "copied, because it drops some, e.g. those of a session. More below",
            "because it drops some, e.g. those of a session",
        ),
        ("there is space in the window, so that producer can start", ""),
        ("we create symbols all the way, so that can't happen", ""),
    ],
)
def test_what_follows_is_no_reason(comment: str, reason: str) -> None:
    """So that: it says what for, or what comes of it."""
    assert split_reason(comment)[1] == reason
