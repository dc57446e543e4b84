"""Which searches fill the pool of a run: those of the program, and an extra where it is there."""

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from goldwright.app.environment import Environment
from goldwright.app.runs.pool_systems import open_dense_pool, pool_systems
from goldwright.config import Config, RunSettings
from goldwright.engine.progress import SilentProgress
from goldwright.errors import InputError
from goldwright.records import BUILT_IN_POOL
from goldwright.retrieval.local_dense import PACKAGES
from goldwright.snapshot import Snapshot

NO_SNAPSHOT = cast(Snapshot, None)


@pytest.fixture
def broken_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every package of the extra can be found, and the one with the weights cannot be loaded."""
    for package in PACKAGES:
        (tmp_path / f"{package}.py").write_text("raise ImportError('half installed')\n")
    monkeypatch.syspath_prepend(tmp_path)


def test_search_by_meaning_takes_part_where_all_its_packages_are(
    broken_extra: None,  # noqa: ARG001  # it puts them on the path
) -> None:
    assert pool_systems(Config()) == (*BUILT_IN_POOL, "dense")
    assert pool_systems(Config(run=RunSettings(dense_pool=False))) == BUILT_IN_POOL


def test_an_extra_that_cannot_be_loaded_is_an_error_that_names_the_way_out(
    broken_extra: None,  # noqa: ARG001  # it puts them on the path
) -> None:
    """Without it the pool would silently be another one than the manifest says."""
    environment = cast(Environment, SimpleNamespace(cache=None))
    systems = (*BUILT_IN_POOL, "dense")
    with pytest.raises(InputError, match="dense_pool = false"):
        open_dense_pool(systems, NO_SNAPSHOT, environment, SilentProgress())


def test_a_run_without_it_opens_nothing() -> None:
    environment = cast(Environment, None)
    assert open_dense_pool(BUILT_IN_POOL, NO_SNAPSHOT, environment, SilentProgress()) is None
