"""The recall of labels, from a second sample."""

import pytest

from goldwright.stats.label_recall import label_recall


def test_the_interval_is_that_of_a_rate() -> None:
    """Wilson's interval of 45 of 50, as R's ``prop.test(45, 50, correct = FALSE)`` gives it."""
    estimate = label_recall(45, 50)
    assert (estimate.recaptured, estimate.brought) == (45, 50)
    assert estimate.interval == pytest.approx((0.7863977, 0.9565243), abs=1e-6)


def test_a_sample_that_is_all_labelled_proves_no_certainty() -> None:
    """Of 51 relevant entities that are all labelled, up to 7 % may be missing elsewhere."""
    low, high = label_recall(51, 51).interval
    assert low == pytest.approx(0.92995, abs=1e-4)
    assert high == pytest.approx(1.0)


def test_no_sample_says_nothing() -> None:
    """Anything between none and all may be labelled."""
    assert label_recall(0, 0).interval == (0.0, 1.0)
