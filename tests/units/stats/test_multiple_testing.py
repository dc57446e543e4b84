"""Correction for the number of tests."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.stats.multiple_testing import holm

NAMED = st.dictionaries(st.text(max_size=3), st.floats(0, 1), max_size=12)


def test_four_p_values_are_adjusted_step_by_step() -> None:
    adjusted = holm({"recall": 0.01, "mrr": 0.04, "ndcg": 0.03, "precision": 0.005})
    assert adjusted == pytest.approx({"recall": 0.03, "mrr": 0.06, "ndcg": 0.06, "precision": 0.02})
    assert list(adjusted) == ["recall", "mrr", "ndcg", "precision"]


def test_one_test_needs_no_correction_and_none_gives_none() -> None:
    assert holm({"recall": 0.04}) == {"recall": 0.04}
    assert holm({}) == {}


def test_equal_p_values_stay_equal_and_none_passes_one() -> None:
    assert holm({"a": 0.02, "b": 0.02, "c": 0.9}) == pytest.approx({"a": 0.06, "b": 0.06, "c": 0.9})
    assert holm({"a": 0.6, "b": 0.7}) == {"a": 1.0, "b": 1.0}


@given(NAMED)
def test_no_p_value_falls_none_is_raised_beyond_bonferroni_and_their_order_stays(
    p_values: dict[str, float],
) -> None:
    adjusted = holm(p_values)
    for name, p_value in p_values.items():
        assert p_value <= adjusted[name] <= min(1.0, len(p_values) * p_value)
    by_size = sorted(p_values, key=p_values.__getitem__)
    assert [adjusted[name] for name in by_size] == sorted(adjusted.values())


@pytest.mark.parametrize("p_value", [-0.01, 1.01, math.nan])
def test_what_is_no_p_value_is_refused_by_name(p_value: float) -> None:
    with pytest.raises(ValueError, match="'mrr'"):
        holm({"recall": 0.5, "mrr": p_value})
