"""A dictionary of limited weight."""

from hypothesis import given
from hypothesis import strategies as st

from goldwright.snapshot.recent_values import RecentValues


def test_what_was_not_used_for_longest_goes_first() -> None:
    """Looking at a value is a use."""
    values = RecentValues[str](10)
    values.put("a", "first", 4)
    values.put("b", "second", 4)
    assert values.get("a") == "first"
    values.put("c", "third", 4)
    assert (values.get("a"), values.get("b"), values.get("c")) == ("first", None, "third")


def test_one_value_that_is_too_heavy_is_kept_alone() -> None:
    """What was put in last can always be looked at."""
    values = RecentValues[str](10)
    values.put("a", "light", 1)
    values.put("b", "heavy", 99)
    assert (values.get("a"), values.get("b")) == (None, "heavy")


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 6))))
def test_the_weights_that_are_held_stay_below_the_limit(puts: list[tuple[str, int]]) -> None:
    """A value that is put again counts once."""
    values = RecentValues[int](10)
    weights: dict[str, int] = {}
    for name, weight in puts:
        values.put(name, weight, weight)
        weights[name] = weight
    held = {name: weight for name, weight in weights.items() if values.get(name) is not None}
    assert sum(held.values()) <= 10
    assert not puts or puts[-1][0] in held
    assert all(values.get(name) == weight for name, weight in held.items())
