"""Which searches fill the pool of completeness, and the one of them that is an extra."""

import importlib
from typing import Final

from goldwright.app.environment import Environment
from goldwright.config import Config
from goldwright.engine.progress import Progress
from goldwright.errors import InputError
from goldwright.records import BUILT_IN_POOL, PoolSystem
from goldwright.retrieval.local_dense import PACKAGES, has_local_encoder, open_dense_retriever
from goldwright.retrieval.port import Retriever
from goldwright.snapshot import Snapshot

ENCODER_IS_BROKEN: Final = (
    "the packages of goldwright[dense] are installed and cannot be loaded; "
    "mend them, or set dense_pool = false in [run]"
)


def pool_systems(config: Config) -> tuple[PoolSystem, ...]:
    """Name the searches of a run: search by meaning only where an encoder is on this machine."""
    if config.run.dense_pool and has_local_encoder():
        return (*BUILT_IN_POOL, "dense")
    return BUILT_IN_POOL


def open_dense_pool(
    systems: tuple[PoolSystem, ...],
    snapshot: Snapshot,
    environment: Environment,
    progress: Progress,
) -> Retriever | None:
    """Open search by meaning where it is one of the systems; nothing is fetched from elsewhere.

    Raises:
        InputError: Its packages cannot be loaded.
    """
    if "dense" not in systems:
        return None
    try:
        # Vectors may all be in the cache, and every question of the run still wants the encoder.
        for package in PACKAGES:
            importlib.import_module(package)
        return open_dense_retriever(snapshot, cache=environment.cache, report=progress.phase)
    except ImportError as error:
        raise InputError(f"{ENCODER_IS_BROKEN}: {error}") from error
