"""Keeping the garbage collector out of the way."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

# New objects before a collection, and collections before one of the older generation. With those
# of Python (700, 10, 10) a run over scrapy collects 3,791 times and spends a sixth of its time on
# that; with these 39 times, in the same memory.
RARELY: Final = (50_000, 20, 20)


_runs = 0


def keep_for_good() -> None:
    """Let the collector pass over everything that exists by now, to the end of a run.

    The index of a large codebase holds millions of objects and lives as long as the run; going
    through it again and again took a third of the time of dealing its questions. Outside of a run
    nothing happens: the garbage of a program that uses Goldwright would never be collected.
    """
    if _runs:
        gc.freeze()


@contextmanager
def garbage_collected_rarely() -> Iterator[None]:
    """Have the collector look for cycles now and then only: a run makes few of them.

    Memory stays bounded, other than without a collector. What was kept meanwhile is the
    collector's again, unless the program had kept things of its own.
    """
    global _runs  # noqa: PLW0603  # the collector is one for the whole process
    thresholds = gc.get_threshold()
    had_kept = gc.get_freeze_count() > 0
    gc.set_threshold(*RARELY)
    _runs += 1
    try:
        yield
    finally:
        _runs -= 1
        gc.set_threshold(*thresholds)
        if not had_kept:
            gc.unfreeze()


@contextmanager
def garbage_collection_paused() -> Iterator[None]:
    """Keep the collector away from the many short-lived nodes of a parse, which form no cycles."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
