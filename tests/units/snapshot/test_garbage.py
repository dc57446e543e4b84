"""The collector is kept away during a run, and has everything back afterwards."""

import gc
from collections.abc import Iterator

import pytest

from goldwright.snapshot.garbage import garbage_collected_rarely, keep_for_good


@pytest.fixture
def nothing_kept() -> Iterator[None]:
    """Have nothing kept from the collector, as in a program that never did so."""
    gc.unfreeze()
    yield
    gc.freeze()


@pytest.mark.usefixtures("nothing_kept")
def test_outside_of_a_run_nothing_is_kept() -> None:
    keep_for_good()
    assert gc.get_freeze_count() == 0


@pytest.mark.usefixtures("nothing_kept")
def test_what_a_run_kept_is_the_collectors_again() -> None:
    thresholds = gc.get_threshold()
    with garbage_collected_rarely():
        assert gc.get_threshold() != thresholds
        with garbage_collected_rarely():
            keep_for_good()
        # An inner run leaves what the outer one keeps.
        keep_for_good()
        assert gc.get_freeze_count() > 0
    assert gc.get_freeze_count() == 0
    assert gc.get_threshold() == thresholds


@pytest.mark.usefixtures("nothing_kept")
def test_what_a_program_kept_of_its_own_stays_kept() -> None:
    gc.freeze()
    with garbage_collected_rarely():
        keep_for_good()
    assert gc.get_freeze_count() > 0
