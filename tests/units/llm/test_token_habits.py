"""Habits: what calls have used tells what one uses whose bill nobody saw."""

from hypothesis import given
from hypothesis import strategies as st

from goldwright.llm.port import Usage
from goldwright.llm.token_habits import LearnedHabits

BYTES = st.integers(1, 10**6)
TOKENS = st.integers(0, 10**5)
USAGES = st.builds(Usage, TOKENS, TOKENS, TOKENS, TOKENS)


def learned(*replies: tuple[str, str, int, Usage]) -> LearnedHabits:
    habits = LearnedHabits()
    for model, role, input_bytes, usage in replies:
        habits.learn(model, role, input_bytes, usage)
    return habits


@given(BYTES, USAGES)
def test_a_request_like_the_one_before_is_expected_to_use_the_same(
    input_bytes: int, usage: Usage
) -> None:
    habits = learned(("m", "judge", input_bytes, usage))
    assert habits.expected_usage("m", "judge", input_bytes) == usage


@given(st.lists(st.tuples(BYTES, USAGES), min_size=1, max_size=8))
def test_what_is_expected_of_all_requests_is_what_they_used_but_for_rounding(
    replies: list[tuple[int, Usage]],
) -> None:
    habits = learned(*(("m", "judge", length, usage) for length, usage in replies))
    expected = [habits.expected_usage("m", "judge", length) for length, _ in replies]
    # Each of the four kinds of tokens is rounded up once a request.
    surplus = sum(usage.total for usage in expected) - sum(usage.total for _, usage in replies)
    assert 0 <= surplus <= 4 * len(replies)


def test_a_role_that_has_shown_nothing_is_taken_for_its_model_and_a_new_model_for_any() -> None:
    usage = Usage(fresh=500, output=40)
    habits = learned(("m", "judge", 1000, usage))
    assert habits.expected_usage("m", "oracle", 2000) == Usage(fresh=1000, output=40)
    assert habits.expected_usage("n", "judge", 4000) == Usage(fresh=1000, output=500)


def test_a_reply_that_was_not_counted_teaches_nothing() -> None:
    habits = learned(("m", "judge", 1000, Usage(counted=False)))
    assert habits.expected_usage("m", "judge", 4000) == Usage(fresh=1000, output=500)
