"""Which messages are asked for: those that a person would search for, on a way that can be told."""

import pytest

from goldwright.offline_agents.inquiries.message_origin import MessageOrigin
from units.code_reading.sources import read_module


@pytest.mark.parametrize(
    ("line", "is_asked"),
    [
        ("raise ValueError('the pot is far too cold')", True),
        ("raise ValueError('cold')", False),
        ("logger.info('the pot is far too cold')", True),
        ("logger.info('cold')", False),
        ("print('the pot is far too cold')", False),
    ],
)
def test_a_message_that_says_something_is_asked_for(line: str, *, is_asked: bool) -> None:
    module = read_module(f"def work(pot):\n    if pot:\n        {line}\n")
    leads = list(MessageOrigin().leads(module))
    assert [lead.words for lead in leads] == (["the pot is far too cold"] if is_asked else [])
