"""The nouns that questions have for classes and for the code around them."""

import pytest

from goldwright.offline_agents.inquiries.class_nouns import is_said_twice


@pytest.mark.parametrize(
    ("noun", "area", "is_twice"),
    [
        ("scheduler", "scheduler", True),
        ("scheduler", "schedulers", True),
        ("http handler", "handlers", True),
        ("download handler", "download", True),
        ("storage", "feed exports", False),
    ],
)
def test_an_area_that_repeats_the_noun_says_it_twice(noun: str, area: str, is_twice: bool) -> None:
    """Nobody speaks of the scheduler of the scheduler."""
    assert is_said_twice(noun, area) == is_twice
