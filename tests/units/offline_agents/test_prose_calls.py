"""How a call is told: as it is written, or by what its caller does with it."""

import pytest

from goldwright.offline_agents.prose.prose_calls import call_in_prose
from goldwright.offline_agents.statements.calls_as import CallsAs


@pytest.mark.parametrize("call", ["mint(coin)", "self.mint (coin)", "await mint\n(coin)"])
def test_a_call_of_any_layout_is_told_as_it_is_written(call: str) -> None:
    sentence = call_in_prose("pay", "mint", CallsAs("pay", "mint", call))
    assert sentence == f"In product code only `pay` calls `mint`, as `{call}`."
